import type { Page } from '@playwright/test'
import { allLocales } from '../../app/platform/locales/locales.ts'
import { splitPrefix } from '../../app/platform/locales/paths.ts'
import { demoMember } from '../../supabase/embedded/demo.ts'
import { expect, startSession, test } from './fixtures.ts'
import { findFaults, screensTo } from './layout.ts'

test.use({ viewport: { width: 360, height: 740 } })

/** The pages in the demonstration's sitemap, and public pages that no sitemap lists. */
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

test('at 360 px links are 24 px high; text at 200% is neither cut nor too wide', async ({ page, sites }) => {
  const paths = await listPublicPages(page, sites.demo)
  expect(paths).toContain('/transparency/wallets')
  expect(
    await findFaults(
      page,
      paths.map((path) => sites.demo + path),
    ),
  ).toEqual([])
})

test('at 360 px the pages for members meet the same limits for links and text as public pages, and the bar fits on one line', async ({
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

test('no table is wider than its column; on a desktop a row has one line, and a second line only for a purpose, a name or a problem', async ({
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
  await page.goto(`${sites.demo}/transparency?rows=all`)
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

test('the links below the bar of /transparency fade where more links follow', async ({ page, sites }) => {
  const line = page.locator('.subnav ul')
  const fade = () => line.evaluate((list) => getComputedStyle(list).maskPosition)
  await page.goto(`${sites.demo}/transparency`)
  expect(await fade()).toBe('-48px 50%')
  await page.goto(`${sites.demo}/transparency/api`)
  await line.evaluate((list) => list.scrollTo(list.scrollWidth, 0))
  await expect.poll(fade).toBe('0px 50%')
  await page.goto(`${sites.demo}/ar/transparency`)
  expect(await fade()).toBe('0px 50%')
  // Wide enough for all links.
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect.poll(() => line.evaluate((list) => getComputedStyle(list).maskImage)).toBe('none')
})

test('at 360 px no date breaks; field, select and button have one height', async ({ page, sites }) => {
  for (const path of ['/', '/cz-call', '/voting', '/transparency', '/transparency/acts', '/tr/voting']) {
    await page.goto(sites.demo + path)
    const broken = await page.evaluate(() =>
      [...document.querySelectorAll('time')]
        .filter(
          (time) => time.checkVisibility() && !time.closest('.sr-only') && time.getClientRects().length > 1,
        )
        .map(({ textContent }) => textContent),
    )
    expect([path, broken]).toEqual([path, []])
  }
  await page.goto(`${sites.demo}/transparency?type=donation`)
  const heights = await page
    .locator('main form')
    .first()
    .locator('input:not([type=hidden]), select, button')
    .evaluateAll((controls) => controls.map((control) => control.getBoundingClientRect().height))
  expect(heights.length).toBeGreaterThan(5)
  expect(new Set(heights).size, `${heights}`).toBe(1)
})

test('the links of the bar stay in place from page to page', async ({ page, sites }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  const places = async (path: string) => {
    await page.goto(sites.demo + path)
    const links = page.getByRole('navigation', { name: 'Main' }).locator('.bar-wide a')
    return links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().x))
  }
  const first = await places('/')
  expect(first).toHaveLength(6)
  for (const path of ['/cz-call', '/transparency', '/about']) expect(await places(path)).toEqual(first)
})

test('from a width of 48rem the bar has the menu of languages, and is one line', async ({ page, sites }) => {
  for (const path of ['/', '/zh', '/tr', '/es', '/ar']) {
    await page.goto(sites.demo + path)
    for (const width of [768, 1024, 1279, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const bar = page.locator('.bar')
      const box = await bar.boundingBox()
      expect(box?.height, `${path} ${width}`).toBeLessThan(80)
      await expect(bar.locator('.bar-language > summary'), `${path} ${width}`).toBeVisible()
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${path} ${width}`).toBe(width)
    }
  }
  const menu = page.locator('.bar-language')
  await menu.locator('summary').click()
  await menu.getByRole('button', { name: 'English' }).click()
  await expect(page).toHaveURL(`${sites.demo}/`)
})

test('from a width of 60rem the figures of a pool are beside its picture and stay on the screen; on a phone they are above the picture', async ({
  page,
  sites,
}) => {
  const boxOf = async (selector: string) => {
    const box = await page.locator(selector).first().boundingBox()
    if (!box) throw new Error(`${selector} is not on the page`)
    return box
  }
  await page.goto(`${sites.demo}/voting/education`)
  for (const width of [960, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 })
    await page.evaluate(() => scrollTo(0, 0))
    const [figures, picture] = [await boxOf('#pool-figures'), await boxOf('.pool-picture')]
    expect(figures.x, `${width}`).toBeGreaterThan(picture.x + picture.width)
    expect(figures.y, `${width}`).toBeLessThan(picture.y + picture.height / 2)
    expect(figures.y + figures.height, `${width}`).toBeLessThanOrEqual(800)
    await page.evaluate(() => scrollTo(0, 900))
    await expect(page.locator('#pool-figures')).toBeInViewport({ ratio: 1 })
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await page.evaluate(() => scrollTo(0, 0))
  const [figures, picture] = [await boxOf('#pool-figures'), await boxOf('.pool-picture')]
  expect(figures.y + figures.height).toBeLessThanOrEqual(picture.y)
  expect(picture.y + picture.height).toBeLessThan(844)
})

test('CZ Call shows three calls and, on request, all calls, each with Proof and Share on one line, and does not repeat a time that is the same in the time zone of the visitor', async ({
  page,
  sites,
}) => {
  await page.goto(`${sites.demo}/cz-call`)
  const calls = page.locator('#calls [data-key]')
  await expect(calls).toHaveCount(3)
  expect(await screensTo(calls.last())).toBeLessThanOrEqual(3)
  await page.getByRole('link', { name: 'All calls' }).click()
  await expect(calls).toHaveCount(5)
  const lines = await calls.evaluateAll((all) =>
    all.map((call) => {
      const [proof, share] = ['.folded-row summary', '.folded-row > :last-child'].map((selector) =>
        call.querySelector(selector)?.getBoundingClientRect(),
      )
      return proof && share && Math.abs(proof.top + proof.height / 2 - share.top - share.height / 2) < 8
    }),
  )
  expect(lines).toEqual(lines.map(() => true))
  await expect(page.getByText('your time')).toHaveCount(0)
  expect(await screensTo(calls.last())).toBeLessThanOrEqual(5.5)
})

test('a photograph of any size has the same frame, never cut or stretched', async ({ page, sites }) => {
  const answer = await page.request.get(`${sites.demo}/voting/education`)
  // Without script: a page that the test serves has no socket.
  const plain = (await answer.text()).replaceAll(/<script[\s\S]*?<\/script>/g, '')
  for (const [width, height] of [
    [600, 2400],
    [6000, 500],
    [24, 24],
    [1500, 1500],
  ] as const) {
    const shown = plain.replace(
      /(src="\/drawings\/scenes\/[a-z]+\.svg"[^>]*?) width="480" height="270"/g,
      `$1 width="${width}" height="${height}"`,
    )
    expect(shown).not.toBe(plain)
    await page.route('**/voting/education', (route) => route.fulfill({ response: answer, body: shown }))
    await page.route('**/drawings/scenes/*', (route) =>
      route.fulfill({
        contentType: 'image/svg+xml',
        body: `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%"/></svg>`,
      }),
    )
    for (const viewport of [320, 1280]) {
      await page.setViewportSize({ width: viewport, height: 800 })
      await page.goto(`${sites.demo}/voting/education`)
      const frames = await page.locator('figure .update-picture').evaluateAll((all) =>
        all.map((picture) => {
          const box = picture.getBoundingClientRect()
          const isLead = picture.matches('.pool-picture')
          return {
            isLow: box.height <= box.width / (isLead ? 1.7 : 1.77) + 1,
            isWhole: getComputedStyle(picture).objectFit === 'contain',
            caption: picture.nextElementSibling?.textContent,
          }
        }),
      )
      expect(frames.length).toBeGreaterThan(0)
      for (const frame of frames) expect(frame).toEqual({ isLow: true, isWhole: true, caption: 'Drawing' })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport)
    }
    await page.unrouteAll()
  }
})
