import type { Page } from '@playwright/test'
import type { Fault } from '../support/fault-proxy.ts'
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
import { mailPause, mailsTo, nextMail } from './mailbox.ts'

async function askFor(page: Page, path: string, email: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('button', { name: 'Send email' }).click()
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code').fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
}

const mailbox = (page: Page) => page.getByRole('heading', { name: 'Check your email' })

test('the mailed link lets a member who forgot the password set a new password, and signs the member in; other devices are signed out', async ({
  page,
  member,
  context,
  sites,
  browser,
  javaScriptEnabled,
}) => {
  const other = await openOtherDevice(browser, sites.empty, member)
  await context.clearCookies()
  await page.goto('/auth')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await expectAccessible(page, javaScriptEnabled)
  await page.getByRole('textbox', { name: 'Email' }).fill(member.email)
  await page.getByRole('button', { name: 'Send email' }).click()
  await expect(mailbox(page)).toBeVisible()
  await expectAccessible(page, javaScriptEnabled)

  const { subject, link } = await nextMail(sites.emptyMail, member.email)
  expect(subject).toBe('Choose a new password')
  // Mail scanners open links: a GET must not use the token.
  await page.request.get(link)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
  await expectAccessible(page, javaScriptEnabled)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/auth\/new-password$/)
  await expectAccessible(page, javaScriptEnabled)

  await page.getByLabel('New password', { exact: true }).fill('12345')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expectToast(page, 'alert', 'Validation Error', 'Password must be at least 6 characters')
  await expect(page.getByLabel('New password', { exact: true })).toHaveAccessibleDescription(
    'Password must be at least 6 characters At least 6 characters',
  )
  await expect(page.getByLabel('New password', { exact: true })).toHaveValue('')
  await page.getByLabel('New password', { exact: true }).fill(member.password)
  await page.getByRole('button', { name: 'Save password' }).click()
  await expectToast(page, 'alert', 'Error', 'New password should be different from the old password.')

  await page.getByLabel('New password', { exact: true }).fill('quite another')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expectToast(
    page,
    'status',
    'Success',
    'Password changed successfully. Your other devices are signed out.',
  )
  await other.goto(`${sites.empty}/dashboard`)
  await expect(other).toHaveURL(/\/auth\?/)
  await other.context().close()

  // The recovery is complete, so a further password change requires the current password.
  await page.goto('/auth/new-password')
  await expect(page).toHaveURL(/\/dashboard\/account$/)
  await context.clearCookies()
  await page.goto(link)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expectToast(page, 'alert', 'Error', 'Email link is invalid or has expired')
  await page.goto('/auth')
  await signIn(page, { email: member.email, password: 'quite another' })
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('the code in the email also lets a member who forgot the password set a new password', {
  tag: '@repeated-without-script',
}, async ({ page, member, sites }) => {
  // For a signed-in member who comes from the account page, the form contains the email address.
  await page.goto('/dashboard/account')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page.getByRole('textbox', { name: 'Email', exact: true })).toHaveValue(member.email)
  await page.getByRole('button', { name: 'Send email' }).click()
  await expect(page.getByRole('main')).toContainText(`If ${member.email} has an account`)
  const { code } = await nextMail(sites.emptyMail, member.email)
  await enterCode(page, code)
  await expect(page).toHaveURL(/\/auth\/new-password$/)
})

test('sign-in by code returns to the requested page', async ({ page, member, context, sites }) => {
  await context.clearCookies()
  await page.goto('/dashboard?edit=profile')
  await page.getByRole('link', { name: 'Email me a sign-in link' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in by email' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Email' }).fill(member.email)
  await page.getByRole('button', { name: 'Send email' }).click()
  await expect(mailbox(page)).toBeVisible()

  await enterCode(page, 'no code')
  await expectToast(page, 'alert', 'Validation Error', 'Please enter the 6-digit code')
  await expect(page.getByLabel('Code')).toBeFocused()
  const { code } = await nextMail(sites.emptyMail, member.email)
  await enterCode(page, code === '000000' ? '000001' : '000000')
  await expectToast(page, 'alert', 'Error', 'Token has expired or is invalid')
  await expect(page.getByLabel('Code')).toHaveAttribute('aria-invalid', 'true')

  // The browser may reload the page after the visitor has read the email.
  await page.goto('/auth/code?step=mail')
  await enterCode(page, `${code.slice(0, 3)} ${code.slice(3)}`)
  await expect(page).toHaveURL(/\/dashboard\?edit=profile$/)
  await expectToast(page, 'status', 'Welcome back!', 'You have successfully signed in.')
  await page.goto('/auth/code')
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('sign-in by link also works in another browser; a signed-in member sees which session the sign-in replaces', {
  tag: '@repeated-without-script',
}, async ({ page, member, context, sites }) => {
  await context.clearCookies()
  await askFor(page, '/auth/code', member.email)
  await expect(mailbox(page)).toBeVisible()
  await mailPause()
  await page.getByRole('button', { name: 'Send it again' }).click()
  await expectToast(page, 'status', 'Success', 'If you have an account, another email is on its way.')
  const { link } = await nextMail(sites.emptyMail, member.email, 2)

  await context.clearCookies()
  const another = await startMember(context, sites.empty)
  await page.goto(link)
  await expect(page.getByRole('main')).toContainText(`You're signed in as ${another.email}`)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('main')).toContainText(member.email)
})

test('responses do not reveal whether an email address has an account', {
  tag: '@repeated-without-script',
}, async ({ page, member, context }) => {
  const seen: string[][] = []
  for (const email of [member.email, 'unknown@example.com']) {
    for (const path of ['/auth/code', '/auth/forgot']) {
      await context.clearCookies()
      const statuses: string[] = []
      page.on('response', (response) => {
        const { pathname } = new URL(response.url())
        if (response.request().method() === 'POST') statuses.push(`${pathname} ${response.status()}`)
      })
      await askFor(page, path, email)
      await expect(mailbox(page)).toBeVisible()
      const asked = (await page.getByRole('main').textContent()) ?? ''
      await mailPause()
      await page.getByRole('button', { name: 'Send it again' }).click()
      await expectToast(page, 'status', 'Success', 'If you have an account, another email is on its way.')
      await enterCode(page, '000000')
      await expectToast(page, 'alert', 'Error', 'Token has expired or is invalid')
      const refused = (await page.getByRole('main').textContent()) ?? ''
      const cookies = (await context.cookies()).map(({ name }) => name).sort()
      seen.push([path, asked.replace(email, ''), refused.replace(email, ''), ...cookies, ...statuses])
      page.removeAllListeners('response')
    }
  }
  expect(seen[2]).toEqual(seen[0])
  expect(seen[3]).toEqual(seen[1])
})

test('the email of a confirmation can be sent again, and its code confirms', async ({ page, sites }) => {
  const member = newMember()
  await signUp(page, member, sites.confirming)
  await expect(mailbox(page)).toBeVisible()
  await nextMail(sites.confirmingMail, member.email)
  await mailPause()
  await page.getByRole('button', { name: 'Send it again' }).click()
  await expectToast(page, 'status', 'Success', 'If you have an account, another email is on its way.')
  const second = await nextMail(sites.confirmingMail, member.email, 2)

  // After a rejected sign-in, a member who returns later finds a link to the page for the code.
  await page.context().clearCookies()
  await page.goto(`${sites.confirming}/auth`)
  await signIn(page, member)
  await expectToast(page, 'alert', 'Error', 'Email not confirmed')
  await page.getByRole('link', { name: 'Enter the code from our email' }).click()
  await enterCode(page, second.code)
  await expect(page).toHaveURL(/\/dashboard$/)
  await expectToast(page, 'status', 'Account created!', 'You have successfully signed up.')
})

test('no email is sent to an email address without an account', { tag: '@repeated-without-script' }, async ({
  page,
  sites,
}) => {
  const { email } = newMember()
  for (const path of ['/auth/code', '/auth/forgot']) {
    await askFor(page, path, email)
    await expect(mailbox(page)).toBeVisible()
  }
  expect(await mailsTo(sites.emptyMail, email)).toEqual([])
})

test('an invalid email address is rejected and kept in the form', async ({ page }) => {
  for (const path of ['/auth/code', '/auth/forgot']) {
    await askFor(page, path, 'not an address')
    await expectToast(page, 'alert', 'Validation Error', 'Invalid email address')
    await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('not an address')
    await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused()
    await expect(page.getByRole('textbox', { name: 'Email' })).toHaveAccessibleDescription(
      'Invalid email address',
    )
  }
})

test('a truncated link is reported, and a link with an unknown purpose is rejected', {
  tag: '@repeated-without-script',
}, async ({ page, sites }) => {
  for (const query of ['', '?token_hash=abc', '?token_hash=abc&type=sms']) {
    const response = await page.goto(`/auth/confirm${query}`)
    expect(response?.status()).toBe(400)
    await expect(page.getByRole('heading', { name: 'This link is incomplete' })).toBeVisible()
  }
  const buttons = {
    signup: 'Confirm and sign in',
    email: 'Confirm and sign in',
    'email&purpose=sign-in': 'Sign in',
    magiclink: 'Sign in',
    recovery: 'Continue',
    invite: 'Accept the invitation',
  }
  for (const [type, button] of Object.entries(buttons)) {
    await page.goto(`${sites.empty}/auth/confirm?token_hash=abc&type=${type}`)
    await expect(page.getByRole('button', { name: button }), type).toBeVisible()
  }
  await page.getByRole('button', { name: buttons.invite }).click()
  await expectToast(page, 'alert', 'Error', 'Email link is invalid or has expired')
})

test.describe('while the backend is down', () => {
  test.describe.configure({ mode: 'serial' })

  test.afterEach(({ faulty }) => {
    faulty.proxy.fault = 'none'
  })

  for (const fault of (process.env.DEEP === '1' ? ['off', 'html'] : ['off']) satisfies Fault[]) {
    test(`the fault '${fault}' is reported, and the form keeps the email address`, {
      tag: '@repeated-without-script',
    }, async ({ page, faulty }) => {
      for (const path of ['/auth/code', '/auth/forgot']) {
        await page.goto(faulty.url + path)
        await page.getByRole('textbox', { name: 'Email' }).fill('someone@example.com')
        faulty.proxy.fault = fault
        await page.getByRole('button', { name: 'Send email' }).click()
        await expectToast(page, 'alert', 'Error', 'An error occurred')
        await expect(page.getByRole('main')).toContainText(
          "Sign-in isn't working right now. That's our fault.",
        )
        await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('someone@example.com')
        faulty.proxy.fault = 'none'
        await page.getByRole('button', { name: 'Send email' }).click()
        await expect(mailbox(page)).toBeVisible()
        faulty.proxy.fault = fault
        await enterCode(page, '123456')
        await expectToast(page, 'alert', 'Error', 'An error occurred')
        faulty.proxy.fault = 'none'
      }
    })
  }

  test('a fault does not use up a mailed link', async ({ page, faulty, sites }) => {
    const member = await startMember(page.context(), faulty.url)
    await page.context().clearCookies()
    await askFor(page, `${faulty.url}/auth/code`, member.email)
    await expect(mailbox(page)).toBeVisible()
    const { link } = await nextMail(sites.emptyMail, member.email)
    await page.goto(link.replace(sites.empty, faulty.url))
    faulty.proxy.fault = 'garbage'
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expectToast(page, 'alert', 'Error', 'An error occurred')
    faulty.proxy.fault = 'none'
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    const token = new URL(link).searchParams.get('token_hash') as string
    for (const secret of [member.email, member.password, token])
      expect(faulty.log.join('\n')).not.toContain(secret)
  })
})
