import { expect, expectAccessible, test } from './fixtures.ts'

test('the menu changes the language of this page, and of the pages that have no URL for it', async ({
  page,
  javaScriptEnabled,
}) => {
  await page.goto('/transparency?type=gift')
  const bar = page.getByRole('navigation', { name: 'Main' })
  await bar.locator('summary:visible').click()
  await expectAccessible(page, javaScriptEnabled)
  await bar.getByRole('button', { name: 'Türkçe' }).click()
  await expect(page).toHaveURL(/\/tr\/transparency\?type=gift$/)
  await expect(page.locator('html')).toHaveAttribute('lang', 'tr')
  await page.locator('.bar a[href="/auth?lang=tr"]').click()
  await expect(page).toHaveURL(/\/auth$/)
  await expect(page.locator('html')).toHaveAttribute('lang', 'tr')
  await page.getByRole('contentinfo').getByRole('button', { name: 'العربية' }).click()
  await expect(page).toHaveURL(/\/auth$/)
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await page.getByRole('contentinfo').getByRole('button', { name: 'English' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  expect((await page.context().cookies()).filter(({ name }) => name === 'lang')).toEqual([])
})
