/** Measures loading and rendering in Chromium. */
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { browserArguments, browserPath, installBrowser } from '../../scripts/browser.ts'
import { type Backend, startBackend } from './backend.ts'
import { type Front, listen, startFront } from './front.ts'
import { buildPeer } from './peer-spa/build.ts'
import { add } from './report.ts'
import { signIn, startSite } from './site.ts'
import { median, spread } from './statistics.ts'
import type { Worker } from './workerd.ts'

/** Lighthouse's mobile profile, as its applied throttling sets it: slow 4G, a processor four times slower. */
const slow4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1474.56 * 1024) / 8,
  uploadThroughput: (675 * 1024) / 8,
}
const phone = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
}

interface Request {
  url: string
  type: string
  bytes: number
}

interface Visit {
  page: Page
  /** Every request that got a response, with its bytes on the wire (headers and body); 0 until it is complete. */
  requests(): Request[]
}

/** Opens a URL in a new page of the context. In a new context the cache is empty. */
async function visit(context: BrowserContext, url: string, throttled: boolean): Promise<Visit> {
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  const requests = new Map<string, Request>()
  cdp.on('Network.responseReceived', ({ requestId, response, type }) =>
    requests.set(requestId, { url: response.url, type, bytes: 0 }),
  )
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const request = requests.get(requestId)
    if (request) request.bytes = encodedDataLength
  })
  await cdp.send('Network.enable')
  if (throttled) {
    await cdp.send('Network.emulateNetworkConditions', slow4G)
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  }
  await page.goto(url, { waitUntil: 'networkidle', timeout: 60_000 })
  return { page, requests: () => [...requests.values()] }
}

/** The largest contentful paint so far, in milliseconds from the start of the navigation, and its element. */
function readLargestPaint(page: Page): Promise<{ at: number; what: string }> {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        new PerformanceObserver((list) => {
          const last = list.getEntries().at(-1) as PerformanceEntry & { element?: Element; url?: string }
          resolve({ at: last.startTime, what: last.url || (last.element?.localName ?? '') })
        }).observe({ type: 'largest-contentful-paint', buffered: true })
      }),
  )
}

async function measurePaint(browser: Browser, site: Front, peer: Front, repetitions: number): Promise<void> {
  const paint = async (url: string) => {
    const context = await browser.newContext(phone)
    const { page } = await visit(context, url, true)
    const largest = await readLargestPaint(page)
    await context.close()
    return largest
  }
  await paint(site.url)
  await paint(peer.url)
  const own: number[] = []
  const others: number[] = []
  const elements = new Set<string>()
  for (let i = 0; i < repetitions; i++) {
    const one = await paint(peer.url)
    const other = await paint(site.url)
    others.push(one.at)
    own.push(other.at)
    elements.add(`${other.what} here, ${one.what} there`)
  }
  const ratios = own.map((at, i) => at / (others[i] ?? 0))
  add({
    what: 'Home, first visit on a slow phone: LCP over the single-page peer’s',
    measured: spread(ratios),
    aim: '≤ 0.5',
    reached: median(ratios) <= 0.5,
    note: `${spread(own, 0)} ms and ${spread(others, 0)} ms; the element is ${[...elements].join('; ')}.`,
  })
}

async function measureBytes(browser: Browser, site: Front, peer: Front): Promise<void> {
  const load = async (url: string) => {
    const context = await browser.newContext(phone)
    const { page, requests } = await visit(context, url, false)
    // Scroll, so that lazily loaded pictures count.
    await page.evaluate(async () => {
      for (let top = 0; top < document.body.scrollHeight; top += 400) {
        scrollTo({ top, behavior: 'instant' })
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    })
    await page.waitForTimeout(500)
    await context.close()
    return requests()
  }
  const own = await load(site.url)
  const other = await load(peer.url)
  const total = (list: Request[]) => list.reduce((sum, { bytes }) => sum + bytes, 0)
  // Without headers.
  const script = async (list: Request[]) => {
    const files = list.filter(({ type }) => type === 'Script')
    const texts = await Promise.all(files.map(async ({ url }) => (await fetch(url)).text()))
    return texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0)
  }
  const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
  add({
    what: 'Home, first visit: bytes on the wire, all requests, gzip',
    measured: kb(total(own)),
    aim: '≤ 55 kB',
    reached: total(own) <= 55_000,
    note: `${own.length} requests: ${own.map(({ url, bytes }) => `${new URL(url).pathname} ${kb(bytes)}`).join(', ')}. The peer: ${kb(total(other))} in ${other.length}.`,
  })
  const ownScript = await script(own)
  add({
    what: 'the same: script, gzip',
    measured: kb(ownScript),
    aim: '≤ 4 kB',
    reached: ownScript <= 4_000,
    note: `The peer: ${kb(await script(other))}.`,
  })
}

/** The parts of the time from a click to the first paint of the next page, in milliseconds by the browser's clocks. */
interface Click {
  /** Until the navigation starts: the event, and the unload of the page. */
  leave: number
  /** Until the last byte of the next page. */
  network: number
  /** Until it is parsed. */
  parse: number
  /** Style, layout, the view transition and the paint. */
  paint: number
}

const clickParts = ['leave', 'network', 'parse', 'paint'] as const

/** Clicks the link to `path` in the main navigation, and measures the time until the next page is painted. */
async function click(page: Page, url: string, path: string): Promise<Click> {
  await page.evaluate(() => {
    addEventListener('click', ({ timeStamp }) => {
      sessionStorage.setItem('clicked', `${performance.timeOrigin + timeStamp}`)
    })
  })
  const link = page.locator(`nav[aria-label=Main] a[href="${path}"]`).first()
  // The click follows at once: the browser prerenders a page only if the pointer stays on its link.
  await link.hover()
  await link.click()
  await page.waitForURL(url + path)
  await page.waitForLoadState('load')
  return page.evaluate(async () => {
    const painted = () => performance.getEntriesByName('first-paint')[0]?.startTime
    for (let i = 0; i < 100 && painted() === undefined; i++) await new Promise((wait) => setTimeout(wait, 10))
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const { responseEnd = Number.NaN, domInteractive = Number.NaN } = entry ?? {}
    return {
      leave: performance.timeOrigin - Number(sessionStorage.getItem('clicked')),
      network: responseEnd,
      parse: domInteractive - responseEnd,
      paint: (painted() ?? Number.NaN) - domInteractive,
    }
  })
}

/** Pages of a heading and a navigation, without style and script: they measure the browser's own part of a click. */
async function startEmptySite(paths: string[]): Promise<Front> {
  const links = paths.map((path) => `<a href="${path}">${path}</a> `).join('')
  const page = `<!doctype html><html lang="en"><title>Empty</title><nav aria-label="Main">${links}</nav><h1>Empty</h1>`
  const server = createServer((_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html', 'Cache-Control': 'no-cache' }).end(page),
  )
  return listen(server)
}

async function measureNext(browser: Browser, site: Front, repetitions: number): Promise<void> {
  const paths = ['/about', '/transparency', '/voting', '/']
  const empty = await startEmptySite(paths)
  const clicks = async ({ url }: Front) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const { page } = await visit(context, url, false)
    for (const path of paths) await click(page, url, path)
    const taken: Click[] = []
    for (let i = 0; i < repetitions; i++) for (const path of paths) taken.push(await click(page, url, path))
    await context.close()
    return taken
  }
  const [own, browsers] = [await clicks(site), await clicks(empty)]
  const whole = (taken: Click[]) => taken.map((one) => clickParts.reduce((sum, part) => sum + one[part], 0))
  const profile = (taken: Click[]) =>
    clickParts.map((part) => `${part} ${median(taken.map((one) => one[part])).toFixed(0)}`).join(', ')
  add({
    what: 'next page from a public page, warm: click to first paint, ms',
    measured: spread(whole(own), 0),
    aim: 'printed with its profile',
    note:
      `${profile(own)}. The browser's own part, by pages without style and script: ` +
      `${spread(whole(browsers), 0)} (${profile(browsers)}).`,
  })
  await empty.close()
}

async function measureScript(browser: Browser, site: Front): Promise<void> {
  const cookie = await signIn({ url: site.url })
  for (const path of ['/auth', '/dashboard']) {
    const context = await browser.newContext()
    if (path === '/dashboard')
      await context.addCookies(
        cookie.split('; ').map((pair) => ({
          name: pair.slice(0, pair.indexOf('=')),
          value: pair.slice(pair.indexOf('=') + 1),
          url: site.url,
        })),
      )
    const { page, requests } = await visit(context, site.url + path, false)
    if (new URL(page.url()).pathname !== path) throw new Error(`${path} led to ${page.url()}`)
    const files = requests().filter(({ type }) => type === 'Script')
    const texts = await Promise.all(files.map(async ({ url }) => (await fetch(url)).text()))
    const sizes = texts.map((text) => gzipSync(text, { level: 9 }).length)
    const size = sizes.reduce((sum, bytes) => sum + bytes, 0)
    const unwanted = ['ZodError', 'GoTrueClient', 'PostgrestClient'].filter((sign) =>
      texts.some((text) => text.includes(sign)),
    )
    add({
      what: `${path}: script of the first load, gzip`,
      measured: `${(size / 1000).toFixed(1)} kB in ${files.length} files${unwanted.length ? `, with ${unwanted.join(', ')}` : ''}`,
      aim: '≤ 100 kB, no zod, no supabase-js',
      reached: size <= 100_000 && unwanted.length === 0,
      note: files.map(({ url }, i) => `${url.split('/').at(-1)} ${sizes[i]}`).join(', '),
    })
    await context.close()
  }
}

export async function measureBrowser(quick: boolean): Promise<void> {
  installBrowser()
  const backend: Backend = await startBackend('ES256')
  let worker: Worker | undefined
  const site = await startFront('build/client', { worker: () => worker?.url ?? '' })
  worker = await startSite(backend, { siteUrl: site.url })
  const peer = await startFront(await buildPeer(backend.url), { page: 'index.html' })
  const browser = await chromium.launch({ executablePath: browserPath(), args: browserArguments })
  await measurePaint(browser, site, peer, quick ? 3 : 9)
  await measureBytes(browser, site, peer)
  await measureNext(browser, site, quick ? 2 : 6)
  await measureScript(browser, site)
  await browser.close()
  await Promise.all([site.close(), peer.close(), worker.close(), backend.close()])
}
