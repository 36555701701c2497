import type { Page } from '@playwright/test'
import type { Fault } from '../support/fault-proxy.ts'
import {
  expect,
  expectToast,
  newMember,
  signIn,
  signUp,
  startMember,
  startSiteOnProxy,
  test,
} from './fixtures.ts'

// A fault lasts for a whole test, so the tests of a site run one after the other.
test.describe.configure({ mode: 'serial' })

test.afterEach(({ faulty }) => {
  faulty.proxy.fault = 'none'
})

/**
 * One fault of each kind: no response, a broken response, a false response, an error. tests/faults has all
 * faults.
 */
const ofEachKind: Fault[] = ['hang', 'reset', 'garbage', '503']
const others: Fault[] = ['off', 'truncated', 'html', 'empty', '500']
const faults = process.env.DEEP === '1' ? [...ofEachKind, ...others] : ofEachKind

/** Opens the profile form, again on a busy machine: the first reads after an outage are short. */
async function openForm(page: Page, site: string): Promise<void> {
  await expect(async () => {
    await page.goto(`${site}/dashboard?edit=profile`)
    await expect(page.getByLabel('Username')).toBeVisible({ timeout: 3_000 })
  }).toPass()
}

for (const fault of faults) {
  const title = `while the backend has the fault '${fault}', public pages work, and forms keep the entered values and the session; after the fault, all pages and forms work`
  // tests/faults tries every fault without JavaScript.
  test(title, { tag: '@repeated-without-script' }, async ({ page, faulty }) => {
    faulty.proxy.fault = fault
    for (const path of ['/', '/transparency']) {
      const response = await page.goto(faulty.url + path)
      expect(response?.status(), path).toBe(200)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('main')).not.toContainText(/nginx|internal detail|alert\(1\)/)
    }
    const member = newMember()
    await signUp(page, member, faulty.url)
    await expectToast(page, 'alert', 'Error', 'An error occurred')
    await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(member.email)
    await expect(page.getByLabel('Username')).toHaveValue(member.username)

    faulty.proxy.fault = 'none'
    await page.getByLabel('Password').fill(member.password)
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)

    // A signed-in member gets an error page in the site's design.
    await openForm(page, faulty.url)
    await page.getByLabel('Username').fill('Typed in bad weather')

    faulty.proxy.fault = fault
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const unreachable = page.getByRole('heading', { name: "Sign-in isn't working right now" })
    await expect(unreachable.or(page.getByRole('alert'))).toBeVisible()
    await expect(page.locator('body')).not.toContainText(/nginx|internal detail|alert\(1\)|Error:|at \w+ \(/)

    await page.goto(`${faulty.url}/dashboard`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('body')).not.toContainText(/nginx|internal detail|alert\(1\)|Error:|at \w+ \(/)

    faulty.proxy.fault = 'none'
    await openForm(page, faulty.url)
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    await expect(page.getByLabel('Username')).toHaveValue('Typed in bad weather')
  })
}

test('signing out works during every backend fault', async ({ page, faulty }) => {
  for (const fault of ['off', '500', 'html'] as const) {
    await startMember(page.context(), faulty.url)
    await page.goto(`${faulty.url}/dashboard`)
    faulty.proxy.fault = fault
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expect(page).toHaveURL(/:\d+\/$/)
    await expect(
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sign In' }),
    ).toBeVisible()
    faulty.proxy.fault = 'none'
  }
})

test('a site that starts without its backend works once the backend starts', {
  tag: '@repeated-without-script',
}, async ({ page, faulty, sites }) => {
  const { proxy } = faulty
  proxy.fault = 'off'
  const cold = await startSiteOnProxy(sites, proxy)
  const response = await page.goto(cold.url)
  expect(response?.status()).toBe(200)
  await page.goto(`${cold.url}/auth`)
  await signIn(page, { email: 'unknown@example.com', password: 'a password' })
  await expectToast(page, 'alert', 'Error', 'An error occurred')
  proxy.fault = 'none'
  await signUp(page, newMember(), cold.url)
  await expect(page).toHaveURL(/\/dashboard$/)
  // The page prefetches its links, so the browser leaves it before the site closes.
  await page.goto('about:blank')
  await cold.close()
})
