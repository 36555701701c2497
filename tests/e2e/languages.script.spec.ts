import type { Locator } from '@playwright/test'
import { publishedLocales } from '../../app/platform/locales/locales.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { findFaults } from './layout.ts'

// JavaScript is for axe, and the line that offers another language. The layout needs none.
test.use({ viewport: { width: 360, height: 740 } })

/** The pages with the most different parts. */
const paths = [
  '',
  '/voting',
  '/voting/education',
  '/giveback',
  '/about',
  '/terms',
  '/donate?to=education&token=DEMOUSD&amount=20',
  '/transparency',
  '/transparency/verify',
]

for (const code of ['ar', 'en-XA'])
  test(`in ${code} links are at least 24 px high, text at 200% is neither cut nor wider than the page, and axe finds nothing`, async ({
    page,
    sites,
  }) => {
    const found: string[] = []
    for (const path of paths) {
      found.push(...(await findFaults(page, [`${sites.pseudo}/${code}${path}`])))
      await expectAccessible(page, true)
    }
    expect(found).toEqual([])
  })

test('in every language the last step of giving fits 320 px with text at 200%', async ({ page, sites }) => {
  await page.setViewportSize({ width: 320, height: 740 })
  const prefixes = publishedLocales.map((code) => (code === 'en' ? '' : `/${code}`))
  for (const prefix of prefixes) {
    await page.goto(`${sites.filled}${prefix}/donate?to=education&token=DEMOUSD&amount=20`)
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%', 'important'))
    expect(await page.evaluate(() => document.documentElement.scrollWidth), prefix).toBeLessThanOrEqual(320)
  }
})

const turkish = 'ÂÇĞÎİÖŞÛÜâçğîöşûü'
const spanish = 'ÁÉÍÑÓÚÜáéíñóúü'

test('in the display font, a letter has one shape with and without a mark', async ({ page, sites }) => {
  // An i with a mark above it has no dot.
  const pairs = [...turkish, ...spanish].map((letter) => [
    letter,
    letter.normalize('NFD').charAt(0).replace('i', 'ı'),
  ])
  await page.goto(sites.demo)
  const wrong = await page.evaluate(async (all) => {
    const size = 100
    const canvas = new OffscreenCanvas(size * 2, size * 2)
    const context = canvas.getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D
    /** Returns the opacity of each pixel from the top of the unmarked letter down to the baseline. */
    const draw = (letter: string, height: number) => {
      context.clearRect(0, 0, canvas.width, canvas.height)
      context.fillText(letter, size / 2, size * 1.5)
      const { data } = context.getImageData(0, size * 1.5 - height, canvas.width, height)
      return data.filter((_, at) => at % 4 === 3)
    }
    const found: string[] = []
    for (const weight of [400, 750]) {
      context.font = `${weight} ${size}px "Bricolage Grotesque"`
      for (const [letter = '', base = ''] of all) {
        if (!(await document.fonts.load(context.font, letter + base)).length)
          found.push(`no font for ${letter}`)
        // Some marks touch their letters, so the highest and the lowest part are not compared.
        const height = Math.floor(context.measureText(base).actualBoundingBoxAscent * 0.85)
        const plain = draw(base, height).subarray(0, -canvas.width * 8)
        const marked = draw(letter, height).subarray(0, -canvas.width * 8)
        const differing = plain.filter(
          (opacity, at) => Math.abs(opacity - (marked[at] as number)) > 64,
        ).length
        if (differing > 0) found.push(`${letter} ${weight}: ${differing} pixels`)
      }
    }
    return found
  }, pairs)
  expect(wrong).toEqual([])
})

test('in every language the bar fits on one line, no page is wider than the window, and no headline breaks inside a word', async ({
  page,
  sites,
}) => {
  for (const code of publishedLocales) {
    await page.goto(`${sites.demo}/${code === 'en' ? '' : code}`)
    for (const width of [320, 360, 768, 1152, 1280, 1920]) {
      await page.setViewportSize({ width, height: 740 })
      const seen = await page.evaluate(() => {
        const title = document.querySelector('h1') as Element
        const text = document.createTreeWalker(title, NodeFilter.SHOW_TEXT)
        const broken: string[] = []
        let words = 0
        while (text.nextNode())
          for (const { 0: word, index } of (text.currentNode as Text).data.matchAll(
            /[^\s\p{Script=Han}]+/gu,
          )) {
            const range = document.createRange()
            range.setStart(text.currentNode, index)
            range.setEnd(text.currentNode, index + word.length)
            words++
            if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word)
          }
        return {
          broken,
          hasWords: words > 0,
          bar: document.querySelector('.bar')?.clientHeight,
          isWide: document.documentElement.scrollWidth > innerWidth,
        }
      })
      expect([code, width, seen]).toEqual([
        code,
        width,
        { broken: [], hasWords: true, bar: 64, isWide: false },
      ])
    }
  }
})

test('in Arabic amounts and hashes read from the left, and ribbons are mirrored', async ({ page, sites }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${sites.demo}/ar/transparency?direction=out`)
  const amount = page.locator('.rows-amount', { hasText: '−' }).first()
  expect(await areFromLeft(amount, ['−', '$', '.'])).toBe(true)
  expect(await areFromLeft(page.locator('.rows-details .hash').first(), ['0', 'x', '…'])).toBe(true)
  await page.goto(`${sites.demo}/ar/transparency`)
  const ribbons = page.locator('.flow-ribbons').first()
  // The ribbons meet the bars only if the drawing is mirrored.
  expect(await ribbons.evaluate((drawing) => getComputedStyle(drawing).transform)).toBe(
    'matrix(-1, 0, 0, 1, 0, 0)',
  )
})

/** Whether the first of each of these characters stand in this order from left to right. */
function areFromLeft(element: Locator, characters: string[]): Promise<boolean> {
  return element.evaluate((root, characters) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const lefts = new Map<string, number>()
    while (walker.nextNode())
      for (const character of characters) {
        const at = (walker.currentNode as Text).data.indexOf(character)
        if (at === -1 || lefts.has(character)) continue
        const range = document.createRange()
        range.setStart(walker.currentNode, at)
        range.setEnd(walker.currentNode, at + 1)
        lefts.set(character, range.getBoundingClientRect().left)
      }
    const found = characters.map((character) => lefts.get(character) ?? Number.NaN)
    return found.every((left, at) => at === 0 || left > (found[at - 1] as number))
  }, characters)
}

test.describe(() => {
  test.use({ locale: 'tr-TR' })

  test('the line that offers the browser language covers no text at the end of the page, and neither it nor the font shifts the page content', async ({
    page,
    sites,
  }) => {
    for (const path of ['/', '/tr', '/ar']) {
      await page.goto(sites.demo + path)
      const line = page.locator('[data-offer]:visible')
      await expect(line).toHaveCount(path === '/tr' ? 0 : 1)
      await page.evaluate(() => document.fonts.ready)
      const shift = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            new PerformanceObserver((list) => {
              const entries = list.getEntries() as (PerformanceEntry & { value: number })[]
              resolve(entries.reduce((all, { value }) => all + value, 0))
            }).observe({ type: 'layout-shift', buffered: true })
            setTimeout(() => resolve(0), 100)
          }),
      )
      expect([path, shift < 0.005]).toEqual([path, true])
      await page.setViewportSize({ width: 360, height: 780 })
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight + 500))
      const [end, top] = await page.evaluate(() => {
        const bottomOf = (element: Element | undefined) => element?.getBoundingClientRect().bottom ?? 0
        const offer = [...document.querySelectorAll<HTMLElement>('[data-offer]')].find((each) => !each.hidden)
        return [
          bottomOf([...document.querySelectorAll('footer p')].at(-1)),
          offer?.getBoundingClientRect().top ?? innerHeight,
        ]
      })
      expect([path, end <= top]).toEqual([path, true])
    }
    await page.locator('[data-offer]:visible button').click()
    await expect(page.locator('[data-offer]:visible')).toHaveCount(0)
    await page.goto(sites.demo)
    await expect(page.locator('[data-offer]:visible')).toHaveCount(0)
  })
})
