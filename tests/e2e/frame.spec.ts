import { expect, expectAccessible, test } from './fixtures.ts'

const pages = [
  ['/', 'Home'],
  ['/cz-call', 'CZ Call'],
  ['/voting', 'Impact Pools'],
  ['/giveback', 'FundMe'],
  ['/transparency', 'Transparency'],
  ['/about', 'About'],
] as const

test('every page has the navigation bar with its own link highlighted, and the footer', {
  tag: '@repeated-without-script',
}, async ({ page }) => {
  for (const [path, label] of pages) {
    const response = await page.goto(path)
    expect(response?.status(), path).toBe(200)
    const bar = page.getByRole('navigation', { name: 'Main' })
    const links = bar.getByRole('list').getByRole('link')
    await expect(links).toHaveText(pages.map(([, name]) => name))
    await expect(bar.locator('[aria-current=page]:visible')).toHaveText(label)
    await expect(bar.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/auth')
    await expect(page.getByRole('heading', { level: 1 }), path).toHaveCount(1)
    const footer = page.getByRole('contentinfo')
    for (const [to, name] of pages)
      await expect(footer.getByRole('link', { name, exact: true })).toHaveAttribute('href', to)
    await expect(footer).toContainText('not officially affiliated')
    await expect(footer).toContainText('2025')
  }
})

test('on a screen below lg the links are in a menu that opens without JavaScript', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/')
  const bar = page.getByRole('navigation', { name: 'Main' })
  await expect(bar.getByRole('link', { name: 'About' })).toBeHidden()
  await bar.locator('summary:visible').press('Enter')
  await expect(bar.getByRole('link', { name: 'About' })).toBeVisible()
  await bar.getByRole('link', { name: 'About' }).click()
  await expect(page).toHaveURL(/\/about$/)
})

test('no page scrolls horizontally at 320 px', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  for (const path of [
    ...pages.map(([to]) => to),
    '/transparency/verify',
    '/auth',
    '/auth?mode=sign-up',
    '/unknown',
  ]) {
    await page.goto(path)
    const right = await page.locator('body').boundingBox()
    expect(right?.width, path).toBeLessThanOrEqual(320)
    const wide = await page.locator('body *:visible').evaluateAll((all) =>
      all
        .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
        .filter((element) => !element.closest('[data-scrolls], .sr-only, .skip'))
        .map((element) => element.outerHTML.slice(0, 120)),
    )
    expect(wide, path).toEqual([])
  }
})

test('an unknown URL shows the 404 page', async ({ page, javaScriptEnabled }) => {
  const response = await page.goto('/no/such/page')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
  await expectAccessible(page, javaScriptEnabled)
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await expect(page).toHaveURL(/:\d+\/$/)
})

test('the skip link leads to the content', async ({ page }) => {
  await page.goto('/about')
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to content' })
  await expect(skip).toBeFocused()
  await skip.press('Enter')
  await expect(page.locator('#content')).toBeFocused()
})
