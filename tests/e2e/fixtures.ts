import { randomUUID } from 'node:crypto'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import {
  impatient,
  type Site,
  type SiteWithBackend,
  startSite,
  startSiteWithBackend,
} from '../support/site.ts'
import type { Sites } from './sites.ts'

export { expect }

export interface Member {
  email: string
  password: string
  username: string
}

interface Fixtures {
  /** A new member, whose session is in the test's browser. The browser has no open page. */
  member: Member
}

interface WorkerFixtures {
  sites: Sites
  /** A site with a fault proxy in front of the empty site's backend. */
  faulty: { url: string; log: string[]; proxy: FaultProxy }
  /**
   * A site that sends emails in its scheduled work, with its own backend. The site starts before the first
   * test that uses it. As a fixture of one file, it would need separate processes.
   */
  mailing: SiteWithBackend
}

/**
 * The files whose tests show motion, because these tests follow links between all kinds of pages. Styles have
 * motion only if scripts run. live.script.spec.ts also shows motion. All other tests reduce motion, because
 * animation frames take up a third of the test time.
 */
const moving = /(frame|transparency|pages\.script|toasts\.script|dashboard\.script)\.spec\.ts$/

export const test = base.extend<Fixtures, WorkerFixtures>({
  contextOptions: async ({ contextOptions }, use, { file, project }) => {
    const shows = project.use.javaScriptEnabled && moving.test(file)
    await use({ ...contextOptions, reducedMotion: shows ? 'no-preference' : 'reduce' })
  },
  sites: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's dependencies
    async ({}, use) => {
      await use(JSON.parse(process.env.SITES as string) as Sites)
    },
    { scope: 'worker' },
  ],
  faulty: [
    async ({ sites }, use) => {
      const proxy = await startFaultProxy(sites.backendUrl)
      const site = await startSiteOnProxy(sites, proxy, impatient)
      await use({ url: site.url, log: site.log, proxy })
      await site.close()
      await proxy.close()
    },
    { scope: 'worker' },
  ],
  mailing: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's dependencies
    async ({}, use) => {
      const site = await startSiteWithBackend({ mail: true })
      await use(site)
      await site.close()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ sites }, use) => {
    await use(sites.empty)
  },
  page: async ({ page }, use) => {
    const said: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !isStatusLine(message.text()))
        said.push(message.text())
    })
    page.on('pageerror', ({ message }) => {
      if (!isAbortedTransition(message)) said.push(message)
    })
    await use(page)
    expect(said, 'the browser console is silent').toEqual([])
  },
  member: async ({ context, sites }, use) => {
    await use(await startMember(context, sites.empty))
  },
})

/** Starts a site with `proxy` before the empty site's backend, which issues the tokens. */
export function startSiteOnProxy(
  { backendUrl, publishableKey }: Sites,
  proxy: { url: string },
  more: Record<string, string> = {},
): Promise<Site> {
  const issuer = { SUPABASE_JWT_ISSUER: `${backendUrl}/auth/v1` }
  return startSite({ url: proxy.url, publishableKey }, { ...issuer, ...more })
}

/** Chromium reports failed requests, and responses from 400 on, which tests cause, as errors. */
function isStatusLine(text: string): boolean {
  return text.startsWith('Failed to load resource')
}

/** The browser may skip a view transition; the navigation continues without the transition. */
function isAbortedTransition(text: string): boolean {
  return /^Transition was (aborted|skipped)/.test(text)
}

export function newMember(): Member {
  const id = randomUUID().slice(0, 8)
  return { email: `member-${id}@example.com`, password: `secret-${id}`, username: `Member ${id}` }
}

export async function signUp(page: Page, member: Member, site = ''): Promise<void> {
  await page.goto(`${site}/auth?mode=sign-up`)
  await page.getByLabel('Username').fill(member.username)
  await page.getByRole('textbox', { name: 'Email' }).fill(member.email)
  await page.getByLabel('Password').fill(member.password)
  await page.getByRole('button', { name: 'Sign Up' }).click()
}

/** Sends the /auth form without a page. `context` then has the session, without the form's toast. */
async function sendCredentials(
  context: BrowserContext,
  site: string,
  fields: Record<string, string>,
): Promise<void> {
  const { origin } = new URL(site)
  const response = await context.request.post(`${origin}/auth`, {
    form: fields,
    headers: { Origin: origin },
    maxRedirects: 0,
  })
  expect(response.headers().location).toBe('/dashboard')
  await context.clearCookies({ name: 'notice' })
}

/** Signs a new member up without a page, for tests whose subject is not the form. */
export async function startMember(context: BrowserContext, site: string): Promise<Member> {
  const member = newMember()
  await sendCredentials(context, site, { intent: 'sign-up', ...member })
  return member
}

/** Signs a member in without a page, for tests whose subject is not the form. */
export async function startSession(
  context: BrowserContext,
  site: string,
  { email, password }: Pick<Member, 'email' | 'password'>,
): Promise<void> {
  await sendCredentials(context, site, { intent: 'sign-in', email, password })
}

/** Opens a browser in which the same member is signed in, as on another device. */
export async function openOtherDevice(
  browser: Browser,
  site: string,
  member: Pick<Member, 'email' | 'password'>,
): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false })
  await startSession(context, site, member)
  return context.newPage()
}

export async function signIn(
  page: Page,
  { email, password }: Pick<Member, 'email' | 'password'>,
): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
}

/** Expects a toast with this title and this text. */
export async function expectToast(
  page: Page,
  role: 'status' | 'alert',
  title: string,
  text: string,
): Promise<void> {
  const toast = page.getByRole(role).filter({ has: page.getByText(title, { exact: true }) })
  await expect(toast).toBeVisible()
  await expect(toast.getByText(text, { exact: true })).toBeVisible()
}

/** The axe rules that depend on colours. The themes differ only in colours. */
export const colourRules = ['color-contrast', 'link-in-text-block']

/** Checks WCAG 2.2 AA and axe's best practices, or only `rules`. axe needs JavaScript. */
export async function expectAccessible(
  page: Page,
  javaScriptEnabled: boolean | undefined,
  rules?: string[],
): Promise<void> {
  if (!javaScriptEnabled) return
  // The legacy mode ignores frames, which the site does not have, and opens no second page for each check.
  // Without the other options, axe would also describe every element that passes a rule, and read all style
  // sheets, which only an experimental rule needs.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], selectors: false, preload: { assets: ['media'] } })
  if (rules) axe.withRules(rules)
  else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
  const { violations } = await axe.analyze()
  // axe reports a link that the bar partly covers as a small target: check from the top too.
  if (violations.some(({ id }) => id === 'target-size')) {
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    const { violations: small } = await new AxeBuilder({ page })
      .setLegacyMode()
      .withRules(['target-size'])
      .analyze()
    violations.splice(0, violations.length, ...violations.filter(({ id }) => id !== 'target-size'), ...small)
  }
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
}
