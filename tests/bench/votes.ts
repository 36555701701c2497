/**
 * Compares a vote that has 50,000 ballots with one that has 100: their pages. Also measures a run that counts 200 ballots,
 * its effect on the ledger, the round trips of a ballot, its script, and a recount.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { chromium } from '@playwright/test'
import { privateKeyToAccount } from 'viem/accounts'
import { encodeText } from '../../app/log/bytes.ts'
import { parseTilePath } from '../../app/log/tile.ts'
import vectors from '../../public/ledger/log-vectors.json' with { type: 'json' }
import { browserOptions } from '../../scripts/browser.ts'
import { type EmbeddedBackend, startEmbedded } from '../../supabase/embedded/embedded.ts'
import { migratedDataDir } from '../support/data-folder.ts'
import { addGoal } from '../support/goals.ts'
import { checkpointOf } from '../support/log-site.ts'
import { LogTree } from '../support/log-tree.ts'
import { signUp, transaction } from '../support/temporary-backend.ts'
import { sessionCookie, sessionCookies } from '../support/visitor.ts'
import { openTestVote, signBallot } from '../support/votes.ts'
import type { Bench } from './bench.ts'
import { startSite } from './site.ts'
import { format, inTurn, median, ratios } from './statistics.ts'

const { voteCounter } = await import(new URL('../../public/verify-ledger.mjs', import.meta.url).href)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Inserts ballots of a vote that are counted, as count_ballots does, without the inbox. */
const insertBallots = `
with made as (
  insert into public.vote_ballots (vote, number, wallet, choice, signed_at, signature, weight)
  select $1, place, '0x' || lpad(to_hex(place), 40, '0'), case when place % 3 = 0 then 'against' else 'support' end,
    date_trunc('second', now()), '0x' || repeat('1', 128) || '1b', 1000000000000000 + place
  from generate_series(1, $2::int) as place
  returning id, wallet, choice, signed_at, weight
), standings as (
  insert into private.vote_standings (vote, wallet, ballot, choice, signed_at, digest, weight)
  select $1, wallet, id, choice, signed_at, wallet, weight from made
)
update private.vote_sums as sums set ballots = $2::int, support = of.support, support_wallets = of.supporting,
  against = of.against, against_wallets = of.opposing
from (
  select sum(weight) filter (where choice = 'support') as support, count(*) filter (where choice = 'support') as supporting,
    sum(weight) filter (where choice = 'against') as against, count(*) filter (where choice = 'against') as opposing from made
) as of
where sums.vote = $1`

async function startPlace({ open }: Bench<'votes'>, ballots: number) {
  const folder = await migratedDataDir()
  await open({ close: folder.remove })
  const address = { port: 0, mailPort: 0, siteUrl: 'http://127.0.0.1:8787' }
  const backend = await open(startEmbedded({ dataDir: folder.path, ...address, log: () => {} }))
  const { slug } = await addGoal(backend)
  const vote = await openTestVote(backend, slug)
  await backend.sql(insertBallots, [vote.id, ballots])
  await backend.sql('analyze')
  const slow = await open(startSlowProxy(backend.url))
  const variables = {
    SUPABASE_PUBLISHABLE_KEY: backend.publishableKey,
    SUPABASE_SECRET_KEY: backend.secretKey,
    SUPABASE_JWT_ISSUER: `${backend.url}/auth/v1`,
    PAGE_CACHE: 'off',
    FUNDME_OPEN: '1',
    READ_TIMEOUT_MS: '20000',
    CHAIN_RPC_URLS: 'https://rpc.example/one https://rpc.example/two',
    CHAIN_START_BLOCK: '1',
    CHAIN_TOKENS: `USDT:0x${'5'.repeat(40)}:18:usd`,
    TOKEN_ADDRESS: `0x${'c'.repeat(40)}`,
    TREASURY_WALLET: `0x${'6'.repeat(40)}`,
  }
  return { backend, slow, slug, vote, site: await open(startSite({ url: slow.url }, { variables })) }
}

/** A proxy that keeps each request for `delay` milliseconds. */
async function startSlowProxy(target: string) {
  const state = { delay: 0 }
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming
    const forward = () =>
      incoming.pipe(
        request(new URL(url ?? '/', target), { method, headers }, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(outgoing)
        }).on('error', () => outgoing.destroy()),
      )
    setTimeout(forward, state.delay)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(state, { url: `http://127.0.0.1:${port}`, close: () => server.close() })
}

type Place = Awaited<ReturnType<typeof startPlace>>

/** Returns the milliseconds from the request for a page until the last byte, for four pages. */
async function time({ site, slug }: Place, path: string): Promise<number> {
  const startedAt = performance.now()
  for (let i = 0; i < 4; i++) {
    const response = await fetch(`${site.url}/giveback/${slug}${path}`)
    const { length } = await response.text()
    if (response.status !== 200 || length < 100) throw new Error(`${path}: ${response.status}`)
  }
  return performance.now() - startedAt
}

/** Inserts waiting ballots of new members and returns what a run sends to count them. */
async function wait({ sql }: EmbeddedBackend, vote: number, many: number, from: number): Promise<string> {
  const rows = await sql<{ id: number }>(
    `with members as (
       insert into auth.users (id, aud, role, email)
       select gen_random_uuid(), 'authenticated', 'authenticated', 'bench-' || $2::int + at || '@example.org'
       from generate_series(1, $3::int) as at returning id, email
     )
     insert into public.fundme_ballots (member, vote, wallet, choice, signed_at, signature)
     select id, $1, '0x' || right(md5(email) || md5(email), 40), 'support', date_trunc('second', now()) + interval '1 second',
       '0x' || repeat('1', 128) || '1b' from members
     returning id`,
    [vote, from, many],
  )
  return JSON.stringify(rows.map(({ id }) => ({ id, weight: `${10n ** 18n}`, digest: sha256(`${id}`) })))
}

/** The rows for each second that the ledger takes. `meanwhile` runs at the same time. */
async function appendFor(
  { sql }: EmbeddedBackend,
  ms: number,
  meanwhile: () => Promise<unknown>,
): Promise<number> {
  const startedAt = performance.now()
  const other = meanwhile()
  let rows = 0
  while (performance.now() - startedAt < ms) {
    const entries = Array.from({ length: 20 }, () => transaction())
    await sql('select public.append_ledger($1)', [JSON.stringify(entries)])
    rows += entries.length
  }
  await other
  return (rows * 1000) / (performance.now() - startedAt)
}

export async function measureVotes(bench: Bench<'votes'>): Promise<void> {
  const many = await startPlace(bench, 50_000)
  const few = await startPlace(bench, 100)
  const compare = async (name: 'goal' | 'votes' | 'deep', path: string, other = path) => {
    const { ones, others } = await inTurn(
      bench.quick ? 5 : 15,
      () => time(many, path),
      () => time(few, other),
    )
    bench.report(name, ratios(ones, others), {
      note: `${format(median(ones) / 4)} ms and ${format(median(others) / 4)} ms.`,
    })
  }
  await compare('goal', '')
  await compare('votes', '/votes')
  await compare('deep', '/votes?after=25000', '/votes?after=51')

  let members = 0
  const runs: number[] = []
  const count = async () => {
    members += 200
    const results = await wait(many.backend, many.vote.id, 200, members)
    const startedAt = performance.now()
    await many.backend.sql('select public.count_ballots($1)', [results])
    runs.push(performance.now() - startedAt)
  }
  for (let turn = 0; turn < 5; turn++) await count()
  bench.report('run', runs, {
    note: 'Two calls of the database for a run, and two of the chain (one for each endpoint) for each ballot.',
  })
  // The schedule counts once in a minute; here it counts once in ten seconds. Without rows and statistics of the tables,
  // each append would take longer than the one before.
  await appendFor(many.backend, 2_000, async () => null)
  await many.backend.sql('analyze')
  const turns: { ones: number[]; others: number[] } = { ones: [], others: [] }
  for (let turn = 0; turn < (bench.quick ? 2 : 3); turn++) {
    turns.others.push(await appendFor(many.backend, 10_000, async () => null))
    turns.ones.push(await appendFor(many.backend, 10_000, count))
  }
  bench.report('appends', ratios(turns.ones, turns.others), {
    note: `${format(median(turns.ones))} and ${format(median(turns.others))} rows for each second.`,
  })

  const { id, client } = await signUp(few.backend, 'voter@example.org')
  const { data } = await client.auth.getSession()
  const cookies = sessionCookies(sessionCookie, data.session ?? {}).map(
    ({ name, value }) => `${name}=${value}`,
  )
  const handIn = async () => {
    const wallet = privateKeyToAccount(`0x${sha256(`wallet ${members++}`)}`)
    const { message, signature, wallet: of } = await signBallot(wallet, few.vote, 'support')
    const startedAt = performance.now()
    const { status } = await fetch(`${few.site.url}/giveback/${few.slug}/vote`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: few.site.url, Cookie: cookies.join('; ') },
      body: new URLSearchParams({ member: id, choice: 'support', address: of, text: message, signature }),
    })
    if (status !== 303) throw new Error(`The ballot was answered by ${status}`)
    return performance.now() - startedAt
  }
  await handIn()
  const fast = [await handIn(), await handIn(), await handIn()]
  few.slow.delay = 400
  const delayed = [await handIn(), await handIn(), await handIn()]
  few.slow.delay = 0
  bench.report(
    'trips',
    delayed.map((ms, at) => Math.round(((ms - (fast[at] ?? 0)) / 400) * 10) / 10),
  )

  reportScript(bench, 'script', /^sign-.*\.js$/)
  reportScript(bench, 'module', /^recount-[^-]*\.js$/)
  const made = bench.quick ? 1_000 : 50_000
  const lines = await ballotLines(few, made)
  const counter = voteCounter()
  const startedAt = performance.now()
  for (const [index, line] of lines.entries()) counter.check(JSON.parse(line), Buffer.from(line), index)
  bench.report('recount', (performance.now() - startedAt) / 1000, { note: `${made} ballots.` })
  bench.report('browser', await timeBrowser(bench, few, lines.slice(0, 1_003)))
}

/** Reports the bytes of a script and of what it imports. */
function reportScript({ report }: Bench<'votes'>, name: 'script' | 'module', file: RegExp): void {
  const folder = 'build/client/assets'
  const imported = new Set(readdirSync(folder).filter((one) => file.test(one)))
  for (const one of imported)
    for (const [, next] of readFileSync(`${folder}/${one}`, 'utf8').matchAll(/from\s*"\.\/([^"]+)"/g))
      if (next) imported.add(next)
  const bytes = [...imported].map((one) => gzipSync(readFileSync(`${folder}/${one}`)).length)
  report(name, bytes.reduce((sum, length) => sum + length, 0) / 1000, { note: [...imported].join(' ') })
}

/** The seconds from the press of the button until the result, for a log with these entries. */
async function timeBrowser(
  { open }: Bench<'votes'>,
  { site, slug }: Place,
  lines: string[],
): Promise<number> {
  const tree = new LogTree(lines.map(encodeText))
  const browser = await open(chromium.launch(browserOptions()))
  const page = await browser.newPage()
  const answer = (path: string, content: string) =>
    page.route(`**/${path}`, (route) => route.fulfill({ body: content }))
  await answer('log/checkpoint', await checkpointOf(tree, vectors.private_key, vectors.origin))
  await answer('log/vkey', vectors.vkey)
  await answer('votes.ndjson', lines.map((entry, index) => `{"index":${index},"entry":${entry}}\n`).join(''))
  await page.route('**/log/tile/**', (route) => {
    const tile = parseTilePath(new URL(route.request().url()).pathname.replace('/transparency/log/', ''))
    const bytes = tile && tile.level !== 'entries' && tree.tile(tile.level, tile.index, tile.width)
    return route.fulfill(bytes ? { body: Buffer.from(bytes) } : { status: 404 })
  })
  await page.route('**/assets/**', (route) =>
    route.fulfill({ path: `build/client${new URL(route.request().url()).pathname}` }),
  )
  await page.goto(`${site.url}/giveback/${slug}/votes`)
  const startedAt = performance.now()
  await page.getByRole('button', { name: 'Count again in this browser' }).click()
  await page.getByText(/^All good\. We counted 1,000 ballots again/).waitFor()
  return (performance.now() - startedAt) / 1000
}

/** The entries of a vote with this many ballots of different wallets. */
async function ballotLines({ backend, vote, slug }: Place, many: number): Promise<string[]> {
  const entries = await backend.sql<{ entry: string }>(
    `select entry from private.log_entries where kind in ('goal', 'draw', 'vote') order by index`,
  )
  const lines = entries.map(({ entry }) => entry)
  const recorded_at = `${new Date().toISOString().slice(0, -1)}000Z`
  for (let number = 1; number <= many; number++) {
    const wallet = privateKeyToAccount(`0x${sha256(`recount ${number}`)}`)
    const { choice, signed_at: time, signature, wallet: of } = await signBallot(wallet, vote, 'support')
    const weight = `${10n ** 16n}`
    lines.push(
      JSON.stringify({
        kind: 'ballot',
        id: number,
        recorded_at,
        goal: slug,
        number,
        wallet: of,
        choice,
        time,
        signature,
        weight,
      }),
    )
  }
  return lines
}
