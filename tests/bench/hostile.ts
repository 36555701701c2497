/**
 * Measures /about while another party sends texts that make a parser with quadratic time slow: a member's form
 * of 250 kB, and a feed of 900 kB that the schedule reads. One of them arrives each second.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { startFeedServer } from '../support/feed-server.ts'
import { startSiteWithBackend } from '../support/site.ts'
import { signUp } from '../support/temporary-backend.ts'
import { sessionCookie, Visitor } from '../support/visitor.ts'
import type { Bench } from './bench.ts'
import { format, median, ratios } from './statistics.ts'

/** Texts that a pattern or a parser with two neighbours for one character reads slowly. */
const pieces = [
  ' ',
  '\u2028',
  ' \u2028',
  '1',
  '$ ',
  ',',
  '0x',
  '<',
  '<a "',
  '<b ">" ',
  '(aaa',
  '1:00 Z(',
  '&',
  '\ufdfa',
]

/** The times of requests for /about, one each 20 ms, in milliseconds. */
async function visit(url: string, seconds: number): Promise<number[]> {
  const times: number[] = []
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(20)) {
    const startedAt = performance.now()
    const response = await fetch(`${url}/about`)
    await response.text()
    if (response.status !== 200) throw new Error(`/about: ${response.status}`)
    times.push(performance.now() - startedAt)
  }
  return times
}

/** Compares the times of /about in turn, while `send` is called each second and while it is not. */
async function compare(
  { quick, report }: Bench<'hostile'>,
  name: 'forms' | 'feeds',
  url: string,
  send: (piece: string) => Promise<unknown>,
): Promise<void> {
  const turns = quick ? 2 : 6
  const seconds = quick ? 5 : 10
  const usual: number[] = []
  const attacked: number[] = []
  const all: number[] = []
  let sent = 0
  await visit(url, 2)
  for (let turn = 0; turn < turns; turn++) {
    usual.push(median(await visit(url, seconds)))
    const attack = { isOver: false }
    const attacker = (async () => {
      while (!attack.isOver) await Promise.all([send(pieces[sent++ % pieces.length] ?? ''), sleep(1000)])
    })()
    const times = await visit(url, seconds)
    attack.isOver = true
    await attacker
    attacked.push(median(times))
    all.push(...times)
  }
  all.sort((one, other) => one - other)
  const p99 = all[Math.floor(all.length * 0.99)] ?? 0
  report(name, ratios(attacked, usual), {
    note: `${sent} sent; ${format(median(attacked))} and ${format(median(usual))} ms; meanwhile p99 ${format(p99)} ms, longest ${format(all.at(-1) ?? 0)} ms.`,
  })
}

async function measureForms(bench: Bench<'hostile'>): Promise<void> {
  const site = await bench.open(startSiteWithBackend({ variables: { FUNDME_OPEN: '1', DEMO: '1' } }))
  const { client, id: member } = await signUp(site.backend, 'member@example.org')
  const { data } = await client.auth.getSession()
  const visitor = new Visitor(site.url).carry(sessionCookie, data.session ?? {})
  const { location } = await visitor.get('/dashboard/goals/new')
  const goal = location?.replace('?new', '') ?? ''
  await visitor.post(`${goal}?new`, { member, title: 'Coats' })
  const fields = ['plan', 'story', 'links', 'target', 'title']
  let sent = 0
  await compare(bench, 'forms', site.url, async (piece) => {
    const field = fields[sent++ % fields.length] ?? ''
    const each = new URLSearchParams({ piece }).toString().length - 'piece='.length
    const text = `1${piece.repeat(240_000 / each)}y\u2028y`
    const { status } = await visitor.post(goal, { member, version: '0', title: 'Coats', [field]: text })
    if (status >= 500) throw new Error(`${field}: ${status}`)
  })
}

async function measureFeeds(bench: Bench<'hostile'>): Promise<void> {
  const server = await bench.open(startFeedServer())
  const fields = ['title', 'author', 'pubDate', 'description']
  const variables = { STATEMENT_SOURCES: fields.map((field) => `${server.url}/${field}`).join(' ') }
  const site = await bench.open(startSiteWithBackend({ mail: true, variables }))
  await compare(bench, 'feeds', site.url, async (piece) => {
    const text = `1:00 ${piece.repeat(900_000 / Buffer.byteLength(piece))}`
    for (const field of fields)
      server.answers.set(`/${field}`, (_, response) =>
        response.end(`<rss version="2.0"><channel><item><${field}>${text}</${field}></item></channel></rss>`),
      )
    await site.backend.sql('update private.statement_sources set ask_after = now()')
    await site.runSchedule()
  })
}

export async function measureHostile(bench: Bench<'hostile'>): Promise<void> {
  await measureForms(bench)
  await measureFeeds(bench)
}
