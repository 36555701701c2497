import type { Locator, Page } from '@playwright/test'

/** Returns the number of screens that a reader needs to see an element whole: 1 is the first screen. */
export function screensTo(element: Locator): Promise<number> {
  return element.evaluate((shown) => (shown.getBoundingClientRect().bottom + scrollY) / innerHeight)
}

/** Opens each page with every disclosure open. Returns the faults at the normal text size and at 200%. */
export async function findFaults(page: Page, urls: string[]): Promise<string[]> {
  const found: string[] = []
  for (const url of urls) {
    await page.goto(url)
    const faults = await page.evaluate(() => {
      const visible = (element: Element) =>
        element.checkVisibility() &&
        element.clientWidth !== 1 &&
        !element.closest('.sr-only, .skip, [data-scrolls], thead')
      const name = (element: Element) =>
        `${element.tagName} ${element.className} "${element.textContent?.trim().slice(0, 40)}"`
      for (const details of document.querySelectorAll('details:not(.menu)')) details.setAttribute('open', '')
      const low = [...document.querySelectorAll('a, button, summary, select, input:not([type=hidden])')]
        .filter(visible)
        .filter((element) => [...element.getClientRects()].some(({ height }) => height < 24))
        .map((element) => `less than 24 px high: ${name(element)}`)
      document.documentElement.style.setProperty('font-size', '200%', 'important')
      const shown = [...document.querySelectorAll('body *')].filter(visible)
      const beyond = shown
        .filter((element) => {
          const { left, right } = element.getBoundingClientRect()
          return right > innerWidth + 1 || left < -1
        })
        .map((element) => `beyond the edge at 200%: ${name(element)}`)
      const cut = shown
        .filter((element) => getComputedStyle(element).overflowX !== 'visible' && !element.matches('input'))
        .filter((element) => element.scrollWidth > element.clientWidth + 1)
        .map((element) => `cut at 200%: ${name(element)}`)
      const wide = document.documentElement.scrollWidth > innerWidth ? ['scrolls sideways at 200%'] : []
      return [...low, ...wide, ...beyond, ...cut]
    })
    found.push(...faults.map((fault) => `${new URL(url).pathname}: ${fault}`))
  }
  return found
}
