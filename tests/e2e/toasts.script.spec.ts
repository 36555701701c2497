/** Without JavaScript a toast stays where it is on the page. */
import { expect, newMember, signUp, test } from './fixtures.ts'

test('a toast appears in a live region that was empty, and its button removes it', async ({ page }) => {
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    new MutationObserver(() => {
      const region = document.querySelector('.toast-float')
      const text = region ? `${region.getAttribute('role')}: ${region.textContent?.replace('✕', '')}` : ''
      if (text && seen.at(-1) !== text) seen.push(text)
    }).observe(document, { childList: true, subtree: true })
  })
  await signUp(page, newMember())
  await expect(page).toHaveURL(/\/dashboard$/)
  const toast = page.getByRole('status').filter({ hasText: 'Account created!' })
  await expect(toast).toHaveCount(1)
  await expect
    .poll(() => page.evaluate(() => (window as never as { seen: string[] }).seen))
    .toEqual(['status: ', 'status: Account created!You have successfully signed up.'])
  await toast.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText('Account created!')).toBeHidden()
})

test('a toast disappears after 8 seconds unless it is hovered or focused', async ({ page, sites }) => {
  await page.clock.install()
  await page.goto(`${sites.filled}/donate?to=treasury&token=DEMOUSD&amount=20`)
  // Stops the clock, because otherwise the time that this test waits for the browser would also count.
  await page.clock.pauseAt(Date.now() + 10_000)
  const copy = page.getByRole('button', { name: /^Copy/ }).first()
  await page.context().grantPermissions(['clipboard-write'])
  const toast = page.getByRole('status').filter({ hasText: 'Copied to clipboard!' })
  const show = async () => {
    await copy.click()
    // The fake clock does not affect the clipboard.
    await expect(page.locator('.toast-float')).toHaveCount(1)
    await page.clock.runFor(200)
    await expect(toast).toBeVisible()
  }
  await show()
  await page.clock.runFor(7_500)
  await expect(toast).toBeVisible()
  await page.clock.runFor(600)
  await expect(toast).toHaveCount(0)

  await show()
  await toast.hover()
  await page.clock.runFor(20_000)
  await expect(toast).toBeVisible()
  await page.mouse.move(0, 0)
  await page.clock.runFor(8_100)
  await expect(toast).toHaveCount(0)

  await show()
  await toast.getByRole('button', { name: 'Dismiss' }).focus()
  await page.clock.runFor(20_000)
  await expect(toast).toBeVisible()
  await copy.focus()
  await page.clock.runFor(8_200)
  await expect(toast).toHaveCount(0)
})

test("a destructive toast stays, with and without the framework's script", async ({ page, context }) => {
  await page.clock.install()
  await page.goto('/auth')
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  await expect(page.locator('.toast-float')).toHaveCount(1)
  await page.clock.runFor(30_000)
  const toast = page.getByRole('alert').filter({ hasText: 'Validation Error' })
  await expect(toast).toBeVisible()
  await expect(toast).toHaveCount(1)

  await context.addCookies([{ name: 'notice', value: 'link-expired', url: page.url() }])
  await page.goto('/')
  await page.clock.runFor(30_000)
  await expect(page.getByRole('alert').filter({ hasText: 'invalid or has expired' })).toHaveCount(1)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText('invalid or has expired')).toBeHidden()
})

test('a toast never covers the control that caused it', async ({ page, sites }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await page.context().grantPermissions(['clipboard-write'])
  for (const place of ['end', 'center', 'start'] as const) {
    await page.goto(`${sites.filled}/donate?to=treasury&token=DEMOUSD&amount=20`)
    const copy = page.getByRole('button', { name: /^Copy/ }).first()
    await copy.evaluate((button, block) => button.scrollIntoView({ block }), place)
    await copy.click()
    const toast = page.getByRole('status').filter({ hasText: 'Copied to clipboard!' })
    await expect(toast).toBeVisible()
    const [over, under] = await Promise.all([toast.boundingBox(), copy.boundingBox()])
    if (!over || !under) throw new Error('not shown')
    expect(over.y >= under.y + under.height || over.y + over.height <= under.y, place).toBe(true)
  }
})

test('a toast replaces the previous toast, and no page shows both', async ({ page, member }) => {
  await page.addInitScript(() => {
    const together: string[] = []
    Object.assign(window, { together })
    new MutationObserver(() => {
      const toasts = [...document.querySelectorAll('.toast')].map(({ textContent }) => textContent ?? '')
      if (toasts.length > 1) together.push(toasts.join(' + '))
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/dashboard/account')
  const change = async (current: string, chosen: string) => {
    await page.getByLabel('Current password').fill(current)
    await page.getByLabel('New password').fill(chosen)
    await page.getByRole('button', { name: 'Change password' }).click()
  }
  await change('', 'quite another')
  await expect(page.getByText('Please enter your current password').first()).toBeVisible()
  await change(member.password, '12345')
  const second = page.locator('.toast-float').filter({ hasText: 'at least 6 characters' })
  await expect(second).toBeVisible()
  expect(await page.evaluate(() => (window as never as { together: string[] }).together)).toEqual([])
})
