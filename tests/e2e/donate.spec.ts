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
    await page.goto(sites.demo)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Donate' }).click()
    await page
      .getByRole('navigation', { name: 'Recipients' })
      .getByRole('link', { name: animals?.title })
      .click()
    await expect(page.getByText(animalsWallet, { exact: true })).toBeVisible()
    expect(await readQrCode(page)).toBe(animalsWallet)
    const groups = await page.locator('ol.groups').getByRole('listitem').allTextContents()
    expect(`0x${groups.join('')}`).toBe(animalsWallet)
    await expectAccessible(page, javaScriptEnabled)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })
})

test('no QR code, link or field of the page names a token contract', async ({ page, sites }) => {
  await page.goto(`${sites.demo}/donate?to=animal-welfare`)
  const links = await page
    .locator('a[href^="ethereum:"]')
    .evaluateAll((all) => all.map((a) => a.getAttribute('href')))
  expect(links).toEqual([`ethereum:${animalsWallet}@56`])
  expect(await readQrCode(page)).toBe(animalsWallet)
})

test('an unknown recipient is named as such, and the treasury is shown', async ({ page, sites }) => {
  await page.goto(`${sites.demo}/donate?to=nobody`)
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
    await page.request.get(`${sites.demo}/transparency.json?pool=education&limit=20`)
  ).json()
  const row = rows.transactions.find(({ status }: { status: string }) => status === 'verified')
  await page.goto(`${sites.demo}/donate`)
  await page.getByLabel('Sent something? Transaction hash').fill(row.tx_hash)
  await page.getByRole('button', { name: 'Show the confirmation' }).click()
  await expect(page).toHaveURL(`${sites.demo}/donate/${row.tx_hash}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment confirmation')
  await expect(page.getByText('Verified on chain')).toBeVisible()
  await expect(page.getByText('It is not a tax receipt', { exact: false })).toBeVisible()
  await expect(page.getByText('This page reloads every')).toHaveCount(0)
  await expectAccessible(page, javaScriptEnabled)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
  await expect(page.getByText(row.tx_hash, { exact: true })).toBeVisible()
})

test('a transaction that the ledger does not have is reported as not seen yet, and the page reloads until that is turned off', async ({
  page,
  javaScriptEnabled,
}) => {
  const address = `/donate/0x${'ab'.repeat(32)}`
  expect((await page.request.get(address)).headers().refresh).toBe('20')
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Not seen yet')
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
