/** A script keeps live pages up to date. Without it, a reload does: a test below covers this. */
import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test'
import { freePort } from '../../scripts/free-port.ts'
import { tellSite } from '../../scripts/ledger-changed.ts'
import { act } from '../support/operators.ts'
import { type Site, siteHost, startSite } from '../support/site.ts'
import { startTemporary, type TemporaryBackend } from '../support/temporary-backend.ts'

// The tests run one after the other, because they share a site and each adds content to its pages.
test.describe.configure({ mode: 'serial' })

let backend: TemporaryBackend
let site: Site
let siteUrl: string

test.beforeAll(async () => {
  backend = await startTemporary()
  siteUrl = `http://${siteHost}:${await freePort()}`
  site = await serveSite()
  await say('the first')
})
test.afterAll(async () => {
  await site.close()
  await backend.close()
})

function serveSite(): Promise<Site> {
  return startSite(backend, { SUPABASE_SECRET_KEY: backend.secretKey }, { siteUrl })
}

/** Publishes an act, and notifies the site. Throws if the site could not be notified. */
async function publish(kind: string, values: Record<string, string>): Promise<void> {
  await act(backend, kind, null, values)
  expect(await tellSite({ SITE_URL: siteUrl, SUPABASE_SECRET_KEY: backend.secretKey })).toBeNull()
}

let statements = 0
async function say(text: string): Promise<void> {
  await publish('statement', {
    text,
    link: `https://x.com/cz/status/${++statements}`,
    author: 'CZ',
    action: 'Paid',
    posted: new Date(Date.UTC(2025, 10, statements)).toISOString(),
  })
}

/** Opens a page, and records every connection state that the page shows. */
async function openLive(browser: Browser, path: string) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.addInitScript(() => {
    const states: string[] = []
    Object.assign(window, { states })
    new MutationObserver(() => {
      const state = document.querySelector<HTMLElement>('[data-version]')?.dataset.state
      if (state && state !== states.at(-1)) states.push(state)
    }).observe(document, { subtree: true, childList: true, attributes: true })
  })
  const opened = page.waitForEvent('websocket')
  let loadedAgain = false
  page.on('requestfinished', (request) => {
    loadedAgain ||= request.headers()['x-version'] !== undefined
  })
  const greeting = opened.then((socket) => socket.waitForEvent('framereceived'))
  await page.goto(siteUrl + path)
  await expectState(page, 'connected')
  // If the data has changed since the page was rendered, waits until the page has loaded the changes.
  const { version } = JSON.parse(String((await greeting).payload)) as { version: number }
  const rendered = Number(await page.locator('[data-version]').getAttribute('data-version'))
  if (version > rendered) await expect.poll(() => loadedAgain).toBe(true)
  return { context, page }
}

function expectState(page: Page, state: string) {
  return expect(page.locator('[data-version]')).toHaveAttribute('data-state', state)
}

const statesOf = (page: Page) => page.evaluate(() => (window as never as { states: string[] }).states)

const quote = (page: Page, text: string) => page.getByText(text, { exact: true })

/** Adds a statement. The milliseconds from the end of the command until the page shows it. */
async function timeOf(page: Page, text: string): Promise<number> {
  await say(text)
  const from = Date.now()
  await expect(quote(page, text)).toBeVisible()
  return Date.now() - from
}

async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)
}

test('a statement that the command adds appears on an open page within two seconds, and without JavaScript after a reload', async ({
  browser,
}) => {
  const { context, page } = await openLive(browser, '/cz-call')
  const plain = await browser.newContext({ javaScriptEnabled: false })
  const still = await plain.newPage()
  await still.goto(`${siteUrl}/cz-call`)
  await expect(quote(still, 'the first')).toBeVisible()
  await expect(still.locator('[data-version]')).toHaveText('')
  await expect(still.locator('#updated')).toHaveText(/^Updated \d+ \w+ \d{4}$/)
  await expect(page.locator('#updated')).toHaveText(/^Updated .+ ago$/)

  const loads: string[] = []
  page.on('framenavigated', (frame) => loads.push(frame.url()))
  let took = await timeOf(page, 'a second one')
  await expect(page.locator('li.new-entry')).toContainText('a second one')
  await expect(page.getByRole('status').filter({ hasText: 'new on this page' })).toHaveText(
    '1 new on this page.',
  )
  expect(loads).toEqual([])
  // The highlight of the new entry is removed, and the entry stays.
  await expect(page.locator('.new-entry')).toHaveCount(0)
  await expect(quote(page, 'a second one')).toBeVisible()
  // On a busy machine the page may show a statement later, so the test tries up to three more statements.
  for (let more = 1; took >= 2_000 && more <= 3; more++) took = await timeOf(page, `number ${more} more`)
  expect(took).toBeLessThan(2_000)
  expect(await statesOf(page)).toEqual(['connecting', 'connected'])

  await expect(quote(still, 'a second one')).toHaveCount(0)
  await still.reload()
  await expect(quote(still, 'a second one')).toBeVisible()
  await Promise.all([context.close(), plain.close()])
})

test("a pool update appears on its pool's page; a page of another kind is kept", async ({ browser }) => {
  const pool = await openLive(browser, '/voting/education')
  const calls = await openLive(browser, '/cz-call')
  const requests: string[] = []
  calls.page.on('request', (request) => requests.push(request.url()))
  await publish('update', { pool: 'education', text: 'Forty desks arrived', dated: '2025-11-20T18:30:00Z' })
  await expect(quote(pool.page, 'Forty desks arrived')).toBeVisible()
  await calls.page.waitForTimeout(1_500)
  expect(requests).toEqual([])
  await Promise.all([pool.context.close(), calls.context.close()])
})

test('an open disclosure, the focus and selected text are kept, and new content appears only after the visitor leaves them', async ({
  browser,
}) => {
  const { context, page } = await openLive(browser, '/cz-call')
  const summary = page.locator('#calls summary').first()
  await summary.click()
  await expect(page.locator('#calls details[open]')).toHaveCount(1)
  await say('while it is open')
  await page.waitForTimeout(2_500)
  await expect(page.locator('#calls details[open]')).toHaveCount(1)
  await expect(quote(page, 'while it is open')).toHaveCount(0)
  await expect(summary).toBeFocused()

  // The disclosure is closed, but its summary still has the focus.
  await summary.click()
  await page.waitForTimeout(500)
  await expect(quote(page, 'while it is open')).toHaveCount(0)
  await summary.blur()
  await expect(quote(page, 'while it is open')).toBeVisible()

  await page.locator('#calls blockquote').first().selectText()
  await say('while text is selected')
  await page.waitForTimeout(2_500)
  await expect(quote(page, 'while text is selected')).toHaveCount(0)
  await page.evaluate(() => getSelection()?.removeAllRanges())
  await expect(quote(page, 'while text is selected')).toBeVisible()
  await context.close()
})

test('a page that was offline connects again and shows the changes that it missed', async ({ browser }) => {
  const { context, page } = await openLive(browser, '/cz-call')
  await context.setOffline(true)
  await expectState(page, 'disconnected')
  // The page shows these words beside the heading, and a screen reader says them.
  const words = /^Not live: no connection since \d\d:\d\d$/
  await expect(page.locator('#updated')).toHaveAttribute('data-offline', words)
  await expect(page.getByRole('status').filter({ hasText: words })).toHaveCount(1)
  await say('while offline')
  await context.setOffline(false)
  await expectState(page, 'connected')
  await expect(page.locator('#updated')).not.toHaveAttribute('data-offline')
  await expect(quote(page, 'while offline')).toBeVisible()
  expect(await statesOf(page)).toEqual([
    'connecting',
    'connected',
    'disconnecting',
    'disconnected',
    'connecting',
    'connected',
  ])
  await context.close()
})

test('a page whose server was killed reconnects, with growing pauses', async ({ browser }) => {
  const { context, page } = await openLive(browser, '/cz-call')
  await site.close()
  await expectState(page, 'disconnected')
  await page.waitForTimeout(4_000)
  site = await serveSite()
  await expectState(page, 'connected')
  const states = await statesOf(page)
  expect(states.slice(0, 4)).toEqual(['connecting', 'connected', 'disconnected', 'connecting'])
  // With pauses of at least 0.5, 1 and 2 seconds, at most four attempts fit in four seconds.
  expect(states.filter((state) => state === 'connecting').length).toBeLessThanOrEqual(6)
  await say('after the restart')
  await expect(quote(page, 'after the restart')).toBeVisible()
  await context.close()
})

test("a hidden page has no socket; when visible, it shows the past hour's changes", async ({ browser }) => {
  const context: BrowserContext = await browser.newContext()
  const page = await context.newPage()
  await page.clock.install()
  await page.goto(`${siteUrl}/cz-call`)
  await expectState(page, 'connected')
  await setHidden(page, true)
  await expectState(page, 'disconnected')
  await say('while hidden')
  await page.clock.fastForward(3_600_000)
  await expectState(page, 'disconnected')
  await expect(quote(page, 'while hidden')).toHaveCount(0)
  await setHidden(page, false)
  await expectState(page, 'connected')
  await expect(quote(page, 'while hidden')).toBeVisible()
  await context.close()
})
