import { expect, expectAccessible, test } from './fixtures.ts'

test.describe('modal dialogs need JavaScript: without it the same URL shows the dialog in the page', () => {
  test('Escape closes a dialog, and the focus returns to the control that opened it', async ({ page }) => {
    await page.goto('/voting')
    const opener = page.getByRole('link', { name: /View Details/ }).nth(1)
    await opener.click()
    await expect(page.locator('dialog:modal')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.locator('dialog:modal')).toHaveCount(0)
    await expect(page).toHaveURL(/\/voting$/)
    await expect(opener).toBeFocused()
  })

  test("a campaign's title opens the campaign as a modal, with its Share button", async ({ page }) => {
    await page.goto('/giveback')
    const opener = page.getByRole('link', { name: 'School Bags for Every Pupil' })
    await opener.click()
    const modal = page.locator('dialog:modal')
    await expect(modal.getByRole('heading', { name: 'School Bags for Every Pupil' })).toBeVisible()
    await expect(modal.getByRole('button', { name: 'Vote to Fund' })).toBeDisabled()
    await expect(modal.getByRole('button', { name: 'Share' })).toBeVisible()
    await expect(page).toHaveURL(/\/giveback\/school-bags$/)
    await expectAccessible(page, true)
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(/\/giveback$/)
    await expect(opener).toBeFocused()
  })
})

test.describe('copying needs JavaScript: without it the page has a plain link', () => {
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

test.describe('the age of the data needs JavaScript: without it pages show the time', () => {
  for (const [minutes, ago, late] of [
    [3, '3 minutes ago', false],
    [150, '2 hours ago', true],
  ] as const)
    test(`shows that the chain was read ${ago}`, async ({ page }) => {
      // Chromium opens no socket from a page of a replaced response: the socket is replaced too.
      await page.routeWebSocket(/\/live$/, () => {})
      // The page is an old one of the cache: a script adds its age, and the warning that it now needs.
      await page.route('**/transparency', async (route) => {
        const answer = await route.fetch()
        const at = new Date(Date.now() - minutes * 60_000).toISOString()
        const told = `<p>Read <time datetime="${at}" data-ageing="">then</time></p><p hidden data-late="900">Late</p>`
        await route.fulfill({
          response: answer,
          body: (await answer.text()).replace('</h1>', `</h1>${told}`),
        })
      })
      await page.goto('/transparency')
      await expect(page.getByText(`Read then (${ago})`)).toBeVisible()
      await expect(page.getByText('Late', { exact: true })).toBeVisible({ visible: late })
    })
})
