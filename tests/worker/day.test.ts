import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { impatient, type Site, startSite } from '../support/site.ts'
import { type StrictAuth, startStrictAuth } from '../support/strict-auth.ts'
import { isSignedIn, type Page, sessionCookie, Visitor } from '../support/visitor.ts'

const deep = process.env.DEEP === '1'
/** The simulated time in seconds: a day with DEEP, otherwise a quarter of a day. */
const day = (deep ? 24 : 6) * 60 * 60
/**
 * The number of simulated seconds in a real second: 24 hours take a minute. The second attempt runs at a
 * quarter of this speed, because on a busy machine the calls of two tabs can be further apart than the ten
 * seconds in which the service accepts a used refresh token.
 */
const fastest = 1_440
let rate = fastest
const seed = Number(process.env.SEED ?? 20251121)
const enough = { refreshes: 120, polls: 1_000, dashboards: 300, saves: 100 }
if (!deep) for (const key of Object.keys(enough) as (keyof typeof enough)[]) enough[key] /= 4

let backend: StrictAuth
let site: Site
/** The number of responses for each request and status, and the responses that show a lost session. */
let seen: Record<string, number> = {}
let lost: string[] = []
// A second attempt begins with a new backend, whose calls fail again, and with empty response counts.
beforeEach(async ({ task }) => {
  rate = fastest / 4 ** (task.result?.retryCount ?? 0)
  seen = {}
  lost = []
  const clock = { rate, start: Date.now() }
  // Tokens last ten minutes instead of an hour, so six times as many refreshes can fail.
  backend = await startStrictAuth({ ...clock, lifetime: 600, faultRate: 0.1, seed })
  site = await startSite(backend, {
    ...impatient,
    CLOCK_RATE: String(rate),
    CLOCK_START: String(clock.start),
  })
})
afterEach(async () => {
  await site.close()
  await backend.close()
})

function note(what: string, page: Page): void {
  const key = `${what} ${page.status}`
  seen[key] = (seen[key] ?? 0) + 1
  const ended = page.cookies[sessionCookie] === null && !page.cookies[`${sessionCookie}.0`]
  if (ended) lost.push(`${key} expired the session's cookie`)
  if (page.location?.startsWith('/auth')) lost.push(`${key} led to ${page.location}`)
  if (page.status !== 303 && page.status >= 300 && page.status !== 503) lost.push(`${key}`)
}

test(`a member stays signed in for ${day / 3600} hours with four tabs while one call in ten fails`, async () => {
  const member = backend.addMember('worker@example.com')
  const visitor = new Visitor(site.url)
  for (let attempt = 0; !visitor.jar.has(sessionCookie) && attempt < 9; attempt++)
    await visitor.post('/auth', { intent: 'sign-in', email: member.email, password: member.password })
  const { fingerprint } = await readFingerprint(visitor)
  expect(fingerprint).toMatch(/^[\w-]{12,}$/)

  const { counts } = backend
  const began = backend.now()
  /**
   * Returns whether the simulated day continues. A slow machine sends fewer requests, and few refreshes fail,
   * so the day lasts until there have been enough requests of each kind, and a poll has failed. A lost
   * session ends the day.
   */
  const isDay = () =>
    lost.length === 0 &&
    (backend.now() - began < day ||
      counts.refreshes <= enough.refreshes ||
      (seen['poll 200'] ?? 0) <= enough.polls ||
      !seen['poll 503'] ||
      (seen['dashboard 200'] ?? 0) <= enough.dashboards ||
      (seen['save 303'] ?? 0) <= enough.saves)
  let saved = ''

  /** Polls every 30 seconds, and sooner after a failure, as app/platform/enhance/session.ts does. */
  async function poll() {
    for (let next = backend.now(); isDay(); next = Math.max(next + 30, backend.now())) {
      await sleep(Math.max(0, ((next - backend.now()) / rate) * 1000))
      for (let attempt = 0; attempt < 7; attempt++) {
        const page = await visitor.get('/auth/session')
        note('poll', page)
        if (page.status === 200) {
          if (JSON.parse(page.html).fingerprint !== fingerprint)
            lost.push(`the fingerprint became ${page.html}`)
          break
        }
        await sleep((200 * 2 ** attempt) / rate)
      }
    }
  }

  /** Repeats `work` after each interval of this many minutes. Each tab starts at a different time. */
  async function every(minutes: number, tab: number, work: (turn: number) => Promise<void>) {
    for (let turn = 0; isDay(); turn++) {
      const next = began + (turn + (tab + 1) / 5) * minutes * 60
      await sleep(Math.max(0, ((next - backend.now()) / rate) * 1000))
      await work(turn)
    }
  }

  async function save(turn: number, tab: number) {
    const username = `Turn ${turn} of tab ${tab}`
    const fields = { intent: 'update-profile', member: member.id, username, walletAddress: '' }
    const page = await visitor.post('/dashboard?edit=profile', fields)
    note('save', page)
    if (page.status === 303) saved = username
  }

  await Promise.all(
    [0, 1, 2, 3].flatMap((tab) => [
      poll(),
      every(10, tab, async () => {
        const page = await visitor.get('/dashboard')
        note('dashboard', page)
        if (page.status === 200 && !page.html.includes(member.email))
          lost.push('a dashboard without its member')
      }),
      every(12, tab, async () => note('data', await visitor.get('/dashboard.data', { Accept: '*/*' }))),
      every(20, tab, async () => {
        const page = await visitor.get('/about')
        note('about', page)
        if (!isSignedIn(page)) lost.push('a bar without its member')
      }),
      every(30, tab, (turn) => save(turn, tab)),
    ]),
  )
  console.log(`seed ${seed}`, seen, counts)
  backend.calm()

  expect(lost).toEqual([])
  expect(counts).toMatchObject({ spentTwice: 0, refused: 0 })
  // The run must have enough refreshes, failures and requests of every kind.
  expect(counts.refreshes).toBeGreaterThan(enough.refreshes)
  expect(counts.faults / counts.calls).toBeGreaterThan(0.06)
  expect(seen['poll 503']).toBeGreaterThan(0)
  expect(seen['poll 200']).toBeGreaterThan(enough.polls)
  expect(seen['dashboard 200']).toBeGreaterThan(enough.dashboards)
  expect(seen['save 303']).toBeGreaterThan(enough.saves)
  // The worker verifies tokens with the key set, and sometimes asks for the member's factors.
  expect(counts.byKind.user).toBeLessThan((seen['dashboard 200'] ?? 0) / 2)
  expect(counts.byKind.jwks).toBeGreaterThan(0)

  const evening = await visitor.get('/dashboard')
  expect(evening.status).toBe(200)
  expect(evening.html).toContain(member.email)
  expect(saved).not.toBe('')
  expect((await readFingerprint(visitor)).fingerprint).toBe(fingerprint)
}, 400_000)

async function readFingerprint(visitor: Visitor): Promise<{ fingerprint: string }> {
  return JSON.parse((await visitor.get('/auth/session')).html)
}
