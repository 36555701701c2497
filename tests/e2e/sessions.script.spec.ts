import type { BrowserContext, Page } from '@playwright/test'
import { createClient } from '@supabase/supabase-js'
import { expect, expectToast, type Member, newMember, signIn, signUp, test } from './fixtures.ts'
import type { Sites } from './sites.ts'

const button = (page: Page, name: 'Sign In' | 'Dashboard') =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })

/** Counts the polls of a page and sets their responses. */
async function watchPolls(page: Page) {
  const polls = { count: 0, answered: 0, answer: undefined as number | undefined }
  page.on('requestfinished', (request) => {
    if (request.url().endsWith('/auth/session')) polls.answered++
  })
  await page.route('**/auth/session', async (route) => {
    polls.count++
    if (polls.answer) await route.fulfill({ status: polls.answer, json: {} })
    else await route.continue()
  })
  return polls
}

async function hide(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)
}

test.describe('updating pages after a session change needs JavaScript', () => {
  test('signing out in one tab updates the bar of another tab, and redirects a dashboard in another tab to the sign-in page', async ({
    page,
    member,
    context,
  }) => {
    const about = await context.newPage()
    await about.goto('/about')
    await expect(button(about, 'Dashboard')).toBeVisible()
    const dashboard = await context.newPage()
    await dashboard.goto('/dashboard')
    await expect(dashboard.getByRole('main')).toContainText(member.email)

    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expect(button(about, 'Sign In')).toBeVisible()
    await expect(about).toHaveURL(/\/about$/)
    await expect(dashboard).toHaveURL(/\/auth\?redirectTo=%2Fdashboard$/)
  })

  test('values survive a session lost in another tab', async ({ page, member, context }) => {
    const form = await context.newPage()
    await form.goto('/dashboard?edit=profile')
    await form.getByLabel('Username').fill('Typed before it was lost')
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expect(form).toHaveURL(/\/auth\?redirectTo=%2Fdashboard%3Fedit%3Dprofile$/)
    await signIn(form, member)
    await expect(form).toHaveURL(/edit=profile/)
    await expect(form.getByLabel('Username')).toHaveValue('Typed before it was lost')
    // No storage that scripts can read contains the entered text.
    expect(await form.evaluate(() => JSON.stringify([localStorage, document.cookie]))).not.toContain('Typed')
  })

  test('a sign-in in one tab updates the other tabs without a reload', async ({ page, context }) => {
    const about = await context.newPage()
    await about.goto('/about')
    await expect(button(about, 'Sign In')).toBeVisible()
    const form = await context.newPage()
    await form.goto('/auth?redirectTo=%2Fdashboard%3Fedit%3Dprofile')
    const member = newMember()
    await signUp(page, member)
    await expect(button(about, 'Dashboard')).toBeVisible()
    await expect(about).toHaveURL(/\/about$/)
    await expect(form).toHaveURL(/\/dashboard\?edit=profile$/)
  })

  test('after another member signs in, each tab shows that one', async ({ page, member, context }) => {
    const form = await context.newPage()
    await form.goto('/dashboard?edit=profile')
    await form.getByLabel('Username').fill('A secret of the first')
    // A request signs the member out and signs another member up, so no tab is notified.
    const other = newMember()
    await page.goto('/about')
    await context.request.post('/auth/sign-out', { headers: { Origin: new URL(page.url()).origin } })
    await signUp(page, other)
    await expect(page).toHaveURL(/\/dashboard$/)
    await form.bringToFront()
    await expect(async () => {
      if (/\/auth\?/.test(form.url())) await form.reload()
      await expect(form.getByLabel('Username')).toHaveValue(other.username, { timeout: 500 })
    }).toPass()
    await expect(form.locator('body')).not.toContainText(member.email)
  })

  test('a page polls every 30 seconds only if a member is signed in', async ({ page, member, context }) => {
    expect(member.email).toBeTruthy()
    await page.clock.install()
    const polls = await watchPolls(page)
    await page.goto('/about')
    // From here on the test controls the clock, and each tick is 30 seconds.
    await page.clock.pauseAt(Date.now() + 10_000)
    const before = polls.answered
    for (const count of [1, 2, 3]) {
      await page.clock.runFor(30_000)
      await expect.poll(() => polls.answered).toBe(before + count)
      // A tick during a pending poll does not start a second poll.
      await page.waitForTimeout(100)
    }
    await context.clearCookies()
    await page.reload()
    const last = polls.count
    await page.clock.runFor(120_000)
    await page.waitForTimeout(200)
    expect(polls.count).toBe(last)
  })

  test('a hidden page does not poll, until it becomes visible', async ({ page, member, context }) => {
    expect(member.email).toBeTruthy()
    await page.clock.install()
    const polls = await watchPolls(page)
    await page.goto('/about')
    await hide(page, true)
    await page.clock.fastForward(300_000)
    await page.waitForTimeout(200)
    expect(polls.count).toBe(0)
    await hide(page, false)
    await expect.poll(() => polls.count).toBe(1)

    // The session ends while the page is hidden. The page shows the change when it becomes visible.
    await hide(page, true)
    await context.clearCookies()
    await hide(page, false)
    await expect(button(page, 'Sign In')).toBeVisible()
  })

  test('an event during a pending poll causes another poll', async ({ page, member, context }) => {
    expect(member.email).toBeTruthy()
    await page.goto('/about')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let asked = 0
    await page.route('**/auth/session', async (route) => {
      const response = await route.fetch()
      if (asked++ === 0) await held
      await route.fulfill({ response }).catch(() => {})
    })
    await hide(page, false)
    await expect.poll(() => asked).toBe(1)
    await context.clearCookies()
    await hide(page, false)
    release()
    await expect(button(page, 'Sign In')).toBeVisible()
  })

  test('a failed poll is retried with backoff for 30 s, without a change', async ({ page, member }) => {
    expect(member.email).toBeTruthy()
    await page.clock.install()
    const polls = await watchPolls(page)
    polls.answer = 503
    await page.goto('/dashboard?edit=profile')
    await page.getByLabel('Username').fill('Typed meanwhile')
    // The clock stops before the first tick, so that only this poll and its retries occur.
    await page.clock.pauseAt(Date.now() + 10_000)
    await hide(page, false)
    // The pauses are 200 ms, 400 ms, … 12.8 s. The next pause would end after 30 s.
    await expect.poll(() => polls.count).toBeGreaterThan(0)
    await page.waitForTimeout(200)
    let asked = polls.count
    // Waits until the page has received the response and scheduled its next poll.
    const settled = async () => {
      await expect.poll(() => polls.answered).toBe(asked)
      await page.waitForTimeout(150)
    }
    await settled()
    for (const delay of [200, 400, 800, 1_600, 3_200, 6_400, 12_800]) {
      await page.clock.runFor(delay - 20)
      expect(polls.count, `before ${delay}`).toBe(asked)
      await page.clock.runFor(20)
      asked++
      await settled()
    }
    await expect(page.getByLabel('Username')).toHaveValue('Typed meanwhile')
    await expect(page).toHaveURL(/edit=profile/)

    // The next poll succeeds, and the page does not change.
    polls.answer = undefined
    await page.clock.runFor(31_000)
    await expect.poll(() => polls.count).toBeGreaterThan(asked)
    await expect(page.getByLabel('Username')).toHaveValue('Typed meanwhile')
  })
})

/** Returns a fragment in the auth service's format, with the tokens of a member who is not signed in. */
async function tokens(
  sites: Sites,
  more: Record<string, string> = {},
): Promise<{ hash: string; member: Member }> {
  const member = newMember()
  const { auth } = createClient(sites.backendUrl, sites.publishableKey, { auth: { persistSession: false } })
  const { data } = await auth.signUp({
    email: member.email,
    password: member.password,
    options: { data: { username: member.username } },
  })
  const { access_token = '', refresh_token = '' } = data.session ?? {}
  const fields = {
    access_token,
    refresh_token,
    expires_in: '3600',
    token_type: 'bearer',
    type: 'magiclink',
    ...more,
  }
  return { hash: `#${new URLSearchParams(fields)}`, member }
}

/** Requests an email for a new password: the site shows errors from URLs only in such a browser. */
async function requestMail(page: Page, email: string): Promise<void> {
  await page.goto('/auth/forgot')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('button', { name: 'Send email' }).click()
  await expect(page).toHaveURL(/\/auth\/code\?step=mail$/)
}

/** Expects that no URL in the tab's history contains the secret. */
async function expectNoTrace(page: Page, context: BrowserContext, secret: string): Promise<void> {
  const session = await context.newCDPSession(page)
  const { entries } = await session.send('Page.getNavigationHistory')
  expect(entries.map(({ url }) => url).join()).not.toContain(secret)
  expect(page.url()).not.toContain(secret)
}

test.describe('tokens in the fragment of a URL need JavaScript, because the server does not receive the fragment', () => {
  test('tokens leave the URL, and a confirmation makes a session', async ({ page, context, sites }) => {
    const { hash, member } = await tokens(sites)
    await page.goto(`/about${hash}`)
    await expect(page).toHaveURL(/\/auth\/continue$/)
    await expectNoTrace(page, context, 'access_token')
    await expect(button(page, 'Sign In')).toBeVisible()
    await page.getByRole('button', { name: `Continue as ${member.email}` }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    await expectToast(page, 'status', 'Welcome back!', 'You have successfully signed in.')
    await expect(page.getByRole('main')).toContainText(member.email)
    await expectNoTrace(page, context, 'access_token')
  })

  test('tokens are removed from the URL before the response arrives', async ({ page, context, sites }) => {
    const { hash } = await tokens(sites)
    let asked = 0
    await page.route('**/auth/implicit', () => {
      asked++
    })
    await page.goto(`/about${hash}`)
    await expect.poll(() => asked).toBe(1)
    await expect(page).toHaveURL(/\/about$/)
    await expectNoTrace(page, context, 'access_token')
  })

  test('tokens never replace an existing session', async ({ page, member, context, sites }) => {
    const { hash } = await tokens(sites)
    await page.goto('/about')
    let answer: unknown
    await page.route('**/auth/implicit', async (route) => {
      const response = await route.fetch()
      answer = await response.json()
      await route.fulfill({ response })
    })
    await page.goto(`/transparency${hash}`)
    await expect.poll(() => answer).toEqual({ to: '/transparency' })
    await expect(page).toHaveURL(/\/transparency$/)
    await expectNoTrace(page, context, 'access_token')
    await page.goto('/dashboard')
    await expect(page.getByRole('main')).toContainText(member.email)
  })

  test('invalid tokens leave the URL, with a toast after a request', async ({ page, context, sites }) => {
    const { hash, member } = await tokens(sites, { access_token: 'not.a.token' })
    const response = await page.request.post('/auth/implicit', {
      form: { ...Object.fromEntries(new URLSearchParams(hash.slice(1))), page: '/' },
      headers: { Origin: sites.empty },
    })
    expect(await response.json()).toEqual({ to: '/' })
    await page.goto('/about')
    await expect(page.getByRole('alert')).toHaveCount(0)

    await requestMail(page, member.email)
    await page.goto(`/${hash}`)
    await expectToast(page, 'alert', 'Error', 'Email link is invalid or has expired')
    await expect(page).toHaveURL(/:\d+\/$/)
    await expectNoTrace(page, context, 'access_token')
  })

  test('an error in the fragment becomes one toast, with the session', async ({ page, member, context }) => {
    const words = '<img src=x onerror=alert(1)> call the swindlers'
    await requestMail(page, member.email)
    await page.goto(
      `/?page=1#${new URLSearchParams({ error: 'access_denied', error_code: 'otp_expired', error_description: words })}`,
    )
    await expectToast(page, 'alert', 'Error', 'Email link is invalid or has expired')
    await expect(page).toHaveURL(/:\d+\/\?page=1$/)
    await expect(page.locator('body')).not.toContainText('swindlers')
    await expectNoTrace(page, context, 'otp_expired')
    await page.goto('/dashboard')
    await expect(page.getByRole('main')).toContainText(member.email)
    await expect(page.getByRole('alert')).toHaveCount(0)
  })
})
