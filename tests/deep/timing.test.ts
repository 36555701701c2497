import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SiteWithBackend, startSiteWithBackend } from '../support/site.ts'
import { Visitor } from '../support/visitor.ts'

const samples = Number(process.env.SAMPLES ?? 200)
/** Sends requests for the member and for strangers at the same time, so that both meet the same load. */
const lanes = 4
const member = 'has-an-account@example.com'
const password = 'a good password'

let site: SiteWithBackend
beforeAll(async () => {
  site = await startSiteWithBackend({
    confirmations: true,
    mail: true,
    variables: { MINIMUM_RESPONSE_MS: '500' },
  })
  await new Visitor(site.url).post('/auth', { intent: 'sign-up', email: member, password, username: 'Ada' })
  await site.backend.sql('update auth.users set email_confirmed_at = now() where email = $1', [member])
  await site.backend.sql(`select private.add_topic($1, 'education', 'en')`, [member])
})
afterAll(() => site.close())

let strangers = 0
const stranger = () => `stranger-${strangers++}@example.com`

async function timeOf(path: string, fields: Record<string, string>): Promise<number> {
  const visitor = new Visitor(site.url)
  const startedAt = performance.now()
  await visitor.post(path, fields)
  return performance.now() - startedAt
}

/** For each page whose response could reveal an account, the form that is sent with an email address. */
const requests: Record<string, (email: string) => [path: string, fields: Record<string, string>]> = {
  'a wrong password': (email) => ['/auth', { intent: 'sign-in', email, password: 'a wrong password' }],
  'a sign-up': (email) => ['/auth', { intent: 'sign-up', email, password, username: 'Ada' }],
  'a recovery': (email) => ['/auth/forgot', { email }],
  'a request to follow': (email) => ['/follow', { email, topic: 'education' }],
  'a sign-in by mail': (email) => ['/auth/code', { intent: 'ask', email }],
}

/** The times for the member and for strangers, in milliseconds, measured alternately. */
async function measure(request: (typeof requests)[string]): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []]
  let next = 0
  const lane = async () => {
    while (next < 2 * samples) {
      const kind = next++ % 2
      times[kind as 0 | 1].push(await timeOf(...request(kind === 0 ? member : stranger())))
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return times
}

/** The two-sided p-value of the Mann-Whitney U test, by its normal approximation. */
function mannWhitney(one: number[], other: number[]): number {
  const ranked = [
    ...one.map((time) => ({ time, first: true })),
    ...other.map((time) => ({ time, first: false })),
  ]
  ranked.sort((a, b) => a.time - b.time)
  const rankSum = ranked.reduce((sum, { first }, at) => sum + (first ? at + 1 : 0), 0)
  const [n, m] = [one.length, other.length]
  const u = rankSum - (n * (n + 1)) / 2
  const z = (u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
  return 2 * (1 - normal(Math.abs(z)))
}

/** The standard normal distribution function (Abramowitz and Stegun 26.2.17, error below 7.5e-8). */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * z)
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
  const series = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  return 1 - density * series.reduce((sum, factor, at) => sum + factor * t ** (at + 1), 0)
}

test('the statistic detects a difference of two milliseconds', () => {
  const noise = (seed: number) => Array.from({ length: 200 }, (_, at) => 500 + ((at * 7919 + seed) % 97) / 10)
  expect(mannWhitney(noise(1), noise(40))).toBeGreaterThan(0.001)
  expect(
    mannWhitney(
      noise(1),
      noise(40).map((time) => time + 2),
    ),
  ).toBeLessThan(0.001)
})

test.each(Object.entries(requests))(
  'the response time of %s does not reveal whether an address has an account',
  async (name, request) => {
    let p = 0
    for (let attempt = 0; attempt < 2 && p <= 0.001; attempt++) {
      const [known, unknown] = await measure(request)
      p = mannWhitney(known, unknown)
      const median = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> 1]?.toFixed(1)
      console.log(`${name}: ${median(known)} ms with an account, ${median(unknown)} ms without, p = ${p}`)
      expect(Math.min(...known, ...unknown)).toBeGreaterThanOrEqual(495)
    }
    expect(p).toBeGreaterThan(0.001)
  },
  900_000,
)
