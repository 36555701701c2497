/** What React would render is not what the page contains: a browser extension, or a newer build, has changed it. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { browserOptions } from '../../scripts/browser.ts'
import { drawFrom } from '../support/draw.ts'
import { siteHost } from '../support/site.ts'
import { expect, type Member, newMember, signIn, startMember, test } from './fixtures.ts'
import { nextMail } from './mailbox.ts'
import type { Sites } from './sites.ts'

const extension = fileURLToPath(new URL('../support/extension', import.meta.url))

/** Where extensions add an element before the page's scripts start: the selector, the place beside it, the element. */
const additions = {
  'an element at the start of head': ['head', 'afterbegin', 'meta'],
  'an empty script at the start of head': ['head', 'afterbegin', 'script'],
  'an element at the start of body': ['body', 'afterbegin', 'div'],
  'an element at the end of html': ['html body', 'afterend', 'div'],
  'an element beside each field': ['main input', 'afterend', 'div'],
} as const

for (const [what, [selector, place, name]] of Object.entries(additions))
  test(`the forms of a page work although an extension adds ${what}`, async ({ page, context, sites }) => {
    const member = await startMember(context, sites.empty)
    await context.clearCookies()
    // React reports an element between its own in the console, which only the fixture's page expects to be silent.
    const changed = selector === 'main input' ? await context.newPage() : page
    await changed.addInitScript(
      ([selector, place, name]) => {
        const change = () => {
          for (const element of document.querySelectorAll(`${selector}:not([data-seen])`)) {
            element.setAttribute('data-seen', '')
            element.insertAdjacentElement(place, document.createElement(name))?.setAttribute('data-added', '')
          }
        }
        new MutationObserver(change).observe(document, { childList: true, subtree: true })
      },
      [selector, place, name] as const,
    )
    await changed.goto('/auth')
    await changed.waitForLoadState('networkidle')
    await signIn(changed, member)
    await expect(changed.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    await changed.goto('/dashboard/account')
    await changed.getByLabel('New email').fill(member.email)
    await changed.getByRole('button', { name: 'Change email' }).click()
    await expect(changed.getByText("That's already your email").first()).toBeVisible()
    await expect(changed.locator('[data-added]').first()).toBeAttached()
  })

test('a page of an older build keeps what was typed, and its form works', async ({ context, sites }) => {
  const member = await startMember(context, sites.empty)
  await context.clearCookies()
  const page = await context.newPage()
  await page.route('**/auth', async (route) => {
    const response = await route.fetch()
    const html = await response.text()
    await route.fulfill({ response, body: html.replace('Forgot your password?', 'Lost your password?') })
  })
  let release = () => {}
  const typed = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/entry.client-*', async (route) => {
    await typed
    await route.continue()
  })
  await page.goto('/auth', { waitUntil: 'commit' })
  const email = page.getByRole('textbox', { name: 'Email' })
  await email.fill(member.email)
  release()
  await page.waitForLoadState('networkidle')
  await expect(email).toHaveValue(member.email)
  await expect(page.getByText('Lost your password?')).toBeVisible()
  await page.unroute('**/auth')
  await signIn(page, member)
  await expect(page).toHaveURL(/\/dashboard$/)
})

test("a browser without storage and channels has a page's other scripts", async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await context.addCookies([{ name: 'changes', value: '4', url: `http://${siteHost}` }])
  await page.addInitScript({ path: `${extension}/world.js` })
  await page.goto('/giveback/school-bags')
  await page.getByRole('button', { name: /Share/ }).click()
  await expect(page.getByText('Link copied to clipboard!')).toBeVisible()
})

test('a browser that forbids fetch and sockets sends the forms of a page as plain HTML, and a live page says that it is not live', async ({
  page,
  context,
  sites,
}) => {
  const member = await startMember(context, sites.empty)
  await context.clearCookies()
  await page.addInitScript(() => {
    Object.defineProperty(window, 'fetch', { value: undefined })
    window.WebSocket = class {
      constructor() {
        throw new DOMException('refused', 'SecurityError')
      }
    } as never
  })
  await page.goto('/auth')
  await page.waitForLoadState('networkidle')
  await signIn(page, member)
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await page.goto('/transparency')
  await expect(page.locator('[data-version]')).toHaveAttribute('data-state', 'disconnected')
})

test('a form and a link without an answer are plain HTML after 15 seconds', async ({ context, sites }) => {
  const member = await startMember(context, sites.empty)
  await context.clearCookies()
  const page = await context.newPage()
  await page.clock.install()
  await page.addInitScript(() => {
    window.fetch = () => new Promise(() => {})
  })
  await page.goto(`${sites.empty}/auth`)
  await page.waitForLoadState('networkidle')
  await signIn(page, member)
  const button = page.getByRole('main').getByRole('button', { name: /Sign In|Loading/ })
  await expect(button).toBeDisabled()
  await page.clock.fastForward(15_000)
  await expect(button).toBeEnabled()
  await button.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  // Before React has begun, the link works as plain HTML anyway.
  await page.waitForLoadState('networkidle')
  const link = page.getByRole('main').getByRole('link', { name: 'Account', exact: true })
  await link.click()
  await page.clock.fastForward(15_000)
  await expect(page).toHaveURL(/\/dashboard$/)
  await link.click()
  await expect(page.getByLabel('New email')).toBeVisible()
})

test("a page keeps its HTML if a filter blocks a part's script", async ({ member, context, sites }) => {
  const page = await context.newPage()
  await page.route('**/assets/profile-form-*', (route) => route.abort())
  await page.goto(`${sites.empty}/dashboard`)
  await page.getByRole('link', { name: 'Edit Profile' }).click()
  await page.getByLabel('Username').fill(`New ${member.username}`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('main')).toContainText(`New ${member.username}`)
})

test('a page changes as usual after parts were removed and wrapped', async ({ page, member, context }) => {
  await context.clearCookies()
  await page.goto('/auth/code')
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => {
    for (const element of document.querySelectorAll('main p')) element.remove()
    const form = document.querySelector('main form')
    const wrapper = document.createElement('div')
    form?.replaceWith(wrapper)
    wrapper.appendChild(form as Node)
  })
  await page.getByRole('textbox', { name: 'Email' }).fill(member.email)
  await page.getByRole('main').getByRole('button').click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveCount(0)
  await page.getByLabel('Code').fill('000000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
})

interface Flow {
  /** The path of a page with React, or a function that makes the page possible and returns its address. */
  path: string | ((page: Page, member: Member, sites: Sites) => Promise<string>)
  /** Whether a member sees the page. */
  signedIn?: true
  fields: (member: Member) => Record<string, string>
  /** The address and the text after the form was sent. */
  leads: [address: RegExp, text: string | ((member: Member) => string)]
}

/** A form of each page with React. */
const flows: Flow[] = [
  {
    path: '/auth',
    fields: ({ email, password }) => ({ email, password }),
    leads: [/\/dashboard$/, ({ username }) => username],
  },
  { path: '/auth?mode=sign-up', fields: () => ({ ...newMember() }), leads: [/\/dashboard$/, 'Dashboard'] },
  { path: '/auth/forgot', fields: ({ email }) => ({ email }), leads: [/code/, 'Check your email'] },
  { path: '/auth/code', fields: ({ email }) => ({ email }), leads: [/code/, 'Check your email'] },
  {
    path: '/auth/confirm?token_hash=00&type=signup',
    fields: () => ({}),
    leads: [/confirm/, 'invalid or has expired'],
  },
  {
    path: '/dashboard?edit=profile',
    signedIn: true,
    fields: ({ username }) => ({ username: `New ${username}` }),
    leads: [/\/dashboard$/, ({ username }) => `New ${username}`],
  },
  {
    path: '/dashboard/account',
    signedIn: true,
    fields: ({ email }) => ({ currentPassword: 'another', newPassword: email }),
    leads: [/account/, "Current password isn't correct"],
  },
  {
    path: '/dashboard/account/factor',
    signedIn: true,
    fields: () => ({ name: 'A phone' }),
    leads: [/factor/, 'A phone'],
  },
  { path: '/dashboard/account/delete', signedIn: true, fields: () => ({}), leads: [/:\d+\/$/, 'deleted'] },
  {
    path: async (page, { email }, sites) => {
      await page.request.post(`${sites.empty}/auth/forgot`, {
        form: { email },
        headers: { Origin: sites.empty },
      })
      await page.goto((await nextMail(sites.emptyMail, email)).link)
      await page.getByRole('main').getByRole('button').click()
      await page.waitForURL(/new-password$/)
      return page.url()
    },
    fields: () => ({ newPassword: 'another password' }),
    leads: [/\/dashboard$/, 'Dashboard'],
  },
]

const full = '/usr/bin/chromium'

/** A browser with the extension; the headless shell, which has none, runs its scripts in the page. */
async function openChanged(shared: BrowserContext): Promise<BrowserContext> {
  if (process.env.DEEP !== '1' || !existsSync(full)) {
    for (const name of ['elements', 'world']) await shared.addInitScript({ path: `${extension}/${name}.js` })
    return shared
  }
  return chromium.launchPersistentContext('', {
    ...browserOptions(`--disable-extensions-except=${extension}`, `--load-extension=${extension}`),
    executablePath: full,
  })
}

/** Sends the form of a page that changes while it loads and while the form is filled in. */
async function sendChanged(context: BrowserContext, sites: Sites, seed: number): Promise<void> {
  const draw = drawFrom(seed)
  const flow = flows[seed % flows.length] as Flow
  const member = await startMember(context, sites.empty)
  if (!flow.signedIn) await context.clearCookies()
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const path = typeof flow.path === 'string' ? flow.path : await flow.path(page, member, sites)
  await context.addCookies([{ name: 'changes', value: `${seed}`, url: sites.empty }])
  // A page of an older release, and a filter that blocks some scripts.
  if (seed % 5 === 1)
    await page.route(`${sites.empty}/**`, async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback()
      const response = await route.fetch({ maxRedirects: 0 })
      await route.fulfill({ response, body: (await response.text()).replace('</h1>', ' of before</h1>') })
    })
  if (seed % 5 === 2)
    await page.route('**/assets/*.js', (route) => (draw() < 0.1 ? route.abort() : route.fallback()))
  await page.goto(new URL(path, sites.empty).href)
  await page.waitForTimeout(draw() * 400)
  const fields = Object.entries(flow.fields(member))
  const [[name] = [flow.signedIn ? 'member' : 'token_hash']] = fields
  const form = page.locator(`main form:has([name=${name}])`)
  for (const [name, value] of fields) await form.locator(`[name=${name}]`).fill(value)
  await form.locator('[type=submit]').click()
  const [address, text] = flow.leads
  await expect(page).toHaveURL(address)
  await expect(page.locator('body')).toContainText(typeof text === 'string' ? text : text(member))
  await page.waitForTimeout(100)
  await expect(page.locator('main h1')).not.toContainText('Something went wrong')
  await page.close()
  await context.clearCookies()
}

const seeds = process.env.DEEP === '1' ? 200 : 10
for (let first = 1; first <= seeds; first += seeds / 10)
  test(`the forms of all pages work whatever an extension does, from seed ${first}`, async ({
    context,
    sites,
  }) => {
    const changed = await openChanged(context)
    for (let seed = first; seed < first + seeds / 10; seed++)
      await test.step(`seed ${seed}`, () => sendChanged(changed, sites, seed))
    if (changed !== context) await changed.close()
  })
