import { parseAtomFeed, parseJsonFeed } from 'feedsmith'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SiteWithBackend, startSiteWithBackend } from '../support/site.ts'
import { transaction } from '../support/temporary-backend.ts'
import { documentOf, Visitor } from '../support/visitor.ts'

let site: SiteWithBackend

beforeAll(async () => {
  site = await startSiteWithBackend({ demo: true })
  await site.backend.sql('select public.append_ledger($1)', [
    JSON.stringify([
      transaction({
        occurred_at: new Date().toISOString(),
        account: 'treasury',
        counter_account: 'education',
        type: 'donation',
        direction: 'out',
        pool_slug: 'education',
        amount_usd: '1234.50',
        token_amount: '2500000',
        token_symbol: '<T>',
        token_decimals: 6,
        tx_hash: `0x${'3'.repeat(64)}`,
        note: '</content>\x01&<script>"]]>\r\nA second line',
      }),
    ]),
  ])
})
afterAll(() => site?.close())

const get = (path: string, headers: Record<string, string> = {}) => fetch(site.url + path, { headers })
const read = async (path: string) => (await get(path)).text()

test.each([
  ['the ledger', '', 51],
  ['a pool', '?pool=education', undefined],
  ['a type and days', '?type=tax&from=2024-12-01&to=2025-05-31', undefined],
])('the feed of %s has the same entries in Atom and JSON Feed', async (_, search, count) => {
  const atom = parseAtomFeed(await read(`/transparency.atom${search}`))
  const json = parseJsonFeed(await read(`/transparency.feed.json${search}`))
  expect(atom.entries?.length).toBeGreaterThan(3)
  if (count) expect(atom.entries).toHaveLength(count)
  expect(
    json.items?.map(({ id, title, content_text }) => ({
      id,
      title,
      content: content_text?.replace('\u0001', '\ufffd'),
    })),
  ).toEqual(
    atom.entries?.map(({ id, title, content }) => ({ id, title: title?.value, content: content?.value })),
  )
  expect(new Set(atom.entries?.map(({ id }) => id)).size).toBe(atom.entries?.length)
  expect(atom.links?.find(({ rel }) => rel === 'self')?.href).toBe(`${site.url}/transparency.atom${search}`)
  expect(json.feed_url).toBe(`${site.url}/transparency.feed.json${search}`)
  expect(json.home_page_url).toBe(`${site.url}/transparency${search}`)

  const under = new URLSearchParams(search)
  const rows = await site.backend.sql<{ id: number }>(
    `select id from public.published_transactions
     where ($1::text is null or type = $1) and ($2::text is null or pool_slug = $2)
       and ($3::date is null or (occurred_at at time zone 'UTC')::date between $3::date and $4::date)
     order by occurred_at desc, id desc limit 50`,
    ['type', 'pool', 'from', 'to'].map((name) => under.get(name)),
  )
  const ids = json.items?.map(({ id }) => id).filter((id) => !id?.includes('#'))
  expect(ids).toEqual(rows.map(({ id }) => `${site.url}/transparency/${id}`))
})

test.each([
  ['', 'all transactions'],
  ['?pool=none', 'no pool'],
  ['?pool=education&type=donation', 'Education Programme, Donation'],
  ['?type=donation&wallet=education&direction=in', 'Donation, wallet Education Programme, direction in'],
  ['?status=mismatch&to=2025-02-01', "Doesn't match the blockchain, until 2025-02-01"],
  ['?q=treasury&from=2025-01-01', 'Treasury, since 2025-01-01'],
  [`?q=0x${'3'.repeat(64)}&from=2025-01-01&to=2025-02-01`, `0x${'3'.repeat(64)}, 2025-01-01 to 2025-02-01`],
])('the title of the feed %s states every part of its filter', async (search, name) => {
  expect(JSON.parse(await read(`/transparency.feed.json${search}`)).title).toBe(`Goodblock: ${name}`)
})

test('an entry contains the amount, the tokens and the status in words, and the note if there is one', async () => {
  const atom = parseAtomFeed(await read('/transparency.atom?pool=education'))
  const [entry] = atom.entries ?? []
  expect(entry?.title?.value).toBe('$1,234.50 to Education Programme')
  for (const said of [
    'Direction: Between two of our wallets',
    'From: Treasury, 0x',
    'To: Education Programme, 0x',
    'Value in US dollars: $1,234.50',
    'Amount in tokens: 2.5 <T>',
    'Status: Waiting',
    `Transaction: 0x${'3'.repeat(64)}`,
  ])
    expect(entry?.content?.value).toContain(said)
  expect(entry?.content?.value).toContain('</content>\ufffd&<script>"]]>')
  expect(entry?.content?.value).toContain('A second line')
  for (const [status, words] of [
    ['verified', 'Status: Verified on chain\nBlock: '],
    ['mismatch', "Doesn't match the blockchain"],
    ['reorganised', 'No longer on the blockchain'],
  ])
    expect(await read(`/transparency.feed.json?status=${status}`)).toContain(
      JSON.stringify(words).slice(1, -1),
    )
})

test('every feed of the ledger contains the newest checkpoint, and the unfiltered feed has an entry for the checkpoint', async () => {
  const note = await read('/transparency/log/checkpoint')
  expect(note).toMatch(/\n— /)
  for (const search of ['', '?pool=animal-welfare']) {
    expect(JSON.parse(await read(`/transparency.feed.json${search}`))._log.checkpoint).toBe(note)
    const atom = await read(`/transparency.atom${search}`)
    expect(/<log:checkpoint>([^<]*)</.exec(atom)?.[1]).toBe(note)
  }
  const [entry] = JSON.parse(await read('/transparency.feed.json')).items
  expect(entry.content_text).toBe(note)
})

test('statements have a feed in Atom and JSON Feed', async () => {
  const atom = parseAtomFeed(await read('/cz-call.atom'))
  const json = parseJsonFeed(await read('/cz-call.feed.json'))
  const calls = await site.backend.sql<{ tweet_url: string; tweet_text: string; statement_sha256: string }>(
    'select tweet_url, tweet_text, statement_sha256 from public.published_cz_calls order by posted_at desc, id desc limit 50',
  )
  expect(atom.entries?.map(({ id }) => id)).toEqual(calls.map((call) => call.tweet_url))
  expect(json.items?.map(({ id }) => id)).toEqual(calls.map((call) => call.tweet_url))
  calls.forEach((call, index) => {
    expect(json.items?.[index]?.content_text).toContain(call.tweet_text)
    expect(json.items?.[index]?.content_text).toContain(call.statement_sha256)
  })
  expect(atom.entries?.some(({ content }) => content?.value?.includes('Verified on chain'))).toBe(true)
})

test('the feed and the page state which statements have the same payment', async () => {
  const shared = 'This payment is shared with another call. The ledger counts it once.'
  await site.backend.sql(
    `select public.append_statement(jsonb_build_object(
       'tweet_text', 'Also for the books.', 'tweet_url', tweet_url || '9', 'author', author, 'posted_at', posted_at,
       'action_taken', action_taken, 'captured_at', captured_at, 'chain_id', chain_id, 'tx_hash', tx_hash,
       'revision', 0))
     from public.published_cz_calls where tx_hash is not null order by posted_at desc limit 1`,
  )
  const urls = await site.backend.sql<{ tweet_url: string }>(
    `select tweet_url from public.published_cz_calls calls where (
       select count(*) from public.published_cz_calls other
       where (other.chain_id, other.tx_hash) = (calls.chain_id, calls.tx_hash)) = 2
     order by posted_at desc, id desc`,
  )
  expect(urls).toHaveLength(2)
  const { items } = parseJsonFeed(await read('/cz-call.feed.json'))
  expect(
    items?.filter(({ content_text }) => content_text?.includes(shared)).map(({ id }) => ({ tweet_url: id })),
  ).toEqual(urls)
  const articles = documentOf(await new Visitor(site.url).get('/cz-call')).querySelectorAll('article')
  expect(
    articles
      .filter((article) => article.textContent.includes(shared))
      .map((article) => ({ tweet_url: article.querySelector('blockquote')?.getAttribute('cite') })),
  ).toEqual(urls)
})

test('responds with 304 while a feed is unchanged, and refuses invalid parameters', async () => {
  for (const path of ['/transparency.atom?pool=education', '/cz-call.feed.json']) {
    const response = await get(path)
    const tag = response.headers.get('ETag') as string
    expect(response.headers.get('Content-Type'), path).toMatch(
      /^application\/(atom\+xml|feed\+json); charset=utf-8$/,
    )
    expect(response.headers.get('Content-Disposition'), path).toBeNull()
    expect((await get(path, { 'If-None-Match': tag })).status, path).toBe(304)
    const asked = await fetch(site.url + path, { method: 'HEAD' })
    expect([asked.status, asked.headers.get('ETag')], path).toEqual([200, tag])
  }
  expect((await get('/transparency.atom?pool=ocean')).status).toBe(400)
})

test('each page links to its files and feeds, with the filter of the page', async () => {
  const html = await read('/transparency?type=donation&pool=education')
  for (const name of ['csv', 'json', 'ndjson', 'atom', 'feed.json'])
    expect(html).toContain(`href="/transparency.${name}?type=donation&amp;pool=education"`)
  expect(html).toContain(`rel="alternate" type="application/atom+xml"`)
  expect(await read('/cz-call')).toContain('href="/cz-call.feed.json"')
  expect(await read('/voting/education')).toContain(`href="${site.url}/transparency.atom?pool=education"`)
})
