import { expect, test } from './fixtures.ts'

test('the keyboard reaches each disabled button of FundMe, which states why', async ({ page }) => {
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

test('without the URL of our profile on a platform, no page names the profile', async ({ page }) => {
  await page.goto('/contact')
  await expect(page.getByText('Our profile on X')).toHaveCount(0)
  await page.goto('/about')
  await expect(page.getByText('Join the Telegram')).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('link', { name: 'Contact us' })).toBeVisible()
  await page.goto('/')
  for (const label of ['Follow us', 'Join the community', 'See the token chart'])
    await expect(page.getByText(label)).toHaveCount(0)
})

const totals = /^Share Goodblock: \$[\d,.]+ given, \$[\d,.]+ in the treasury$/
const shared = [
  ['a row', '/transparency/1', /^Share \$[\d,.]+ /],
  ['a call', '/cz-call', /^Share \$[\d,.]+, \d+ .* said on \d+ \w+ \d{4}$/],
  ['the totals', '/transparency', totals],
  ['the totals on Home', '/', totals],
  ['a pool', '/voting/education', /^Share Education Programme: \$[\d,.]+ given, \$[\d,.]+ left$/],
] as const
test(`the Share links of ${shared.map(([what]) => what).join(', ')} state the figures, and copy the same text`, async ({
  page,
  context,
  sites,
  javaScriptEnabled,
}) => {
  if (javaScriptEnabled) await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  for (const [, path, title] of shared) {
    await page.goto(sites.demo + path)
    const share = page.getByRole('link', { name: title }).first()
    const target = new URL((await share.getAttribute('href')) ?? '', sites.demo)
    if (javaScriptEnabled) {
      await share.click()
      await expect(page.getByRole('status').getByText('Copied to clipboard!')).toBeVisible()
      const copied = await page.evaluate(() => navigator.clipboard.readText())
      expect(`Share ${copied}`).toBe(`${(await share.textContent())?.trim()} ${target}`)
    }
    await page.goto(target.href)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    if (target.hash) await expect(page.locator(target.hash)).toBeVisible()
  }
})

test('a printed page has whole hashes, its URL and date, and no navigation', async ({ page, sites }) => {
  await page.emulateMedia({ media: 'print' })
  const path = '/transparency?type=donation'
  await page.goto(sites.demo + path)
  for (const chrome of ['body > header', 'body > footer', 'nav', 'main form', '.no-print', '.copy'])
    for (const element of await page.locator(chrome).all()) await expect(element, chrome).toBeHidden()
  const dayOf = (time: number) =>
    new Date(time).toLocaleDateString('en-GB', {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    })
  // The cached page may be a minute old and show the previous day's date.
  const days = [Date.now(), Date.now() - 600_000].map(dayOf).join('|')
  const address = `${sites.demo}${path}`.replaceAll(/[.?]/g, '\\$&')
  await expect(page.getByText(new RegExp(`${address}, as of (${days}) \\(UTC\\)`))).toBeVisible()
  const hash = page.locator('#history td a.hash[title]').last()
  const { content, size } = await hash.evaluate((link) => ({
    content: getComputedStyle(link, '::after').content,
    size: getComputedStyle(link).fontSize,
  }))
  expect(content).toBe(`"${await hash.getAttribute('title')}"`)
  expect(size).toBe('0px')
})

test('on a narrow screen and on paper, no badge of a row covers its amount or hash', {
  tag: '@repeated-without-script',
}, async ({ page, sites }) => {
  for (const [media, width] of [
    ['screen', 320],
    ['screen', 360],
    ['print', 720],
  ] as const) {
    await page.emulateMedia({ media })
    await page.setViewportSize({ width, height: 1000 })
    for (const filter of ['status=mismatch', 'type=dream', 'type=spending']) {
      await page.goto(`${sites.demo}/transparency?${filter}`)
      const overlaps = await page.locator('#history tbody tr').evaluateAll((rows) =>
        rows.map((row) => {
          const boxes = Array.from(row.querySelectorAll('.badge, .rows-details, .rows-amount'), (part) =>
            part.getBoundingClientRect(),
          )
          return boxes.some((a, at) =>
            boxes
              .slice(at + 1)
              .some((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom),
          )
        }),
      )
      expect(overlaps, `${media} ${filter}`).not.toHaveLength(0)
      expect(overlaps, `${media} ${filter}`).not.toContain(true)
    }
    if (media === 'screen') continue
    // A wallet address beside a pool's name is not cut off.
    const party = page.locator('#history .rows-party').first()
    expect(await party.evaluate((cell) => cell.scrollWidth <= cell.clientWidth)).toBe(true)
  }
})
