import type { Page } from '@playwright/test'
import { impactPools } from '../../app/impact-pools.ts'
import { checksumAddress } from '../../app/wallet/address.ts'
import { demoVariables } from '../../supabase/embedded/demo-ledger.ts'
import { decodeQrPath } from '../support/qr.ts'
import { expect, expectAccessible, test } from './fixtures.ts'

const animals = impactPools.find(({ slug }) => slug === 'animal-welfare')
const animalsWallet = checksumAddress(
  (demoVariables as unknown as Record<string, string>)[animals?.walletVariable ?? ''] ?? '',
)

/** The text of the QR code on the page. */
async function readQrCode(page: Page): Promise<string | undefined> {
  const picture = page.getByRole('img', { name: /^QR code of the address of/ })
  const size = Number((await picture.getAttribute('viewBox'))?.split(' ')[2])
  return decodeQrPath((await picture.locator('path').getAttribute('d')) ?? '', size)
}

test.describe('on a narrow screen', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  test('two clicks lead from Home to the wallet address and QR code of a pool', async ({
    page,
    sites,
    javaScriptEnabled,
  }) => {
    await page.goto(sites.filled)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Donate' }).click()
    await page
      .getByRole('navigation', { name: 'Recipients' })
      .getByRole('link', { name: animals?.title })
      .click()
    await expect(page.getByText(animalsWallet, { exact: true })).toBeVisible()
    expect(await readQrCode(page)).toBe(animalsWallet)
    const groups = await page
      .getByRole('list', { name: 'The address in groups of four' })
      .getByRole('listitem')
      .allTextContents()
    expect(`0x${groups.join('')}`).toBe(animalsWallet)
    await expectAccessible(page, javaScriptEnabled)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })
})

test('no QR code, link or field of the page names a token contract', async ({ page, sites }) => {
  await page.goto(`${sites.filled}/donate?to=animal-welfare`)
  const links = await page
    .locator('a[href^="ethereum:"]')
    .evaluateAll((all) => all.map((a) => a.getAttribute('href')))
  expect(links).toEqual([`ethereum:${animalsWallet}@56`])
  expect(await readQrCode(page)).toBe(animalsWallet)
})

test('the demonstration offers no way to pay', async ({ page, sites, javaScriptEnabled }) => {
  await page.addInitScript(() =>
    Object.assign(window, { ethereum: { request: () => Promise.reject(new Error('asked')) } }),
  )
  for (const path of ['/donate', '/donate?to=animal-welfare']) {
    const response = await page.goto(sites.demo + path)
    const html = (await response?.text()) ?? ''
    // The script, the form's data, a link of a wallet app, a copy button, or the modules of a QR code.
    for (const part of [
      'payment-',
      'data-wallet-form',
      'data-to',
      'ethereum:',
      'data-copy',
      'M4 4h1v1h-1z',
      '0xa9059cbb',
    ])
      expect(html, part).not.toContain(part)
    const address = page.locator('[data-address]')
    const warning = page.getByText("Don't send anything.")
    const [over, under] = await Promise.all([warning.boundingBox(), address.boundingBox()])
    expect(over && under && over.y + over.height <= under.y).toBe(true)
    await expect(page.getByRole('img', { name: /QR code/ })).toHaveCount(0)
    await expect(page.locator('img[src="/drawings/no-qr-code.svg"]')).toBeVisible()
    await expectAccessible(page, javaScriptEnabled)
  }
  // Elsewhere an address is a fact of the ledger, without a button that copies it.
  const rows = await (await page.request.get(`${sites.demo}/transparency.json?limit=1`)).json()
  const [{ id, tx_hash }] = rows.transactions
  for (const path of [
    '/transparency/wallets',
    `/transparency/${id}`,
    `/donate/${tx_hash}`,
    '/voting/education',
    '/',
  ]) {
    const html = await (await page.request.get(sites.demo + path)).text()
    expect(html, path).not.toMatch(/data-copy="0x[0-9a-fA-F]{40}"|ethereum:|data-transaction/)
    expect(html, path).toContain('data-demo')
  }
  const real = await (await page.request.get(`${sites.filled}/transparency/wallets`)).text()
  expect(real).toMatch(/data-copy="0x[0-9a-fA-F]{40}"/)
})

test('an unknown recipient is reported, and the treasury is shown', async ({ page, sites }) => {
  await page.goto(`${sites.filled}/donate?to=unknown`)
  await expect(page.getByText("We don't know that recipient, so this page shows Treasury.")).toBeVisible()
  expect(await readQrCode(page)).toBe(checksumAddress(demoVariables.TREASURY_WALLET))
})

test('without configured wallets the page says that donations are not open yet', async ({
  page,
  javaScriptEnabled,
}) => {
  await page.goto('/donate?to=education')
  await expect(page.getByText('Donations are not open yet')).toBeVisible()
  await expect(page.getByRole('img', { name: /QR code/ })).toHaveCount(0)
  await expectAccessible(page, javaScriptEnabled)
})

test('a transaction of the ledger has a printable confirmation', async ({
  page,
  sites,
  javaScriptEnabled,
}) => {
  const rows = await (
    await page.request.get(`${sites.demo}/transparency.json?pool=education&type=gift&limit=20`)
  ).json()
  const row = rows.transactions.find(
    ({ status, type }: { status: string; type: string }) => status === 'verified' && type === 'gift',
  )
  await page.goto(`${sites.demo}/donate`)
  await page.getByLabel('Sent something? Transaction hash').fill(row.tx_hash)
  await page.getByRole('button', { name: 'Show the confirmation' }).click()
  await expect(page).toHaveURL(`${sites.demo}/donate/${row.tx_hash}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    /^Thank you\. Your [\d.,]+ \w+ has arrived at Education\.$/,
  )
  await expect(page.getByRole('link', { name: 'Follow Education' })).toBeVisible()
  await expect(page.getByText('Verified on chain')).toBeVisible()
  await expect(page.getByText('It is not a tax receipt', { exact: false })).toBeVisible()
  await expect(page.getByText('This page reloads every')).toHaveCount(0)
  await expectAccessible(page, javaScriptEnabled)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
  await expect(page.getByText(row.tx_hash, { exact: true })).toBeVisible()
})

test('the thanks for a transaction that the ledger does not have name no amount, and the page reloads until that is turned off', async ({
  page,
  javaScriptEnabled,
}) => {
  const address = `/donate/0x${'ab'.repeat(32)}`
  expect((await page.request.get(address)).headers().refresh).toBe('20')
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you. Your payment is on its way.')
  await expectAccessible(page, javaScriptEnabled)
  await page.getByRole('link', { name: 'Stop reloading' }).click()
  await expect(page.getByRole('link', { name: 'Reload until it is final' })).toBeVisible()
  expect((await page.request.get(page.url())).headers().refresh).toBeUndefined()
})

test('a URL without a transaction hash is not found', async ({ page }) => {
  const response = await page.goto('/donate/0x12')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
})

test('the confirmation reports a ledger that cannot be read', async ({ page, sites }) => {
  const response = await page.goto(`${sites.alone}/donate/0x${'ab'.repeat(32)}`)
  expect(response?.status()).toBe(503)
  await expect(page.getByText("We can't load this transaction right now.")).toBeVisible()
})
