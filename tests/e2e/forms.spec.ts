import { expect, test } from './fixtures.ts'

test('the title of a sign-in page begins with "Error:" after the form is refused', async ({ page }) => {
  for (const [path, title, button] of [
    ['/auth', 'Sign in', 'Sign In'],
    ['/auth?mode=sign-up', 'Sign up', 'Sign Up'],
    ['/auth/forgot', 'Forgot your password?', 'Send email'],
    ['/auth/code', 'Sign in by email', 'Send email'],
  ] as const) {
    await page.goto(path)
    await expect(page, path).toHaveTitle(`${title} · Goodblock`)
    await page.getByRole('main').getByRole('button', { name: button }).click()
    await expect(page.getByText('Invalid email address').first()).toBeVisible()
    await expect(page, path).toHaveTitle(`Error: ${title} · Goodblock`)
  }
})

test('the title of a page with a member\'s form begins with "Error:" after the form is refused, and not after it is accepted', async ({
  page,
  member: _,
}) => {
  await page.goto('/dashboard?edit=profile')
  await page.getByLabel('Username').fill('ab')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page).toHaveTitle('Error: Dashboard · Goodblock')
  await page.getByLabel('Username').fill('Ana Maria')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Profile updated successfully')).toBeVisible()
  await expect(page).toHaveTitle('Dashboard · Goodblock')

  await page.goto('/dashboard/account')
  await expect(page).toHaveTitle('Account · Goodblock')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page).toHaveTitle('Error: Account · Goodblock')
})

test('every field for a secret or an email address has its autocomplete value', async ({ page, member }) => {
  const expected: Record<string, [label: string, autocomplete: string][]> = {
    '/auth': [
      ['Email', 'username'],
      ['Password', 'current-password'],
    ],
    '/auth?mode=sign-up': [
      ['Username', 'nickname'],
      ['Email', 'username'],
      ['Password', 'new-password'],
    ],
    '/dashboard/account': [
      ['New email', 'email'],
      ['Current password', 'current-password'],
      ['New password', 'new-password'],
    ],
  }
  for (const path of Object.keys(expected).reverse()) {
    if (path.startsWith('/auth')) await page.context().clearCookies()
    await page.goto(path)
    for (const [label, autocomplete] of expected[path] ?? [])
      await expect(page.getByLabel(label, { exact: true }), `${path} ${label}`).toHaveAttribute(
        'autocomplete',
        autocomplete,
      )
    if (path === '/dashboard/account')
      await expect(page.locator('input[autocomplete=username]').first()).toHaveValue(member.email)
  }
})
