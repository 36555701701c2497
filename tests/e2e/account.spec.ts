import type { Page } from '@playwright/test'
import {
  expect,
  expectAccessible,
  expectToast,
  newMember,
  openOtherDevice,
  signIn,
  signUp,
  startMember,
  test,
} from './fixtures.ts'
import { mailsTo, nextMail } from './mailbox.ts'

/** Opens a link to change the email that the service rejects, and expects the error message. */
async function expectRefusedChange(page: Page, link: string, { isDone }: { isDone: boolean }) {
  await page.goto(link)
  await page.getByRole('button', { name: 'Confirm the change' }).click()
  const sentence = isDone
    ? 'Already done.'
    : 'This link is no longer valid. If you opened the other one, sign in to see whether the change is done.'
  await expect(page.getByRole('main').getByRole(isDone ? 'status' : 'alert')).toHaveText(sentence)
  await expect(page.getByRole('button', { name: 'Confirm the change' })).toHaveCount(0)
}

test('the account page requires sign-in, and the sign-in leads back to the account page', async ({
  page,
  member,
  context,
  javaScriptEnabled,
}) => {
  await page.goto('/dashboard')
  await page.getByRole('main').getByRole('link', { name: 'Account' }).click()
  await expect(page).toHaveURL(/\/dashboard\/account$/)
  await expect(page.getByRole('region', { name: 'Email' })).toContainText(member.email)
  await expect(page.getByRole('link', { name: 'Manage two-step sign-in' })).toHaveAttribute(
    'href',
    '/dashboard/account/factor',
  )
  await expectAccessible(page, javaScriptEnabled)
  await context.clearCookies()
  await page.goto('/dashboard/account')
  await expect(page).toHaveURL(/\/auth\?redirectTo=%2Fdashboard%2Faccount$/)
  await signIn(page, member)
  await expect(page).toHaveURL(/\/dashboard\/account$/)
})

test('the mailed link changes the email address', async ({ page, member, context, sites }) => {
  const { email } = newMember()
  const form = page.getByRole('region', { name: 'Email' })
  await page.goto('/dashboard/account')
  for (const [typed, message] of [
    ['nothing', 'Invalid email address'],
    [member.email.toUpperCase(), "That's already your email"],
  ] as const) {
    await form.getByLabel('New email').fill(typed)
    await form.getByRole('button', { name: 'Change email' }).click()
    await expectToast(page, 'alert', 'Validation Error', message)
    await expect(form.getByLabel('New email')).toHaveValue(typed)
    await expect(form.getByLabel('New email')).toBeFocused()
  }
  await form.getByLabel('New email').fill(email)
  await form.getByRole('button', { name: 'Change email' }).click()
  await expect(page.getByRole('status').getByText('Check your email')).toBeVisible()
  await expect(form).toContainText(member.email)

  const { text, link } = await nextMail(sites.emptyMail, member.email)
  expect(text).toContain(`from ${member.email} to ${email}`)
  await page.goto(link)
  await page.getByRole('button', { name: 'Confirm the change' }).click()
  await expect(page).toHaveURL(/\/dashboard\/account$/)
  await expectToast(page, 'status', 'Success', 'Email changed successfully')
  await expect(form).toContainText(email)
  // Here one of the two links is enough, so the other link is rejected.
  const other = await nextMail(sites.emptyMail, email)
  expect(other.text).toContain('If the first link was enough, the second one is no longer valid.')
  await expectRefusedChange(page, other.link, { isDone: true })
  await page.goto('/dashboard')
  await expect(page.getByRole('main')).toContainText(email)
  await context.clearCookies()
  await expectRefusedChange(page, other.link, { isDone: false })
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, { email, password: member.password })
  await expect(page).toHaveURL(/\/dashboard\/account$/)
  await expect(form).toContainText(email)
})

test('confirming a change of email while another member is signed in does not sign that member out', {
  tag: '@repeated-without-script',
}, async ({ page, member, context, sites }) => {
  const { email } = newMember()
  await page.goto('/dashboard/account')
  await page.getByLabel('New email').fill(email)
  await page.getByRole('button', { name: 'Change email' }).click()
  await expect(page.getByRole('status').getByText('Check your email')).toBeVisible()
  const { link } = await nextMail(sites.emptyMail, member.email)
  await context.clearCookies()
  const another = await startMember(context, sites.empty)
  await page.goto(link)
  await page.getByRole('button', { name: 'Confirm the change' }).click()
  await expect(page).toHaveURL(/\/dashboard\/account$/)
  await expect(page.getByRole('region', { name: 'Email' })).toContainText(another.email)
})

test('with confirmations on, both email addresses must confirm a change of email', {
  tag: '@repeated-without-script',
}, async ({ page, sites, javaScriptEnabled }) => {
  const member = newMember()
  const { email } = newMember()
  const follow = async (address: string, count: number, button: string) => {
    await page.goto((await nextMail(sites.confirmingMail, address, count)).link)
    await page.getByRole('button', { name: button }).click()
  }
  await signUp(page, member, sites.confirming)
  await follow(member.email, 1, 'Confirm and sign in')
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto(`${sites.confirming}/dashboard/account`)
  await page.getByLabel('New email').fill(email)
  await page.getByRole('button', { name: 'Change email' }).click()
  await expect(page.getByRole('status').getByText('Check your email')).toBeVisible()
  await follow(email, 1, 'Confirm the change')
  await expectToast(page, 'status', 'One more step', 'Now open the link we sent to your other address.')
  await page.goto(`${sites.confirming}/dashboard/account`)
  await expect(page.getByRole('region', { name: 'Email' })).toContainText(member.email)
  const first = (await nextMail(sites.confirmingMail, email, 1)).link
  // Within five seconds, the same link gets the same answer again: it may be the second tap on its button.
  await page.waitForTimeout(5_100)
  await expectRefusedChange(page, first, { isDone: false })
  await follow(member.email, 2, 'Confirm the change')
  await expectToast(page, 'status', 'Success', 'Email changed successfully')
  await expect(page.getByRole('region', { name: 'Email' })).toContainText(email)
  await expectRefusedChange(page, first, { isDone: true })
  await expectAccessible(page, javaScriptEnabled)
  await page.context().clearCookies()
  await expectRefusedChange(page, first, { isDone: false })
})

test("a change to another member's email address sends no email and does not reveal that the address is in use", {
  tag: '@repeated-without-script',
}, async ({ page, member, context, sites }) => {
  await context.clearCookies()
  const another = await startMember(context, sites.empty)
  await page.goto('/dashboard/account')
  await page.getByLabel('New email').fill(member.email)
  await page.getByRole('button', { name: 'Change email' }).click()
  await expect(page.getByRole('status').getByText('Check your email')).toBeVisible()
  expect(await mailsTo(sites.emptyMail, another.email)).toEqual([])
})

test('a member who enters the current password changes the password and signs out other devices', async ({
  page,
  member,
  context,
  sites,
  browser,
}) => {
  const other = await openOtherDevice(browser, sites.empty, member)
  const form = page.getByRole('region', { name: 'Password' })
  const current = form.getByLabel('Current password')
  const chosen = form.getByLabel('New password')
  const change = async (from: string, to: string) => {
    await current.fill(from)
    await chosen.fill(to)
    await form.getByRole('button', { name: 'Change password' }).click()
  }
  await page.goto('/dashboard/account')
  await change('', '123456')
  await expectToast(page, 'alert', 'Validation Error', 'Please enter your current password')
  await expect(current).toBeFocused()
  await change(member.password, '12345')
  await expectToast(page, 'alert', 'Validation Error', 'Password must be at least 6 characters')
  await expect(chosen).toBeFocused()
  await change('not this one', 'quite another')
  await expectToast(page, 'alert', 'Error', "Current password isn't correct")
  await expect(current).toHaveAccessibleDescription("Current password isn't correct")
  await change(member.password, member.password)
  await expectToast(page, 'alert', 'Error', 'New password should be different from the old password.')
  for (const field of [current, chosen]) await expect(field).toHaveValue('')

  await change(member.password, 'quite another')
  await expectToast(
    page,
    'status',
    'Success',
    'Password changed successfully. Your other devices are signed out.',
  )
  await expect(page).toHaveURL(/\/dashboard\/account$/)
  await other.goto(`${sites.empty}/dashboard`)
  await expect(other).toHaveURL(/\/auth\?/)
  await signIn(other, member)
  await expectToast(other, 'alert', 'Error', 'Invalid login credentials')
  await other.context().close()
  await context.clearCookies()
  await page.goto('/auth')
  await signIn(page, { email: member.email, password: 'quite another' })
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('signing out on other devices keeps this session, signing out here keeps the other sessions, and signing out everywhere ends all sessions', async ({
  page,
  member,
  sites,
  browser,
}) => {
  const other = await openOtherDevice(browser, sites.empty, member)
  await page.goto('/dashboard/account')
  await page.getByRole('button', { name: 'Sign out other devices' }).click()
  await expectToast(page, 'status', 'Success', 'Your other devices are signed out.')
  await other.goto(`${sites.empty}/dashboard`)
  await expect(other).toHaveURL(/\/auth\?/)
  await signIn(other, member)
  await expect(other).toHaveURL(/\/dashboard$/)

  await page.getByRole('button', { name: 'Sign out on this device' }).click()
  await expect(page).toHaveURL(/:\d+\/$/)
  await other.goto(`${sites.empty}/dashboard`)
  await expect(other).toHaveURL(/\/dashboard$/)
  await page.goto('/dashboard/account')
  await signIn(page, member)
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page).toHaveURL(/:\d+\/$/)
  await expectToast(page, 'status', 'Success', 'You are signed out on all devices.')
  for (const device of [page, other]) {
    await device.goto(`${sites.empty}/dashboard`)
    await expect(device).toHaveURL(/\/auth\?/)
  }
  await other.context().close()
})

test.describe('while the backend fails', () => {
  test.describe.configure({ mode: 'serial' })

  test.afterEach(({ faulty }) => {
    Object.assign(faulty.proxy, { fault: 'none', only: null })
  })

  test('signing out everywhere ends this session and reports what failed', async ({ page, faulty }) => {
    await startMember(page.context(), faulty.url)
    await page.goto(`${faulty.url}/dashboard/account`)
    const everywhere = page.getByRole('button', { name: 'Sign out everywhere' })
    await expect(everywhere).toBeVisible()
    Object.assign(faulty.proxy, { fault: '503', only: /\/logout/ })
    await page.getByRole('button', { name: 'Sign out other devices' }).click()
    await expectToast(page, 'alert', 'Error', 'An error occurred')
    await everywhere.click()
    await expect(page).toHaveURL(/:\d+\/$/)
    await expectToast(
      page,
      'alert',
      'Signed out on this device only',
      "We couldn't sign out your other devices. They may still be signed in.",
    )
  })
})
