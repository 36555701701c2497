/** Measures loading and rendering in Chromium. */
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { publishedLocales } from '../../app/platform/locales/locales.ts'
import { browserOptions, installBrowser } from '../../scripts/browser.ts'
import { type Backend, startBackend } from './backend.ts'
import type { Bench } from './bench.ts'
import { type Front, listen, startFront } from './front.ts'
import { buildPeer } from './peer-spa/build.ts'
import { signIn, startSite } from './site.ts'
import { format, inTurn, median, ratios, spread } from './statistics.ts'
import type { Worker } from './workerd.ts'

/**
 * The throttling of Lighthouse's mobile profile, applied to a browser: slow 4G, and a processor slowed down
 * by a factor of four.
 */
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
  /**
   * Every request that got a response, with its bytes on the wire (headers and body). The number is 0 until
   * the response is complete.
   */
  requests(): Request[]
}

/** Opens a URL in a new page of the context. The cache of a new context is empty. */
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

/**
 * Returns the largest contentful paint so far: its time, in milliseconds from the start of the navigation,
 * and its element.
 */
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

/** Measures, in turn, the largest paint of Home and of the peer's Home on a slow phone. */
async function measurePaint({ quick, report }: Bench<'browser'>, browser: Browser, site: Front, peer: Front) {
  const paint = async ({ url }: Front) => {
    const context = await browser.newContext(phone)
    const { page } = await visit(context, url, true)
    const largest = await readLargestPaint(page)
    await context.close()
    return largest
  }
  const { ones, others } = await inTurn(
    quick ? 3 : 9,
    () => paint(site),
    () => paint(peer),
  )
  const [own, peers] = [ones.map(({ at }) => at), others.map(({ at }) => at)]
  report('paint', ratios(own, peers), {
    note: `${spread(own)} ms and ${spread(peers)} ms; the element is ${ones[0]?.what} here, ${others[0]?.what} there.`,
  })
}

async function measureBytes({ report }: Bench<'browser'>, browser: Browser, site: Front, peer: Front) {
  const load = async ({ url }: Front, path = '/') => {
    const context = await browser.newContext(phone)
    const { page, requests } = await visit(context, url + path, false)
    // Scrolls, so that pictures that load lazily are included.
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
  const [own, peers] = [await load(site), await load(peer)]
  const kilobytes = (list: Request[]) => list.reduce((sum, { bytes }) => sum + bytes, 0) / 1000
  const files = own.map(({ url, bytes }) => `${new URL(url).pathname} ${format(bytes / 1000)}`)
  report('bytes', kilobytes(own), {
    note: `${own.length} requests: ${files.join(', ')}. The peer: ${format(kilobytes(peers))} kB in ${peers.length}.`,
  })
  const visits: { code: string; size: number }[] = []
  for (const code of publishedLocales)
    if (code !== 'en') visits.push({ code, size: kilobytes(await load(site, `/${code}`)) })
  if (visits.length > 0)
    report('languages', Math.max(...visits.map(({ size }) => size)), {
      note: `${visits.map(({ code, size }) => `${code} ${format(size)}`).join(', ')}.`,
    })
}

/**
 * The parts of the time from a click to the first paint of the next page, in milliseconds as measured by the
 * browser's clocks.
 */
interface Click {
  /** Until the navigation starts: the click event and the unload of the page. */
  leave: number
  /** Until the last byte of the next page. */
  network: number
  /** Until the page is parsed. */
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
  // The click follows immediately, because the browser prerenders a page only while the pointer stays on its
  // link.
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

/**
 * Pages with only a heading and a navigation bar, without styles or scripts. They show how much of a click's
 * time the browser itself takes.
 */
async function startEmptySite(paths: string[]): Promise<Front> {
  const links = paths.map((path) => `<a href="${path}">${path}</a> `).join('')
  const page = `<!doctype html><html lang="en"><title>Empty</title><nav aria-label="Main">${links}</nav><h1>Empty</h1>`
  const server = createServer((_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html', 'Cache-Control': 'no-cache' }).end(page),
  )
  return listen(server)
}

async function measureNext({ quick, open, report }: Bench<'browser'>, browser: Browser, site: Front) {
  const paths = ['/about', '/transparency', '/voting', '/']
  const clicks = async ({ url }: Front) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const { page } = await visit(context, url, false)
    for (const path of paths) await click(page, url, path)
    const taken: Click[] = []
    for (let i = 0; i < (quick ? 2 : 6); i++)
      for (const path of paths) taken.push(await click(page, url, path))
    await context.close()
    return taken
  }
  const [own, browsers] = [await clicks(site), await clicks(await open(startEmptySite(paths)))]
  const whole = (taken: Click[]) => taken.map((one) => clickParts.reduce((sum, part) => sum + one[part], 0))
  const profile = (taken: Click[]) =>
    clickParts.map((part) => `${part} ${median(taken.map((one) => one[part])).toFixed(0)}`).join(', ')
  report('click', whole(own), {
    note:
      `${profile(own)}. The browser's own part, by pages without style and script: ` +
      `${spread(whole(browsers))} ms (${profile(browsers)}).`,
  })
}

/** Starts the site behind a front that serves its static files, and starts a browser. */
async function startAll({ open }: Pick<Bench<'browser'>, 'open'>) {
  installBrowser()
  const backend: Backend = await open(startBackend('ES256'))
  let worker: Worker | undefined
  const site = await open(startFront('build/client', { worker: () => worker?.url ?? '' }))
  // A wallet is configured, so that /donate has its last step.
  const variables = {
    TREASURY_WALLET: `0x${'6'.repeat(40)}`,
    CHAIN_TOKENS: `USDT:0x${'5'.repeat(40)}:18:usd`,
  }
  worker = await open(startSite(backend, { siteUrl: site.url, variables }))
  const browser = await open(chromium.launch(browserOptions()))
  return { backend, site, browser }
}

/** Texts that identify a package; no page may contain them. */
const unwanted = { zod: 'ZodError', 'auth-js': 'GoTrueClient', 'postgrest-js': 'PostgrestClient' }

export async function measureScript({ open, report }: Bench<'script'>): Promise<void> {
  const { site, browser } = await startAll({ open })
  const cookie = await signIn(site)
  for (const path of ['/', '/donate', '/auth', '/dashboard'] as const) {
    const choice = path === '/donate' ? '?to=treasury&token=USDT&amount=20' : ''
    const context = await browser.newContext()
    const cookies = path === '/dashboard' ? cookie.split('; ') : []
    for (const [name = '', ...value] of cookies.map((pair) => pair.split('=')))
      await context.addCookies([{ name, value: value.join('='), url: site.url }])
    const { page, requests } = await visit(context, site.url + path + choice, false)
    if (new URL(page.url()).pathname !== path) throw new Error(`${path} led to ${page.url()}`)
    const files = requests().filter(({ type }) => type === 'Script')
    const texts = await Promise.all(files.map(async ({ url }) => (await fetch(url)).text()))
    const sizes = texts.map((text) => gzipSync(text, { level: 9 }).length)
    const packages = Object.entries(unwanted).filter(([, sign]) => texts.some((text) => text.includes(sign)))
    report(path, sizes.reduce((sum, bytes) => sum + bytes, 0) / 1000, {
      note: `${files.length} files: ${files.map(({ url }, i) => `${url.split('/').at(-1)} ${sizes[i]}`).join(', ')}`,
      fault: packages.map(([name]) => `with ${name}`).join(', '),
    })
    await context.close()
  }
}

export async function measureBrowser(bench: Bench<'browser'>): Promise<void> {
  const { backend, site, browser } = await startAll(bench)
  const peer = await bench.open(startFront(await buildPeer(backend.url), { page: 'index.html' }))
  await measurePaint(bench, browser, site, peer)
  await measureBytes(bench, browser, site, peer)
  await measureNext(bench, browser, site)
}
