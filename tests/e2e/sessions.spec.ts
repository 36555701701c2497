import type { APIRequestContext, APIResponse, BrowserContext, Page } from '@playwright/test'
import { type Authenticator, memberWithFactor } from './authenticator.ts'
import { expect, type Member, newMember, startSiteOnProxy, test } from './fixtures.ts'
import { nextMail } from './mailbox.ts'
import type { Sites } from './sites.ts'

/**
 * What a page shows. `in` and `out`: the button in the bar. `form`: the sign-in page. `member`: the
 * dashboard. `away`: the page that says that the auth service is unreachable and the visitor is still signed
 * in.
 */
type Shown = 'in' | 'out' | 'form' | 'member' | 'away'

/** The pages, in the order of the columns of each `Row`. */
const paths = ['/', '/transparency', '/auth', '/dashboard'] as const
type Row = readonly [Shown, Shown, Shown, Shown]

interface Case {
  event: string
  /** Brings the visitor into a state before the pages are opened. */
  before?: (visitor: Visitor) => Promise<void>
  /** What the pages show when they are opened, if this is certain. */
  opened?: Row
  /** Causes the event, in another tab. */
  happens: (visitor: Visitor) => Promise<void>
  healthy: Row
  /** What pages show during an outage: those that a script updates, and those reloaded without it. */
  away: { script: Row; none: Row }
  /** Whether a session exists at the end. */
  session: boolean
}

const out: Row = ['out', 'out', 'form', 'form']
const member: Row = ['in', 'in', 'member', 'member']
/** The worker could not verify this session yet: only the embedded backend can verify its tokens (HS256). */
const unknown: Row = ['in', 'in', 'form', 'form']
/** The service confirmed this session before the service became unavailable. */
const confirmed: Row = ['in', 'in', 'away', 'away']
/** This session began while the service was unavailable or just before. */
const unconfirmed: Row = ['in', 'in', 'away', 'away']
/** What the pages show if the worker can verify tokens by the service's key set. */
const byKeySet = new Map([
  [unknown, unconfirmed],
  [confirmed, member],
])

/** Whether the service signs with asymmetric keys, which a member's request makes the worker read. */
async function readKeySet(
  { backendUrl, publishableKey }: Sites,
  site: string,
  request: APIRequestContext,
): Promise<boolean> {
  const url = `${backendUrl}/auth/v1/.well-known/jwks.json`
  const { keys } = (await (await fetch(url, { headers: { apikey: publishableKey } })).json()) as {
    keys: object[]
  }
  if (keys.length === 0) return false
  const form = { intent: 'sign-up', ...newMember() }
  await request.post(`${site}/auth?mode=sign-up`, { form, headers: { Origin: site }, maxRedirects: 0 })
  expect((await request.get(`${site}/dashboard`)).status()).toBe(200)
  return true
}

const matrix: Case[] = [
  {
    event: 'INITIAL_SESSION, of a visitor',
    happens: async () => {},
    healthy: out,
    away: { script: out, none: out },
    session: false,
  },
  {
    event: 'INITIAL_SESSION, of a member',
    before: (visitor) => visitor.signUp(),
    opened: member,
    happens: async () => {},
    healthy: member,
    away: { script: member, none: confirmed },
    session: true,
  },
  {
    event: 'SIGNED_IN',
    happens: (visitor) => visitor.signUp(),
    healthy: member,
    away: { script: unknown, none: unknown },
    session: true,
  },
  {
    event: 'SIGNED_OUT',
    before: (visitor) => visitor.signUp(),
    opened: member,
    happens: (visitor) => visitor.post('/auth/sign-out'),
    healthy: out,
    away: { script: out, none: out },
    session: false,
  },
  {
    event: 'TOKEN_REFRESHED',
    // A worker whose clock is almost an hour ahead treats every token as about to expire.
    before: async (visitor) => {
      await visitor.moveAhead()
      await visitor.signUp()
    },
    opened: member,
    happens: (visitor) => visitor.refresh(),
    healthy: member,
    away: { script: member, none: confirmed },
    session: true,
  },
  {
    event: 'USER_UPDATED',
    before: (visitor) => visitor.signUp(),
    opened: member,
    happens: (visitor) => visitor.changeEmail(),
    healthy: member,
    away: { script: unconfirmed, none: unconfirmed },
    session: true,
  },
  {
    event: 'PASSWORD_RECOVERY',
    before: (visitor) => visitor.forget(),
    happens: (visitor) => visitor.recover(),
    healthy: member,
    away: { script: unknown, none: unknown },
    session: true,
  },
  {
    event: 'MFA_CHALLENGE_VERIFIED',
    before: (visitor) => visitor.signInWithFactor(),
    happens: (visitor) => visitor.showFactor(),
    healthy: member,
    away: { script: confirmed, none: confirmed },
    session: true,
  },
]

/** After each of these events an outage shows what it shows after another: only in test:deep. */
const repeated = ['SIGNED_OUT', 'TOKEN_REFRESHED', 'PASSWORD_RECOVERY']

/**
 * Without JavaScript a page shows the session that the cookies contain when it is reloaded, so only test:deep
 * tries every event. `npm test` tries the two outcomes of an outage; the tests of sign-in, accounts, emails and factors
 * cause the other events without JavaScript, and tests/worker/refresh.test.ts refreshes tokens.
 */
const duringOutage = ['INITIAL_SESSION, of a member', 'SIGNED_IN']

for (const { event, before, opened, happens, healthy, away, session } of matrix)
  for (const backend of process.env.DEEP === '1' || !repeated.includes(event)
    ? (['healthy', 'away'] as const)
    : (['healthy'] as const))
    test(`every tab shows the session after ${event} while the backend is ${backend}`, {
      tag: backend === 'away' && duringOutage.includes(event) ? [] : '@repeated-without-script',
    }, async ({ context, sites, faulty, javaScriptEnabled, request }) => {
      const hasKeySet = await readKeySet(sites, faulty.url, request)
      const visitor = new Visitor(context, sites, faulty)
      await before?.(visitor)
      const tabs = await Promise.all(paths.map((path, column) => visitor.open(path, opened?.[column])))
      await happens(visitor)
      if (backend === 'away') faulty.proxy.fault = '503'
      // With JavaScript a page changes when it becomes visible, without when it is reloaded.
      await Promise.all(
        tabs.map((tab) =>
          javaScriptEnabled
            ? tab
                .evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
                .catch(unlessItNavigates)
            : tab.reload(),
        ),
      )
      const unavailable = away[javaScriptEnabled ? 'script' : 'none']
      const shown = (hasKeySet && byKeySet.get(unavailable)) || unavailable
      const expected = backend === 'healthy' ? healthy : shown
      await Promise.all(tabs.map((tab, column) => visitor.expectShown(tab, expected[column] as Shown)))

      // After the recovery the session is unchanged. Each of the first reads after an outage has only 750 ms,
      // which may be too short on a busy machine, so the page is loaded again.
      faulty.proxy.fault = 'none'
      const [tab] = tabs as [Page]
      await expect(async () => {
        await tab.goto(`${visitor.site}/dashboard`)
        await visitor.expectShown(tab, session ? 'member' : 'form', 5_000)
      }).toPass()
      await visitor.close()
    })

/** A page that has already noticed the change is reloading, and receives no event. */
function unlessItNavigates(error: Error): void {
  if (!error.message.includes('Execution context was destroyed')) throw error
}

test.afterEach(({ faulty }) => {
  faulty.proxy.fault = 'none'
})

/** The browser of one visitor. Some methods send requests without a page, as another tab would. */
class Visitor {
  readonly #context: BrowserContext
  readonly #sites: Sites
  readonly #proxy: { url: string }
  #member: Member = newMember()
  #factor: { app: Authenticator; factorId: string } | undefined
  #own: { close(): Promise<void> } | undefined
  site: string

  constructor(context: BrowserContext, sites: Sites, faulty: { url: string; proxy: { url: string } }) {
    this.#context = context
    this.#sites = sites
    this.#proxy = faulty.proxy
    this.site = faulty.url
  }

  async post(path: string, form: Record<string, string> = {}): Promise<void> {
    const answer = await this.#send(path, form)
    expect(answer.status(), `POST ${path}`).toBe(303)
  }

  #send(path: string, form: Record<string, string>): Promise<APIResponse> {
    return this.#context.request.post(this.site + path, {
      form,
      headers: { Origin: this.site },
      maxRedirects: 0,
    })
  }

  /** Opens a page, again if it does not show `shown`: after a slow read a member sees the form. */
  async open(path: string, shown?: Shown): Promise<Page> {
    const page = await this.#context.newPage()
    await expect(async () => {
      await page.goto(this.site + path)
      if (shown) await this.expectShown(page, shown, 2_000)
    }).toPass()
    return page
  }

  async expectShown(page: Page, shown: Shown, timeout = 20_000): Promise<void> {
    const expectSoon = expect.configure({ timeout })
    const bar = page.getByRole('navigation', { name: 'Main' })
    const main = page.getByRole('main')
    switch (shown) {
      case 'out':
        return expectSoon(bar.getByRole('link', { name: 'Sign In' })).toBeVisible()
      case 'in':
        return expectSoon(bar.getByRole('link', { name: 'Dashboard' })).toBeVisible()
      case 'form':
        await expectSoon(page).toHaveURL(/\/auth(\?|$)/)
        return expectSoon(main.getByLabel('Password')).toBeVisible()
      case 'member':
        await expectSoon(page).toHaveURL(/\/dashboard$/)
        return expectSoon(main).toContainText(this.#member.email)
      case 'away':
        return expectSoon(
          main.getByRole('heading', { name: "Sign-in isn't working right now" }),
        ).toBeVisible()
    }
  }

  signUp(): Promise<void> {
    return this.post('/auth?mode=sign-up', { intent: 'sign-up', ...this.#member })
  }

  async moveAhead(): Promise<void> {
    const ahead = 3_540_000
    const clock = { CLOCK_RATE: String(1 + ahead / Date.now()), CLOCK_START: '0' }
    const site = await startSiteOnProxy(this.#sites, this.#proxy, clock)
    this.#own = site
    this.site = site.url
  }

  /** Sends a poll, which uses the refresh token. */
  async refresh(): Promise<void> {
    const read = async () => (await this.#context.cookies()).map(({ name, value }) => name + value).join()
    const cookies = await read()
    expect((await this.#context.request.get(`${this.site}/auth/session`)).status()).toBe(200)
    expect(await read()).not.toBe(cookies)
  }

  async changeEmail(): Promise<void> {
    const { email } = newMember()
    const account = await (await this.#context.request.get(`${this.site}/dashboard/account`)).text()
    const member = /name="member" value="([^"]+)"/.exec(account)?.[1] ?? ''
    await this.post('/dashboard/account', { intent: 'change-email', member, email })
    await this.#followMail(this.#member.email)
    this.#member = { ...this.#member, email }
  }

  async forget(): Promise<void> {
    await this.signUp()
    await this.post('/auth/sign-out')
    await this.post('/auth/forgot', { email: this.#member.email })
  }

  recover(): Promise<void> {
    return this.#followMail(this.#member.email)
  }

  async #followMail(address: string): Promise<void> {
    const { link } = await nextMail(this.#sites.emptyMail, address)
    await this.post('/auth/confirm', Object.fromEntries(new URL(link).searchParams))
  }

  async signInWithFactor(): Promise<void> {
    const { member, app, factorId } = await memberWithFactor(this.#sites)
    this.#member = member
    this.#factor = { app, factorId }
    await this.post('/auth', { intent: 'sign-in', email: member.email, password: member.password })
  }

  async showFactor(): Promise<void> {
    const { app, factorId } = this.#factor as { app: Authenticator; factorId: string }
    await this.post('/auth/factor', { factorId, code: await app.code() })
  }

  async close(): Promise<void> {
    await this.#own?.close()
  }
}
