import { readFileSync } from 'node:fs'
import { expect, expectAccessible, test } from './fixtures.ts'

test('the rows on the page can be downloaded with the same filter', async ({ page, sites }) => {
  await page.goto(`${sites.demo}/transparency?type=donation&pool=education`)
  for (const [label, name] of [
    ['CSV', 'goodblock-ledger-donation-education.csv'],
    ['JSON', 'goodblock-ledger-donation-education.json'],
    ['NDJSON', 'goodblock-ledger-donation-education.ndjson'],
  ] as const) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: label, exact: true }).click(),
    ])
    expect(download.suggestedFilename()).toBe(name)
    const text = readFileSync(await download.path(), 'utf8')
    expect(text.match(/0xfa4e[0-9a-f]{60}/g)?.length, label).toBeGreaterThan(3)
    expect(text, label).not.toContain('animal-welfare')
  }
})

test('the page about the API links to every file and feed', async ({ page, sites, javaScriptEnabled }) => {
  await page.goto(`${sites.demo}/transparency`)
  await page.getByRole('link', { name: 'About these files' }).click()
  await expect(page.getByRole('heading', { name: 'Ledger data and API' })).toBeVisible()
  await expectAccessible(page, javaScriptEnabled)
  const paths = await page
    .locator('main a[href^="/"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') as string))
  expect(paths.length).toBeGreaterThan(9)
  for (const path of paths)
    expect((await page.request.get(sites.demo + path)).status(), path).toBeLessThan(400)
  await page.setViewportSize({ width: 320, height: 640 })
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(320)
})
