import { expect, expectAccessible, expectToast, newMember, signIn, signUp, test } from './fixtures.ts'
import { nextMail } from './mailbox.ts'

test('signing up leads to the dashboard with one toast', async ({ page }) => {
  const member = newMember()
  await signUp(page, member)
  await expect(page).toHaveURL(/\/dashboard$/)
  await expectToast(page, 'status', 'Account created!', 'You have successfully signed up.')
  await expect(page.getByRole('main')).toContainText(member.email)
  await expect(page.getByRole('main')).toContainText(member.username)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await expect(page.getByText('Account created!')).toHaveCount(0)
})

test('signing out ends the session; a sign-in returns to the page', async ({ page, member, context }) => {
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/:\d+\/$/)
  const bar = page.getByRole('navigation', { name: 'Main' })
  await expect(bar.getByRole('link', { name: 'Sign In' })).toBeVisible()
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/auth\?/)

  await signIn(page, member)
  await expect(page).toHaveURL(/\/dashboard$/)
  await expectToast(page, 'status', 'Welcome back!', 'You have successfully signed in.')
  await expect(bar.getByRole('link', { name: 'Dashboard' })).toBeVisible()

  // A signed-in visitor who opens /auth is redirected to the dashboard.
  await page.goto('/auth')
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('main')).toContainText(member.email)

  await context.clearCookies()
  await page.goto('/dashboard?edit=profile')
  await expect(page).toHaveURL(/\/auth\?redirectTo=/)
  await signIn(page, member)
  await expect(page).toHaveURL(/\/dashboard\?edit=profile$/)
  await expect(page.getByLabel('Username')).toHaveValue(member.username)
})

interface Case {
  fields: Record<string, string>
  /** The first message, and its field. */
  message: string
  field: string
  hint?: string
  /** The number of invalid fields. */
  count: number
}

const refusals: Case[] = [
  { fields: {}, message: 'Invalid email address', field: 'Email', count: 3 },
  {
    fields: { email: 'not an address', password: '1' },
    message: 'Invalid email address',
    field: 'Email',
    count: 3,
  },
  {
    fields: { email: 'a@example.com', password: '12345', username: 'x' },
    message: 'Password must be at least 6 characters',
    field: 'Password',
    hint: 'At least 6 characters',
    count: 2,
  },
  {
    fields: { email: 'a@example.com', password: '123456', username: ' x ' },
    message: 'Username must be at least 3 characters',
    field: 'Username',
    hint: 'At least 3 characters',
    count: 1,
  },
]

test('a sign-up with invalid fields says why at each, and keeps the others', async ({ page }) => {
  for (const { fields, message, field, hint, count } of refusals) {
    await page.goto('/auth?mode=sign-up')
    for (const [name, value] of Object.entries(fields)) await page.locator(`input[name=${name}]`).fill(value)
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expectToast(page, 'alert', 'Validation Error', message)
    const faulty = page.getByLabel(field)
    await expect(faulty).toHaveAttribute('aria-invalid', 'true')
    await expect(faulty).toHaveAccessibleDescription(hint ? `${message} ${hint}` : message)
    await expect(faulty).toBeFocused()
    await expect(page.locator('[aria-invalid=true]')).toHaveCount(count)
    await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(fields.email ?? '')
    await expect(page.getByLabel('Password')).toHaveValue('')
  }
})

test('the form has two modes and marks required fields', async ({ page, javaScriptEnabled }) => {
  await page.goto('/auth')
  await expect(page.getByLabel('Username')).toHaveCount(0)
  await expectAccessible(page, javaScriptEnabled)
  await page.getByRole('link', { name: "Don't have an account? Sign up" }).click()
  await expect(page).toHaveURL(/mode=sign-up/)
  for (const label of ['Username', 'Email', 'Password'])
    await expect(page.getByLabel(label)).toHaveAttribute('required', '')
  await expectAccessible(page, javaScriptEnabled)
  await page.getByRole('link', { name: 'Already have an account? Sign in' }).click()
  await expect(page.getByLabel('Username')).toHaveCount(0)
})

test('a wrong password and, with confirmations off, an email address that is already in use are reported; the form keeps the email address', async ({
  page,
  member,
  context,
}) => {
  await context.clearCookies()
  await page.goto('/auth')
  await signIn(page, { email: member.email, password: 'not the password' })
  await expectToast(page, 'alert', 'Error', 'Invalid login credentials')
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(member.email)
  await expect(page.getByLabel('Password')).toHaveValue('')
  await expect(page.getByLabel('Password')).toBeFocused()
  await signIn(page, member)
  await expect(page).toHaveURL(/\/dashboard$/)

  await context.clearCookies()
  await signUp(page, { ...newMember(), email: member.email })
  await expectToast(page, 'alert', 'Error', 'User already registered')
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused()
})

test('signing in never leads to another site or back to the form', {
  tag: '@repeated-without-script',
}, async ({ page, member, context, sites }) => {
  // app/platform/server/redirect.test.ts tries every spelling of such targets.
  for (const elsewhere of ['https://evil.example', '/.//evil.example', '/auth']) {
    await context.clearCookies()
    await page.goto(`/auth?redirectTo=${encodeURIComponent(elsewhere)}`)
    await signIn(page, member)
    await expect(page, elsewhere).toHaveURL(`${sites.empty}/dashboard`)
  }
})

test('with confirmations on, the mailed link leads to the dashboard', async ({ page, sites }) => {
  const member = newMember()
  await signUp(page, member, sites.confirming)
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  // A person who typed a wrong address sees it here.
  await expect(page.getByRole('main')).toContainText(member.email)

  const { link } = await nextMail(sites.confirmingMail, member.email)
  expect(link).toContain(`${sites.confirming}/auth/confirm`)

  // Mail scanners open links: opening the link twice must not use the token.
  await page.request.get(link)
  await page.goto(link)
  await page.getByRole('button', { name: 'Confirm and sign in' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('main')).toContainText(member.email)

  await page.goto(link)
  await page.getByRole('button', { name: 'Confirm and sign in' }).click()
  await expectToast(page, 'alert', 'Error', 'Email link is invalid or has expired')
})

test('with confirmations on, sign-up does not reveal that an address is in use', async ({ page, sites }) => {
  const member = newMember()
  for (const username of [member.username, 'Somebody else']) {
    await signUp(page, { ...member, username }, sites.confirming)
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  }
})
