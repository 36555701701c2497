import { expect, test } from './fixtures.ts'

test.describe('modal dialogs need script: without it the same address shows the dialog in the page', () => {
  test('Escape closes it and the focus returns to its opener', async ({ page }) => {
    await page.goto('/voting')
    const opener = page.getByRole('link', { name: /View Details/ }).nth(1)
    await opener.click()
    await expect(page.locator('dialog:modal')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.locator('dialog:modal')).toHaveCount(0)
    await expect(page).toHaveURL(/\/voting$/)
    await expect(opener).toBeFocused()
  })
})

test.describe('copying needs script: without it there is a plain link', () => {
  test('a campaign is shared by copying its title', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/giveback/school-bags')
    await page.getByRole('button', { name: /Share/ }).click()
    await expect(page.getByText('Link copied to clipboard!')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      'Check out: School Bags for Every Pupil',
    )
  })
})
