import { afterAll, expect, test } from 'vitest'
import { openVariables } from '../support/goals.ts'
import { startSite, startSiteWithBackend } from '../support/site.ts'
import { documentOf, type Page, Visitor } from '../support/visitor.ts'

/** An empty site without emails: FundMe is closed, and there is no token, wallet, source or payer. */
const empty = await startSiteWithBackend({ variables: { PAGE_CACHE: 'off' } })
afterAll(() => empty.close())
const { backend } = empty
const more = { ...openVariables, SUPABASE_SECRET_KEY: backend.secretKey, PAGE_CACHE: 'off' }
/** FundMe is open, and people can give, but there is no token and no payer. */
const open = await startSite(backend, more)
afterAll(() => open.close())
const feed = 'https://feed.example/1'
await backend.sql('select public.claim_sources($1)', [JSON.stringify([feed])])
/** Token holders vote, and the site reads a source and sends payments. */
const whole = await startSite(backend, {
  ...more,
  ...{ TOKEN_ADDRESS: `0x${'c'.repeat(40)}`, PAYER_KEY: `0x${'5'.repeat(64)}`, STATEMENT_SOURCES: feed },
  CHAIN_RPC_URLS: 'http://127.0.0.1:9 http://127.0.0.1:8',
})
afterAll(() => whole.close())
const sites = { empty, open, whole }
type Kind = keyof typeof sites
const kinds = Object.keys(sites) as Kind[]

const wordsOf = (page: Page) =>
  documentOf(page).querySelector('main')?.structuredText.replace(/\s+/g, ' ') ?? ''
const read = async (kind: Kind, path: string) => wordsOf(await new Visitor(sites[kind].url).get(path))

/** What a page says, and the kinds of site on which it is so. On the others the page does not say it. */
const said: [path: string, sentence: string, where: Kind[]][] = [
  ['/', 'Goodblock will take 5% of every trade of its token', ['empty', 'open']],
  ['/', 'Goodblock takes 5% of every trade of its token', ['whole']],
  ['/', "The token hasn't launched yet", ['empty', 'open']],
  ['/', 'Every trade will pay in', ['empty', 'open']],
  ['/', 'Every trade pays in', ['whole']],
  ['/', 'It opens when the token is live.', ['empty']],
  ['/', 'Donate', ['empty', 'open', 'whole']],
  ['/', 'What you will see here Example', ['empty']],
  ['/', 'Each one will link to the blockchain.', kinds],
  ['/', 'Open any payment and follow it', []],
  ['/', 'Token holders will vote on causes and on the split of the fees.', ['empty', 'open']],
  ['/', 'Voting opens with FundMe.', ['empty']],
  ['/', 'Voting opens when the token is live.', ['open']],
  ['/', 'Token holders vote on goals, and anyone can count the ballots again.', ['whole']],
  ['/', "They don't vote on the split of the fees yet.", ['whole']],
  ['/cz-call', 'funds are sent automatically from the donation wallet.', kinds],
  ['/cz-call', 'This site reads no source by itself yet: people read them.', ['empty', 'open']],
  ['/cz-call', 'Our sources.', ['whole']],
  ['/cz-call', 'Listening to 1 source.', ['whole']],
  ['/voting', 'automatically or by hand.', kinds],
  ['/transparency', 'No recipient was asked yet.', kinds],
  ['/transparency/orders', 'Two people approve each order, or the rule that makes it.', kinds],
  ['/about', "The token hasn't launched yet", ['empty', 'open']],
  ['/about', "Voting isn't open yet, but you can see a preview.", ['empty']],
  ['/about', 'Voting opens when the token is live.', ['open']],
  ['/about', 'Token holders vote on goals, and anyone can count the ballots again.', ['whole']],
  ['/about', 'Those who hold the keys send each payment themselves.', ['empty', 'open']],
  ['/about', 'operators publish here', []],
  ['/about', 'Who holds the keys of our wallets is not published yet.', kinds],
  ['/about', 'answer for the money now', []],
  ['/risk', 'There is no contract address yet.', ['empty', 'open']],
  ['/terms', 'This programme is Coming Soon.', ['empty']],
  ['/giveback', 'Coming Soon', ['empty']],
  ['/giveback', 'Voting opens when the token is live.', ['open']],
  ['/contact', 'not announced', []],
  ['/transparency/mistakes', 'Nothing is recorded yet, so this list is empty.', kinds],
  ['/transparency/verify', 'there is nothing to check', kinds],
  ['/transparency/verify', 'every minute', []],
  ['/transparency/verify', 'write some of them to the blockchain', []],
  ['/transparency/verify', 'the ones on the blockchain', []],
]
for (const path of ['/cz-call', '/voting'])
  said.push(
    [path, 'On this site nothing is sent automatically: a person sends each payment.', ['empty', 'open']],
    [path, 'Two people approve each payment that this site sends, or the rule that orders it.', ['whole']],
  )

test('a page says of the token, votes, payments and sources only what is so on its kind of site', async () => {
  const paths = [...new Set(said.map(([path]) => path))]
  const pages = new Map<string, string>()
  await Promise.all(
    paths.flatMap((path) => kinds.map(async (kind) => pages.set(kind + path, await read(kind, path)))),
  )
  const found = said.map(([path, sentence]) => [
    ...[path, sentence],
    kinds.filter((kind) => pages.get(kind + path)?.includes(sentence)),
  ])
  expect(found).toEqual(said)
})

test('no link of a page of the empty site leads to an error', async () => {
  const visitor = new Visitor(empty.url)
  const seen = new Set(['/'])
  const errors: string[] = []
  const follow = async (path: string, from: string): Promise<void> => {
    const page = await visitor.get(path)
    if (page.status >= 400) errors.push(`${from} → ${path}: ${page.status}`)
    if (!page.headers.get('Content-Type')?.startsWith('text/html')) return
    const links = documentOf(page)
      .querySelectorAll('body a[href^="/"]')
      .map((link) => (link.getAttribute('href') ?? '').replace(/#.*$/, '').replaceAll('&amp;', '&'))
      .filter((link) => link && !seen.has(link) && !/^\/(zh|tr|es|ar|language)\b/.test(link))
    for (const link of links) seen.add(link)
    await Promise.all([...new Set(links)].map((link) => follow(link, path)))
  }
  await follow('/', '')
  expect(errors).toEqual([])
  expect(seen.size).toBeGreaterThan(45)
})
