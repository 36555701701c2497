import { startFaultProxy } from '../support/fault-proxy.ts'
import { expect, startMember, startSession, startSiteOnProxy, test } from './fixtures.ts'

test('the page saves a draft without a click, and says if it fails', async ({ page, context, sites }) => {
  test.slow()
  // The page waits seconds before it saves, and before it tries again. Its clock moves forward instead.
  await page.clock.install()
  const wait = () => page.clock.fastForward(10_000)
  const proxy = await startFaultProxy(sites.backendUrl)
  const site = await startSiteOnProxy(sites, proxy, { FUNDME_OPEN: '1', DEMO: '1' })
  const member = await startMember(context, site.url)
  await page.goto(`${site.url}/dashboard/goals/new`)
  const status = page.getByRole('main').getByRole('status')
  const title = page.getByLabel('Title')
  await title.fill('School coats')
  await wait()
  await expect(status).toHaveText(/^Saved \d\d:\d\d UTC$/)
  const address = page.url()
  expect(new URL(address).search).toBe('')

  // The calls with which the page checks the session are not part of the save.
  const calls = () => proxy.requests.filter((line) => !line.includes('/auth/v1/'))
  proxy.requests = []
  const saved = page.waitForResponse((response) => response.url() === address && response.status() === 303)
  await title.fill('Winter coats')
  await wait()
  await saved
  expect(calls()).toHaveLength(1)

  await context.setOffline(true)
  await title.fill('Coats for all')
  await wait()
  await expect(status).toHaveText("Not saved: no connection. We'll try again.")
  await context.setOffline(false)
  await wait()
  await expect(status).toHaveText(/^Saved/)

  await context.clearCookies()
  await title.fill('Coats and shoes')
  await wait()
  await expect(status).toHaveText('Not saved: you are signed out. Sign in in another tab, then press Save.')
  await startSession(context, site.url, member)

  // When the page is hidden, it saves immediately.
  await page.getByLabel('Category').fill('School')
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await expect(status).toHaveText(/^Saved/)

  const other = await context.newPage()
  await other.goto(address)
  await expect(other.getByLabel('Title')).toHaveValue('Coats and shoes')
  await other.getByLabel('Title').fill('From the other tab')
  await other.getByRole('button', { name: 'Save', exact: true }).click()
  await other.close()
  // Chromium may draw no frame of a page that another one covered, and a press waits for a frame.
  await page.bringToFront()
  await title.fill('From this tab')
  await wait()
  await expect(status).toHaveText('Not saved: it was changed in another tab. Press Save to compare.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('Which one do you want to keep?')
  await page.getByRole('button', { name: 'Keep what I typed' }).click()
  await expect(title).toHaveValue('From this tab')
  await site.close()
  await proxy.close()
})
