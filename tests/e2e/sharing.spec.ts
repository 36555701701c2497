import { expect, test } from './fixtures.ts'

test('a keyboard reaches every disabled button of FundMe, and each has its reason', async ({ page }) => {
  for (const path of ['/giveback', '/giveback/school-bags']) {
    await page.goto(path)
    const buttons = page.getByRole('main').locator('button[aria-disabled]')
    const count = await buttons.count()
    expect(count).toBeGreaterThan(0)
    for (const button of await buttons.all()) {
      await button.focus()
      await expect(button).toBeFocused()
      await expect(button).toBeDisabled()
      await expect(button).toHaveAccessibleDescription(/FundMe/)
      await page.keyboard.press('Enter')
    }
    await expect(page).toHaveURL(new RegExp(`${path}$`))
  }
})

test('a place of ours without a configured URL is no link', async ({ page }) => {
  for (const [path, label] of [
    ['/', 'Follow us'],
    ['/', 'Join the community'],
    ['/', 'See the token chart'],
    ['/about', 'Join the Telegram'],
    ['/contact', 'Our profile on X'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByText(`${label} (not announced yet)`)).toBeVisible()
    await expect(page.getByRole('link', { name: label })).toHaveCount(0)
  }
})

test('a row, a call, a pool and the totals can be shared by a link whose title has the figures', async ({
  page,
  context,
  sites,
  javaScriptEnabled,
}) => {
  if (javaScriptEnabled) await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${sites.demo}/transparency?status=verified&type=donation`)
  const row = new URL(
    (await page.locator('#history td a[href^="/transparency/"]').first().getAttribute('href')) ?? '',
    sites.demo,
  )
  for (const [path, title] of [
    [row.pathname, /^Share \$[\d,.]+ to /],
    ['/cz-call', /^Share \$[\d,.]+ · \d+ .* said on \d+ \w+ \d{4}$/],
    ['/transparency', /^Share Goodblock: \$[\d,.]+ donated, \$[\d,.]+ in the treasury$/],
    ['/', /^Share Goodblock: \$[\d,.]+ donated, \$[\d,.]+ in the treasury$/],
    ['/voting/education', /^Share .*\$[\d,.]+/],
  ] as const) {
    await page.goto(sites.demo + path)
    const share = page.getByRole('link', { name: title }).first()
    const shared = new URL((await share.getAttribute('href')) ?? '', sites.demo)
    await share.click()
    if (javaScriptEnabled) {
      await expect(page.getByRole('status').getByText('Copied to clipboard!')).toBeVisible()
      const copied = await page.evaluate(() => navigator.clipboard.readText())
      expect(`Share ${copied}`).toMatch(new RegExp(title.source.replace(/\$$/, '')))
      expect(copied.endsWith(` ${shared}`), copied).toBe(true)
    }
    const response = await page.goto(shared.href)
    expect(response?.status() ?? 200, shared.href).toBe(200)
    if (shared.hash) await expect(page.locator(shared.hash)).toBeVisible()
  }
})

test('a printed page has no site chrome, whole hashes, its URL and its date', async ({ page, sites }) => {
  await page.emulateMedia({ media: 'print' })
  const path = '/transparency?type=donation'
  await page.goto(sites.demo + path)
  for (const chrome of ['body > header', 'body > footer', 'nav', 'main form', '.no-print', '.copy'])
    for (const element of await page.locator(chrome).all()) await expect(element, chrome).toBeHidden()
  const today = new Date().toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  await expect(page.getByText(`${sites.demo}${path}, as of ${today} (UTC)`)).toBeVisible()
  const hash = page.locator('#history td a.hash[title]').last()
  const { content, size } = await hash.evaluate((link) => ({
    content: getComputedStyle(link, '::after').content,
    size: getComputedStyle(link).fontSize,
  }))
  expect(content).toBe(`"${await hash.getAttribute('title')}"`)
  expect(size).toBe('0px')
})
