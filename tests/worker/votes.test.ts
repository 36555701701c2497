import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'node-html-parser'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import { shareInput } from '../../app/acts/forms/fields.ts'
import { splitNames } from '../../app/ledger/split.ts'
import { proofStatement, writeMessage } from '../../app/wallet/message.server.ts'
import { temporaryFolder } from '../support/data-folder.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { addGoal, moveGoal, openVariables } from '../support/goals.ts'
import { addOperator } from '../support/operators.ts'
import { startSite, warmUp } from '../support/site.ts'
import { signUp, startTemporary } from '../support/temporary-backend.ts'
import { type Page, sessionCookie, toastOf, Visitor } from '../support/visitor.ts'
import { addSplit, endSoon, openTestVote, readVote, signBallot, waitForEnd } from '../support/votes.ts'

const backend = await startTemporary()
afterAll(() => backend.close())
await warmUp(backend)
const proxy = await startFaultProxy(backend.url)
afterAll(() => proxy.close())
const token = `0x${'c'.repeat(40)}`
const site = await startSite(
  { url: proxy.url, publishableKey: backend.publishableKey },
  {
    ...openVariables,
    ...{ SUPABASE_SECRET_KEY: backend.secretKey, LOG_KEY: backend.logKey, TOKEN_ADDRESS: token },
    CHAIN_RPC_URLS: 'http://127.0.0.1:9 http://127.0.0.1:8',
    ...{ SUPABASE_JWT_ISSUER: `${backend.url}/auth/v1`, PAGE_CACHE: 'off' },
  },
)
afterAll(() => site.close())

const textOf = ({ html }: Page) =>
  parse(html).querySelector('main')?.structuredText.replace(/\s+/g, ' ') ?? ''
const everyone = new Visitor(site.url)
let members = 0
async function joinSite() {
  const { client, id } = await signUp(backend, `voter-${++members}@example.org`)
  const { data } = await client.auth.getSession()
  return { id, client, browser: new Visitor(site.url).carry(sessionCookie, data.session ?? {}) }
}
const newWallet = () => privateKeyToAccount(generatePrivateKey())

/** Counts the waiting ballots as the scheduled work does, with these weights in whole tokens by address. */
async function count(weights: Record<string, number>) {
  const rows = await backend.sql<{ id: number; wallet: string }>(
    'select id, wallet from public.fundme_ballots where reason is null order by id',
  )
  const results = rows.map(({ id, wallet }) => ({
    ...{ id, digest: `${id}`, weight: `${BigInt(weights[wallet] ?? 0) * 10n ** 18n}` },
  }))
  await backend.sql('select public.count_ballots($1)', [JSON.stringify(results)])
}

/** Waits for the end of a vote, and writes its result. */
async function finish(vote: number) {
  await waitForEnd(backend, vote)
  await backend.sql('select public.finish_votes()')
}

test('a member shows a text, signs it, and hands the ballot in without JavaScript', async () => {
  const goal = await addGoal(backend)
  const path = `/giveback/${goal.slug}/vote`
  expect(textOf(await everyone.get(`/giveback/${goal.slug}`))).toContain('has not been drawn yet')
  expect(textOf(await everyone.get(path))).toContain('The vote has not opened yet.')
  const vote = await openTestVote(backend, goal.slug)
  expect(textOf(await everyone.get(path))).toContain('Sign in to vote')
  expect(textOf(await everyone.get(`/giveback/${goal.slug}`))).toMatch(
    /Token holders vote for another 30 days.*Vote to Fund/,
  )

  const { id, browser } = await joinSite()
  const wallet = newWallet()
  const shown = await browser.get(`${path}?choice=support&address=${wallet.address}`)
  const text = parse(shown.html).querySelector('textarea')?.text.replace(/^\n/, '') ?? ''
  expect(text).toContain(`Wallet: ${wallet.address}\n`)
  expect(text).toContain(`Vote: ${vote.leaf}\n`)
  const fields = {
    member: id,
    choice: 'support',
    address: wallet.address,
    text: text.replaceAll('\n', '\r\n'),
  }
  const send = (changes: Record<string, string>, by = browser) => by.post(path, { ...fields, ...changes })
  const signature = await wallet.signMessage({ message: text })

  const refusals: [Record<string, string>, string | RegExp][] = [
    [{ signature: '0x12' }, 'A signature starts with 0x and has 132 characters.'],
    [
      { signature: await newWallet().signMessage({ message: text }) },
      /made by another wallet: 0x[0-9a-fA-F]{40}\./,
    ],
    [
      { signature: `${signature.slice(0, 66)}${'f'.repeat(64)}1b` },
      "This isn't the signature of a wallet with a key.",
    ],
    [{ signature, text: text.replace('support', 'against ') }, "This isn't the ballot we asked for."],
    [{ signature, text: text.replace(goal.slug, 'goal-zzzzzzzz') }, "This isn't the ballot we asked for."],
    [{ signature, text: text.replace(vote.leaf, '0'.repeat(64)) }, "This isn't the ballot we asked for."],
    [{ signature, text: text.replace(/Time: \d{4}/, 'Time: 2099') }, "This isn't the ballot we asked for."],
  ]
  // Signed by the wallet itself, for the vote on another goal.
  const elsewhere = await signBallot(
    wallet,
    await openTestVote(backend, (await addGoal(backend)).slug),
    'support',
  )
  refusals.push([
    { text: elsewhere.message, signature: elsewhere.signature },
    "This isn't the ballot we asked for.",
  ])
  for (const [changes, sentence] of refusals) {
    const page = await send(changes)
    expect([page.status, textOf(page)]).toEqual([400, expect.stringMatching(sentence)])
    const kept = parse(page.html)
    expect(kept.querySelector('input[name=address][type=hidden]')?.getAttribute('value')).toBe(wallet.address)
    expect(kept.querySelector('input[name=choice][checked]')?.getAttribute('value')).toBe('support')
    expect(page.html).toContain('<title>Error: Vote to Fund')
  }
  expect(await backend.sql('select 1 from public.fundme_ballots')).toEqual([])

  proxy.only = /fundme_ballots/
  proxy.fault = '503'
  const failed = await send({ signature })
  proxy.fault = 'none'
  proxy.only = null
  expect([failed.status, textOf(failed)]).toEqual([
    503,
    expect.stringContaining('Your signature stays valid'),
  ])
  expect(failed.html).toContain(signature)
  const signedOut = await send({ signature }, new Visitor(site.url))
  expect([signedOut.status, signedOut.html]).toEqual([401, expect.stringContaining(signature)])

  expect((await send({ signature })).location).toBe(path)
  const after = await browser.get(path)
  expect(toastOf(after)).toContain('Vote submitted! Thank you for supporting this cause.')
  expect(textOf(after)).toContain('It waits to be counted')
  expect(textOf(await everyone.get(`/giveback/${goal.slug}`))).toContain('1 ballot waits to be counted')
  await count({})
  expect(textOf(await browser.get(path))).toContain(
    `This wallet held no tokens at block ${vote.block}, so there is nothing to count.`,
  )
})

test('the pages show counted ballots, and the verifier counts them again', async () => {
  const goal = await addGoal(backend)
  await endSoon(backend, goal.slug, 12)
  const vote = await openTestVote(backend, goal.slug)
  const { id, client, browser } = await joinSite()
  const [large, small] = [newWallet(), newWallet()]
  const now = Date.now()
  const signed = [
    await signBallot(large, vote, 'against', new Date(now)),
    await signBallot(small, vote, 'against', new Date(now)),
    await signBallot(large, vote, 'support', new Date(now + 1000)),
  ]
  const rows = signed.map(({ message: _, ...row }) => ({ ...row, member: id }))
  // Handed in twice, by two members.
  await client.from('fundme_ballots').insert(rows).throwOnError()
  const other = await joinSite()
  await other.client
    .from('fundme_ballots')
    .insert(rows.map((row) => ({ ...row, member: other.id })))
    .throwOnError()
  await count({ [large.address.toLowerCase()]: 100, [small.address.toLowerCase()]: 3 })
  expect(await readVote(backend, goal.slug)).toMatchObject({
    ...{ ballots: 3, support: `${100n * 10n ** 18n}`, support_wallets: 1 },
    ...{ against: `${3n * 10n ** 18n}`, against_wallets: 1, waiting_count: 0 },
  })
  const page = textOf(await everyone.get(`/giveback/${goal.slug}`))
  expect(page).toContain('Turnout: 10.3% of the tokens that may vote, in 2 wallets')
  expect(page).toContain(
    'For it: 97%, 100 tokens of 1 wallet. Against it: 3%, 3 tokens of 1 wallet. 97% A goal wins with the support of 20 tokens, 2% of the tokens that may vote, and more support than opposition. It has 500% of that support.',
  )
  const votes = textOf(await everyone.get(`/giveback/${goal.slug}/votes`))
  expect(votes).toMatch(/3 .*Support .*2 .*Against .*1 .*Against ?replaced by a later ballot/)
  expect(textOf(await everyone.get(`/giveback/${goal.slug}/votes?after=2`))).not.toMatch(/Support 100 tokens/)
  const own = await everyone.get(`/giveback/${goal.slug}/votes?wallet=${small.address}`)
  expect(parse(own.html).querySelectorAll('tbody tr')).toHaveLength(1)
  expect(textOf(await everyone.get(`/giveback/${goal.slug}/votes?wallet=0x1&after=x`))).toMatch(
    /That page doesn't exist.*This is not the address of a wallet/,
  )
  expect(textOf(await everyone.get('/giveback'))).toMatch(/Community Votes 2 /)
  await backend.sql(
    `insert into public.proven_wallets (user_id, address, message, signature) values ($1, $2, 'm', '0x' || repeat('9', 130))`,
    [id, small.address.toLowerCase()],
  )
  expect(textOf(await browser.get('/dashboard'))).not.toContain('My votes')
  await backend.sql('delete from public.proven_wallets where user_id = $1', [id])
  const proof = writeMessage(
    { SITE_URL: site.url, WALLET_CHAIN_ID: 56 },
    ...([small.address, 'abcdef1234567890', Date.now(), proofStatement(id)] as const),
  )
  const proven = { address: small.address.toLowerCase(), message: proof }
  await client
    .from('proven_wallets')
    .insert({ ...proven, user_id: id, signature: await small.signMessage({ message: proof }) })
    .throwOnError()
  const mine = await browser.get('/dashboard')
  expect(textOf(mine)).toMatch(/My votes School coats ?Against · 0x[0-9a-f]{6}…[0-9a-f]{6}/)
  expect(mine.html).toContain(`href="/giveback/${goal.slug}#vote"`)

  await finish(vote.id)
  const won = textOf(await everyone.get(`/giveback/${goal.slug}`))
  expect(won).toContain('Won: token holders decided')
  expect(won).toContain('Won, not paid yet: 0 days. The treasury should send $1,000')
  const { client: operator } = await addOperator(backend, 'mara')
  const { data } = await operator.auth.getSession()
  await backend.sql('select public.record_vote_wait($1, $2)', [goal.slug, 'eth_call is refused'])
  const deskVisitor = new Visitor(site.url).carry(sessionCookie, data.session ?? {})
  const deskPage = await deskVisitor.get('/operator')
  const desk = textOf(deskPage)
  expect(desk).toMatch(/Votes that wait for the blockchain 1 .*eth_call is refused/)
  expect(desk).toMatch(/Won, not paid yet 1 .*The treasury should send \$1,000\. Order this payment/)
  const link = parse(deskPage.html)
    .querySelector('a[href^="/operator/new/order?goal="]')
    ?.getAttribute('href')
  const order = parse((await deskVisitor.get(link ?? '')).html)
  const filled = order
    .querySelector('input[name=act]')
    ?.parentNode?.querySelectorAll('[name]')
    .filter((field) => field.getAttribute('type') !== 'radio' || field.hasAttribute('checked'))
    .map((field) => [
      field.getAttribute('name'),
      field.querySelector('option[selected]')?.getAttribute('value') ??
        field.getAttribute('value') ??
        field.text.trim(),
    ])
  expect(Object.fromEntries(filled ?? [])).toMatchObject({
    ...{ from: 'treasury', to: goal.wallet, token: 'USDT', amount: '1000.00', type: 'dream' },
    purpose: `Token holders decided to fund ${goal.slug}.`,
  })
  const late = await browser.post(`/giveback/${goal.slug}/vote`, {
    ...{ member: id, choice: 'support', address: large.address, text: signed[2]?.message ?? '' },
    signature: signed[2]?.signature ?? '',
  })
  expect([late.status, textOf(late)]).toEqual([400, expect.stringContaining('Voting ended on')])

  // The scheduled work signs the log.
  await site.runSchedule()
  const folder = temporaryFolder()
  const remember = join(folder.path, 'kept.json')
  const verify = async (...options: string[]) => {
    const all = ['public/verify-ledger.mjs', site.url, '--remember', remember, ...options]
    const { stdout } = await promisify(execFile)(process.execPath, all)
    return stdout
  }
  const sum = `ballots 3, support ${100n * 10n ** 18n} of 1 wallets, against ${3n * 10n ** 18n} of 1 wallets`
  expect(await verify('--whole')).toContain(`The vote on ${goal.slug} counts again: ${sum}`)
  expect(await verify('--votes', goal.slug)).toContain('won.')
  const ballotFile = join(folder.path, 'ballot.txt')
  const check = async (one: { message: string; signature: string }) => {
    writeFileSync(ballotFile, `${one.message}\n\n${one.signature}\n`)
    return verify('--votes', goal.slug, '--ballot', ballotFile).catch(
      (error) => `${error.code} ${error.stderr}`,
    )
  }
  const [first, second] = signed
  if (!first || !second) throw new Error('There is no ballot')
  expect(await check(first)).toContain('Your ballot was counted, and number 3 of your wallet replaced it.')
  expect(await check(second)).toContain('Your ballot counts: it is number 2')
  expect(await check(await signBallot(newWallet(), vote, 'against'))).toMatch(
    /^1 Your ballot is not among the 3 that were counted/,
  )
  folder.remove()
})

test('while voting is closed or the goal is annulled, nothing can be handed in', async () => {
  const goal = await addGoal(backend)
  await endSoon(backend, goal.slug, 3)
  const vote = await openTestVote(backend, goal.slug)
  const { id, client } = await joinSite()
  await moveGoal(backend, goal, 'annulled')
  const { message: _, ...row } = await signBallot(newWallet(), vote, 'support')
  const { error } = await client.from('fundme_ballots').insert({ ...row, member: id })
  expect(error?.message).toBe('ballot_closed')
  expect(textOf(await everyone.get(`/giveback/${goal.slug}`))).toContain('so its vote has no result')
  await finish(vote.id)
  expect(await readVote(backend, goal.slug)).toMatchObject({ won: null })
  const closed = await startSite(
    { url: backend.url, publishableKey: backend.publishableKey },
    { ...openVariables, SUPABASE_SECRET_KEY: backend.secretKey, PAGE_CACHE: 'off' },
  )
  const visitor = new Visitor(closed.url)
  for (const part of ['vote', 'votes', 'votes.ndjson'])
    expect((await visitor.get(`/giveback/${goal.slug}/${part}`)).status).toBe(404)
  expect(textOf(await visitor.get(`/giveback/${goal.slug}`))).not.toContain('Vote to Fund')
  await closed.close()
})

test('a member has at most 20 waiting ballots in all votes, and a time in the future is refused', async () => {
  const goal = await addGoal(backend)
  const vote = await openTestVote(backend, goal.slug)
  const { id, client } = await joinSite()
  const { message: _, ...row } = await signBallot(newWallet(), vote, 'support')
  const insert = (rows: object[]) => client.from('fundme_ballots').insert(rows as never)
  const ahead = new Date(Date.now() + 180_000).toISOString().replace(/\.\d+/, '')
  expect((await insert([{ ...row, member: id, signed_at: ahead }])).error?.message).toBe('ballot_time')
  expect((await insert(Array.from({ length: 21 }, () => ({ ...row, member: id })))).error?.message).toBe(
    'ballot_many',
  )
  expect((await insert(Array.from({ length: 20 }, () => ({ ...row, member: id })))).error).toBeNull()
  expect((await insert([{ ...row, member: id }])).error?.message).toBe('ballot_many')
  const another = await openTestVote(backend, (await addGoal(backend)).slug)
  const { message: __, ...later } = await signBallot(newWallet(), another, 'support')
  expect((await insert([{ ...later, member: id }])).error?.message).toBe('ballot_many')
  const work = await backend.sql<{ work: { ballots: { id: number }[] } }>(
    'select public.vote_work(200) as work',
  )
  const other = await joinSite()
  await other.client
    .from('fundme_ballots')
    .insert({ ...row, member: other.id })
    .throwOnError()
  // One ballot of each member in turn.
  const mixed = await backend.sql<{ work: { ballots: { id: number }[] } }>(
    'select public.vote_work(2) as work',
  )
  expect(work[0]?.work.ballots).toHaveLength(20)
  const known = work[0]?.work.ballots.map((one) => one.id) ?? []
  expect(mixed[0]?.work.ballots.map((one) => known.includes(one.id))).toEqual([true, false])
})

test('a member votes on the split without JavaScript, and Home says what was decided', async () => {
  const decision = () => everyone.get('/').then(textOf)
  expect(await decision()).toContain("They don't vote on the split of the fees yet.")
  const split = await addSplit(backend, 12)
  const path = `/giveback/${split}/vote`
  expect(textOf(await everyone.get(path))).toContain('The vote has not opened yet.')
  for (const part of ['vote', 'votes', 'votes.ndjson'])
    expect((await everyone.get(`/giveback/split-9/${part}`)).status).toBe(404)
  const vote = await openTestVote(backend, split)
  expect(await decision()).toContain('They vote on the split of the fees now. Every ballot')
  const { id, browser } = await joinSite()
  const wallet = newWallet()
  const typed = (parts: number[], address: string = wallet.address) =>
    new URLSearchParams([
      ...['education', 'humanitarian-relief', 'animal-welfare', 'donation-wallet', 'goals', 'reserve'].map(
        (name, at) => [name, `${parts[at]}`] as [string, string],
      ),
      ['address', address],
    ])
  const wrong: [number[], string, string][] = [
    [[40, 20, 10, 10, 10, 9], wallet.address, 'Enter whole percentages that add up to 100.'],
    [[10, 20, 20, 20, 20, 10], wallet.address, 'A percentage is beyond its limits.'],
    [[40, 20, 10, 10, 10, 10], '0x12', 'This is not the address of a wallet.'],
  ]
  for (const [parts, address, sentence] of wrong) {
    const { html } = await browser.get(`${path}?${typed(parts, address)}`)
    expect(parse(html).querySelector('main')?.text).toContain(sentence)
    expect(parse(html).querySelector('[name=reserve]')?.getAttribute('value')).toBe(`${parts[5]}`)
    expect(parse(html).querySelector('textarea')).toBeNull()
  }
  const shown = await browser.get(`${path}?${typed([40, 20, 10, 10, 10, 10])}`)
  const text = parse(shown.html).querySelector('textarea')?.text.replace(/^\n/, '') ?? ''
  expect(text).toMatch(
    new RegExp(
      `^Ballot of token holders\n\nSplit: 40 20 10 10 10 10\nWallet: ${wallet.address}\nTime: .*\nVote: ${vote.leaf}\n`,
    ),
  )
  const fields = { member: id, choice: '40 20 10 10 10 10', address: wallet.address }
  const send = async (sent: string) =>
    browser.post(path, {
      ...{ ...fields, text: sent.replaceAll('\n', '\r\n') },
      signature: await wallet.signMessage({ message: sent }),
    })
  const beyond = await send(text.replace('40 20', '0 60'))
  expect([beyond.status, textOf(beyond)]).toEqual([
    400,
    expect.stringContaining("This isn't the ballot we asked for."),
  ])
  expect((await send(text)).location).toBe(path)
  expect(textOf(await browser.get(path))).toContain(
    'Education 40%, Humanitarian Relief 20%, Animal Welfare 10%',
  )
  await count({ [wallet.address.toLowerCase()]: 30 })
  const other = newWallet()
  const { message: _, ...row } = await signBallot(other, vote, '20 0 30 0 10 40')
  const { client, id: second } = await joinSite()
  await client
    .from('fundme_ballots')
    .insert({ ...row, member: second })
    .throwOnError()
  await count({ [other.address.toLowerCase()]: 30 })
  expect(textOf(await everyone.get(`/giveback/${split}/votes`))).toMatch(
    /Token holders vote until .* Education 30% 20% – 60% .*60 tokens of 2 wallets voted: 300% of the quorum of 20 tokens/,
  )

  await finish(vote.id)
  const votes = await everyone.get(`/giveback/${split}/votes`)
  expect(textOf(votes)).toMatch(/use this split from the next month on.*Reserve 25%/)
  expect(await decision()).toMatch(
    /They decided how the tax is shared, from \w{3} \d{4} on\. No rule shares a part of it now\. What the community decided/,
  )
  expect((await everyone.get('/')).html).toContain('href="/decisions"')
  await site.runSchedule()
  const folder = temporaryFolder()
  const verify = async (...options: string[]) => {
    const kept = join(folder.path, 'kept.json')
    const all = ['public/verify-ledger.mjs', site.url, '--remember', kept, ...options]
    return (await promisify(execFile)(process.execPath, all)).stdout
  }
  const counted = `The vote on ${split} counts again: ballots 2, weight ${60n * 10n ** 18n} of 2 wallets`
  expect(await verify('--votes', split)).toContain(counted)
  expect(await verify('--whole')).toContain(counted)
  folder.remove()
})

test('a ballot is handed in by curl alone', async () => {
  const goal = await addGoal(backend)
  const path = `/giveback/${goal.slug}/vote`
  await openTestVote(backend, goal.slug)
  const { id, browser } = await joinSite()
  const wallet = newWallet()
  const cookies = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const curl = async (...options: string[]) =>
    (await promisify(execFile)('curl', ['--silent', '--header', `Cookie: ${cookies}`, ...options])).stdout
  const page = await curl(`${site.url}${path}?choice=support&address=${wallet.address}`)
  const text = /<textarea[^>]*>\s*(Ballot of token holders[^<]*)</.exec(page)?.[1] ?? ''
  const fields = {
    ...{ member: id, choice: 'support', address: wallet.address, text },
    signature: await wallet.signMessage({ message: text }),
  }
  const sent = Object.entries(fields).flatMap(([name, value]) => ['--data-urlencode', `${name}=${value}`])
  const form = ['--header', `Origin: ${site.url}`, ...sent, `${site.url}${path}`]
  expect(await curl('--output', '/dev/null', '--write-out', '%{http_code} %{redirect_url}', ...form)).toBe(
    `303 ${site.url}${path}`,
  )
  expect(
    await backend.sql('select wallet, choice from public.fundme_ballots where member = $1', [id]),
  ).toEqual([{ wallet: wallet.address.toLowerCase(), choice: 'support' }])
})

test('an operator enters the limits of a split in labelled fields, which keep what was typed', async () => {
  const { client } = await addOperator(backend, 'limiter')
  const { data } = await client.auth.getSession()
  const operator = new Visitor(site.url).carry(sessionCookie, data.session ?? {})
  const path = '/operator/new/split-vote'
  const form = parse((await operator.get(path)).html).querySelector('main form')
  const labels = (form?.querySelectorAll('fieldset') ?? []).map((group) =>
    group.querySelectorAll('label').map((label) => {
      expect(group.querySelectorAll(`input[id="${label.getAttribute('for')}"]`)).toHaveLength(1)
      return label.text
    }),
  )
  const parts = ['Education', 'Humanitarian Relief', 'Animal Welfare', 'CZ Call', 'FundMe winners', 'Reserve']
  expect(labels).toEqual([parts, parts])
  const post = (least: string[], most: string[]) =>
    operator.send(path, {
      method: 'POST',
      body: new URLSearchParams([
        ...[
          ['act', crypto.randomUUID()],
          ['days', '7'],
        ],
        ...splitNames.map((name, at) => [shareInput('least', name), least[at] ?? '']),
        ...splitNames.map((name, at) => [shareInput('most', name), most[at] ?? '']),
      ]),
      headers: { Accept: 'text/html', Origin: site.url, 'Sec-Fetch-Site': 'same-origin' },
    })
  const most = ['60', '50', '40', '30', '30', '30']
  const refused = await post(['60', '50', ' 5', '', '', ''], most)
  expect(textOf(refused)).toContain('The least percentages may add up to at most 100.')
  const typed = parse(refused.html).querySelectorAll('main input[name^=least_]')
  expect(typed.map((input) => input.getAttribute('value'))).toEqual(['60', '50', '5', '0', '0', '0'])
  const saved = await post(['20', '10', '5', '', '', '10'], most)
  expect(saved.location).toMatch(/^\/operator\/acts\//)
  const [act] = await backend.sql(
    `select arguments from public.operator_acts where kind = 'split-vote' order by saved_at desc`,
  )
  expect(act).toEqual({ arguments: { days: '7', least: '20 10 5 0 0 10', most: most.join(' ') } })
})
