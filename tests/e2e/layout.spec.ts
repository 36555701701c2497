import type { Page } from '@playwright/test'
import { allLocales } from '../../app/locales/locales.ts'
import { splitPrefix } from '../../app/locales/paths.ts'
import { demoMember } from '../../supabase/embedded/demo.ts'
import { expect, startSession, test } from './fixtures.ts'
import { findFaults } from './layout.ts'

test.use({ viewport: { width: 360, height: 740 } })

/** The pages of the demonstration's sitemap, and public pages that no sitemap lists. */
async function listPublicPages(page: Page, site: string): Promise<string[]> {
  const sitemap = await (await page.request.get(`${site}/sitemap.xml`)).text()
  const listed = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)]
    .map(([, url]) => new URL(url as string))
    .filter(({ pathname }) => !splitPrefix(pathname, [...allLocales.values()]))
  const { transactions } = await (await page.request.get(`${site}/transparency.json?type=gift`)).json()
  return [
    ...listed.map(({ pathname }) => pathname),
    `/transparency/${transactions[0].id}`,
    '/transparency?type=donation',
    '/donate?to=education',
    '/donate?to=education&token=DEMOUSD&amount=20',
    `/donate/${transactions[0].tx_hash}`,
    `/donate/0x${'0'.repeat(64)}`,
    '/giveback/school-bags',
    '/auth',
    '/auth?mode=sign-up',
    '/auth/forgot',
    '/unknown',
  ]
}

test('at 360 px links are at least 24 px high, and text at 200% is neither cut nor wider than the page', async ({
  page,
  sites,
}) => {
  const paths = await listPublicPages(page, sites.demo)
  expect(paths).toContain('/transparency/wallets')
  expect(
    await findFaults(
      page,
      paths.map((path) => sites.demo + path),
    ),
  ).toEqual([])
})

test('at 360 px the pages of a member have the same limits for links and text as public pages, and the bar fits on one line', async ({
  page,
  sites,
}) => {
  await startSession(page.context(), sites.demo, demoMember)
  const paths = ['/dashboard', '/dashboard/account', '/dashboard/account/factor', '/dashboard/account/delete']
  expect(
    await findFaults(
      page,
      paths.map((path) => sites.demo + path),
    ),
  ).toEqual([])
  await page.goto(sites.demo)
  const bar = page.getByRole('navigation', { name: 'Main' })
  await expect(bar.getByRole('link', { name: 'Dashboard' })).toBeVisible()
  await expect(bar.locator('img')).toBeInViewport()
  for (const width of [360, 480, 640, 1023, 1024, 1080, 1280]) {
    await page.setViewportSize({ width, height: 740 })
    expect([width, (await bar.boundingBox())?.height]).toEqual([width, 64])
  }
})

test('no table is wider than its column; on a desktop a row has one line, plus one for a purpose, a name or a problem', async ({
  page,
  sites,
}) => {
  for (const path of ['/', '/transparency', '/voting/humanitarian-relief', '/transparency/wallets']) {
    await page.goto(sites.demo + path)
    for (const width of [320, 360, 640, 1024, 1180, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 })
      const wide = await page.evaluate(() =>
        [...document.querySelectorAll('table')]
          .filter((table) => table.checkVisibility() && !table.closest('.sr-only'))
          .filter((table) => {
            const column = table.parentElement as Element
            return table.getBoundingClientRect().right > column.getBoundingClientRect().right + 1
          })
          .map(({ className }) => className),
      )
      expect([path, width, wide]).toEqual([path, width, []])
    }
  }
  await page.goto(`${sites.demo}/transparency`)
  await page.setViewportSize({ width: 1280, height: 800 })
  const heights = await page.locator('.rows tbody tr').evaluateAll((rows) =>
    rows.map((row) => {
      const partyLines = [':has(.rows-party > span + span)', ':has([title$="as named by us"])'].filter(
        (part) => row.matches(part),
      ).length
      const statusLines = row.matches('[data-status="verified"]') ? 0 : 1
      return row.getBoundingClientRect().height - Math.max(partyLines, statusLines) * 25
    }),
  )
  expect(heights).toHaveLength(25)
  expect(Math.max(...heights)).toBeLessThan(45)
})
