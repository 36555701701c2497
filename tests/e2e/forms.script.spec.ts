/** Without JavaScript a password stays hidden, because only a script can show it. */
import { expect, test } from './fixtures.ts'

test('a button shows the password and hides it again, and sending the form hides it', async ({ page }) => {
  await page.goto('/auth')
  const password = page.getByLabel('Password')
  await password.fill('secret')
  const show = page.getByRole('button', { name: 'Show password' })
  await expect(show).toHaveAttribute('aria-pressed', 'false')
  await show.click()
  await expect(password).toHaveAttribute('type', 'text')
  await expect(password).toHaveValue('secret')
  await expect(show).toHaveAttribute('aria-pressed', 'true')
  await show.press('Enter')
  await expect(password).toHaveAttribute('type', 'password')
  await show.click()
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByText('Invalid email address').first()).toBeVisible()
  await expect(password).toHaveAttribute('type', 'password')
  const { height } = (await show.boundingBox()) ?? { height: 0 }
  expect(height).toBeGreaterThanOrEqual(24)
})
