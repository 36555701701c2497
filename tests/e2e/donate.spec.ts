import type { Page } from '@playwright/test'
import { impactPools } from '../../app/platform/impact-pools.ts'
import { checksumAddress } from '../../app/wallet/address.ts'
import { demoVariables } from '../../supabase/embedded/demo-ledger.ts'
import { decodeQrPath } from '../support/qr.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { screensTo } from './layout.ts'

const animals = impactPools.find(({ slug }) => slug === 'animal-welfare')
const animalsWallet = checksumAddress(
  (demoVariables as unknown as Record<string, string>)[animals?.walletVariable ?? ''] ?? '',
)

/** Returns the number of pages in a PDF file. */
function pagesOf(file: Buffer): number {
  return file.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
}

/** Returns the text of the QR code on the page. */
async function readQrCode(page: Page): Promise<string | undefined> {
  const disclosure = page.getByText('QR code, for another device')
  if (await disclosure.isVisible()) await disclosure.click()
  const picture = page.getByRole('img', { name: /^QR code of the address of/ })
  const size = Number((await picture.getAttribute('viewBox'))?.split(' ')[2])
  return decodeQrPath((await picture.locator('path').getAttribute('d')) ?? '', size)
}

test.describe('on a narrow screen', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  test('four taps lead from Home to the steps for paying from an exchange, with the amount, the address and its QR code', async ({
    page,
    sites,
    javaScriptEnabled,
  }) => {
    await page.goto(sites.filled)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Donate' }).click()
    const names = page.getByRole('main').getByRole('listitem').getByRole('link')
    await expect(names).toHaveText([
      'Education',
      'Humanitarian Relief',
      'Animal Welfare',
      'Treasury',
      'CZ Call',
    ])
    await expectAccessible(page, javaScriptEnabled)
    await page.getByRole('link', { name: 'Animal Welfare' }).click()
    await expectAccessible(page, javaScriptEnabled)
    await page.getByRole('link', { name: '$20 20 DEMOUSD' }).click()
    await expect(page).toHaveURL(`${sites.filled}/donate?to=animal-welfare&token=DEMOUSD&amount=20`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Send 20 DEMOUSD')
    const address = page.locator('[data-address]')
    await expect(address).toHaveText(animalsWallet)
    // Neither the QR code nor a link names a token contract.
    expect(await readQrCode(page)).toBe(animalsWallet)
    await expect(page.locator('a[href^="ethereum:"]')).toHaveCount(0)
    const groups = await address.locator('span').allTextContents()
    expect([groups.length, `0x${groups.join('')}`]).toEqual([10, animalsWallet])
    // The address and its copy button are once on the page.
    expect((await page.content()).split(animalsWallet).length - 1).toBeLessThanOrEqual(3)
    const warning = page.getByText('and only on the network')
    const [over, under] = await Promise.all([warning.boundingBox(), address.boundingBox()])
    expect(over && under && over.y < under.y).toBe(true)
    await page.getByText('From an exchange', { exact: true }).click()
    const title = page.getByRole('heading', { name: 'From an exchange', exact: true })
    const way = page.locator('details').filter({ has: title })
    await expect(way.getByText('Paste the address, and compare')).toBeVisible()
    await expect(way.getByText('20 DEMOUSD', { exact: true })).toBeVisible()
    await expect(way.getByText('on another network, the gift may be lost')).toBeVisible()
    expect(await screensTo(way)).toBeLessThanOrEqual(2)
    await expectAccessible(page, javaScriptEnabled)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('five wallet apps open the same page, with a listed amount and without a typed one', async ({
    page,
    sites,
    javaScriptEnabled,
  }) => {
    const linked = () =>
      page
        .getByRole('link', { name: /^Open in / })
        .evaluateAll((all) => all.map((a) => a.getAttribute('href') ?? ''))
    const listed = '/ar/donate?to=education&token=DEMOUSD&amount=20'
    await page.goto(sites.filled + listed.replace('/ar', ''))
    await page.getByText('In a wallet app on this phone', { exact: true }).click()
    expect(await linked()).toHaveLength(5)
    await expectAccessible(page, javaScriptEnabled)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.goto(sites.filled + listed)
    const links = await page.locator('a[href*="link.trustwallet.com"]').getAttribute('href')
    expect(new URL(links ?? '').searchParams.get('url')).toBe(sites.filled + listed)
    await page.goto(`${sites.filled}/donate?to=education&token=DEMOUSD`)
    await page.getByLabel('Other amount in DEMOUSD').fill('37.25')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('In a wallet app on this phone', { exact: true }).click()
    await expect(page.getByText('Type the amount there again')).toBeVisible()
    for (const link of await linked()) {
      expect(decodeURIComponent(decodeURIComponent(link))).toContain('/donate?to=education&token=DEMOUSD')
      expect(link).not.toMatch(/37\.25|amount/)
    }
  })
})

test('a refused amount stays in its field, and an accepted amount appears in every way to pay', async ({
  page,
  sites,
  javaScriptEnabled,
}) => {
  const path = '/donate?to=education&token=BNB'
  const field = page.getByLabel('Amount in BNB')
  await page.goto(sites.filled + path)
  await expect(page.getByText('We have no fresh price of BNB')).toBeVisible()
  for (const [typed, sentence] of [
    ['20 dollars', 'Enter a number of BNB, for example 0.05.'],
    ['-1', 'Enter a number of BNB, for example 0.05.'],
    ['1,000', 'Do you mean 1000 or 1? Write one of them.'],
    [`1${'0'.repeat(30)}`, 'Enter at most 1,000,000 BNB.'],
  ] as const) {
    await field.fill(typed)
    const answer = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.getByRole('button', { name: 'Next' }).click()
    expect([(await answer).status(), (await answer).headers()['cache-control']]).toEqual([
      400,
      'private, no-store',
    ])
    await expect(field).toHaveValue(typed)
    await expect(field).toHaveAccessibleDescription(sentence)
  }
  await expectAccessible(page, javaScriptEnabled)
  await field.fill('0,05')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Send 0.05 BNB')
  const wallet = await page.locator('[data-address]').textContent()
  expect(
    await page.locator('a[href^="ethereum:"]').evaluateAll((all) => all.map((a) => a.getAttribute('href'))),
  ).toEqual([`ethereum:${wallet}@56?value=50000000000000000`])
  expect(await readQrCode(page)).toBe(wallet)
  for (const viewport of [
    { width: 360, height: 740 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(viewport)
    expect(await screensTo(page.locator('.copy-address'))).toBeLessThanOrEqual(2)
  }
  const copied = await page.locator('[data-pay]').getAttribute('data-units')
  expect(copied).toBe('50000000000000000')
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: 'Amount' }).click()
  await expect(page).toHaveURL(sites.filled + path)
  if (javaScriptEnabled) await expect(field).toHaveValue('0,05')
  // Without a price, an amount in the token is enough; it stays while the donor looks at another.
  if (javaScriptEnabled) {
    await field.fill('0,07')
    await page.getByRole('link', { name: 'DEMOUSD' }).click()
    await page.getByRole('link', { name: 'BNB' }).click()
    await expect(field).toHaveValue('0,07')
  }
})

test('if a link has choices that the page does not offer, the page shows the nearest choices and an error message, and no text from the link', async ({
  page,
  sites,
}) => {
  for (const [asked, shown, sentence] of [
    ['?to=SendHere&token=BNB', '?fault=cause', "We don't know the cause in that link"],
    [
      '?to=education&token=SendHere',
      '?to=education&token=DEMOUSD&fault=token',
      "We don't accept the token in that link.",
    ],
    [
      '?to=education&token=DEMOUSD&amount=1,000%20SendHere',
      '?to=education&token=DEMOUSD&amount=50&fault=amount',
      "We don't offer the amount in that link.",
    ],
    ['?to=education&token=BNB&amount=20', '?to=education&token=BNB', 'We have no fresh price'],
    ['?to=education&token=BNB&amount=0.05', '?to=education&token=BNB', 'We have no fresh price'],
    ['?to=education&fault=SendHere', '?to=education', 'Nothing is paid on this page.'],
  ] as const) {
    await page.goto(`${sites.filled}/donate${asked}`)
    await expect(page).toHaveURL(`${sites.filled}/donate${shown}`)
    await expect(page.getByText(sentence)).toHaveCount(1)
    expect(await page.content()).not.toContain('SendHere')
  }
})

test('the demonstration offers no way to pay', async ({ page, sites, javaScriptEnabled }) => {
  await page.addInitScript(() =>
    Object.assign(window, { ethereum: { request: () => Promise.reject(new Error('asked')) } }),
  )
  const amount = `/donate?to=animal-welfare&token=${demoVariables.CHAIN_TOKENS.split(':')[0]}`
  const own = page.request.post(`${sites.demo}${amount}`, {
    form: { amount: '35' },
    headers: { Origin: sites.demo },
  })
  for (const response of [await own, await page.goto(`${sites.demo}${amount}&amount=20`)]) {
    const html = (await response?.text()) ?? ''
    // The parts below: the script, the form's data, a wallet app's link, a copy button, the QR modules.
    for (const part of [
      'wallet-list-',
      'data-pay',
      'data-to',
      'ethereum:',
      'data-copy',
      'M4 4h1v1h-1z',
      '0xa9059cbb',
    ])
      expect(html, part).not.toContain(part)
  }
  {
    const address = page.locator('[data-address]')
    const warning = page.getByText("Don't send anything.")
    const [over, under] = await Promise.all([warning.boundingBox(), address.boundingBox()])
    expect(over && under && over.y + over.height <= under.y).toBe(true)
    await expect(page.getByRole('img', { name: /QR code/ })).toHaveCount(0)
    await expect(page.locator('img[src="/drawings/no-qr-code.svg"]')).toBeVisible()
    await expectAccessible(page, javaScriptEnabled)
  }
  // Outside the donation steps, an address is ledger data and has no copy button.
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

test('without wallets the page says that donations are not open yet', async ({ page, javaScriptEnabled }) => {
  await page.goto('/donate?to=education')
  await expect(page.getByText('Donations are not open yet')).toBeVisible()
  await expect(page.getByRole('img', { name: /QR code/ })).toHaveCount(0)
  await expectAccessible(page, javaScriptEnabled)
})

test('a row of the ledger has a printable confirmation', async ({ page, sites, javaScriptEnabled }) => {
  const rows = await (
    await page.request.get(`${sites.demo}/transparency.json?pool=education&type=gift&limit=20`)
  ).json()
  const row = rows.transactions.find(
    ({ status, type }: { status: string; type: string }) => status === 'verified' && type === 'gift',
  )
  await page.goto(`${sites.demo}/donate?to=education&token=DEMOUSD&amount=10`)
  await page.getByLabel('Sent it? Paste the transaction hash').fill(row.tx_hash)
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(page).toHaveURL(`${sites.demo}/donate/${row.tx_hash}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    /^Thank you\. Your [\d.,]+ \w+ has arrived at Education\.$/,
  )
  await expect(page.getByRole('link', { name: 'Follow Education' })).toBeVisible()
  await expect(page.getByText('Verified on chain')).toBeVisible()
  await expect(page.getByText('It is not a tax receipt', { exact: false })).toBeVisible()
  await expect(page.getByText('This page updates by itself')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible({
    visible: javaScriptEnabled === true,
  })
  await expectAccessible(page, javaScriptEnabled)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
  await expect(page.getByText(row.tx_hash, { exact: true })).toBeVisible()
  if (javaScriptEnabled) expect(pagesOf(await page.pdf({ format: 'A4' }))).toBe(1)
})

test('the page of a transaction outside the ledger thanks no one, says that it proves nothing, and reloads until the visitor turns reloading off', async ({
  page,
  sites,
  javaScriptEnabled,
}) => {
  const address = `${sites.filled}/donate/0x${'ab'.repeat(32)}`
  const refreshes = async (url: string) =>
    (await (await page.request.get(url)).text()).includes(
      '<noscript><meta http-equiv="refresh" content="20"/>',
    )
  expect(await refreshes(address)).toBe(true)
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText("We haven't seen this payment")
  await expect(page).toHaveTitle(/^We haven't seen this payment/)
  await expect(page.getByText('is no proof that money was sent to us')).toBeVisible()
  await expect(page.getByText('No receipt yet')).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText(/Thank you|on its way/)
  // Without JavaScript, the explanation is visible immediately. With JavaScript, it appears after ten minutes.
  await expect(page.getByText("Don't pay a second time before you know")).toBeVisible({
    visible: !javaScriptEnabled,
  })
  await expectAccessible(page, javaScriptEnabled)
  await page.getByRole('link', { name: 'Stop updating this page' }).click()
  await expect(page.getByRole('link', { name: 'Update until it is final' })).toBeVisible()
  expect(await refreshes(page.url())).toBe(false)
})

test('a site that never had a wallet does not thank the visitor for a payment, and says that the payment did not go to the site', async ({
  page,
  javaScriptEnabled,
}) => {
  await page.goto(`/donate/0x${'ab'.repeat(32)}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Donations are not open. We have no wallet yet, so this payment did not go to us.',
  )
  const main = page.getByRole('main')
  await expect(main).not.toContainText('Thank you')
  await expect(main).not.toContainText('receipt')
  await expect(main.locator('[data-copy], button')).toHaveCount(0)
  await expect(page.locator('noscript')).toHaveCount(0)
  await expectAccessible(page, javaScriptEnabled)
})

test('a step has one gold button at most; a narrow screen names only this step', async ({ page, sites }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  for (const [path, gold, current] of [
    ['/donate', 0, 'Cause'],
    ['/donate?to=education&token=BNB', 1, 'Amount'],
    ['/es/donate?to=education&token=BNB', 1, 'Cantidad'],
  ] as const) {
    await page.goto(sites.filled + path)
    await expect(page.locator('.button-gold'), path).toHaveCount(gold)
    const steps = page.locator('.step-line > li')
    await expect(steps.and(page.locator('[aria-current]'))).toContainText(current)
    const widths = await steps
      .locator('.step-name')
      .evaluateAll((names) => names.map((name) => name.getBoundingClientRect().width > 1))
    expect(widths.filter(Boolean)).toHaveLength(1)
    const tops = await steps.evaluateAll((all) => all.map((step) => step.getBoundingClientRect().top))
    expect(new Set(tops).size).toBe(1)
  }
})

test('a URL without a transaction hash shows the 404 page, and the page of a transaction says so if the ledger cannot be read', async ({
  page,
  sites,
}) => {
  const unknown = await page.goto('/donate/0x12')
  expect(unknown?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()

  const response = await page.goto(`${sites.alone}/donate/0x${'ab'.repeat(32)}`)
  expect(response?.status()).toBe(503)
  await expect(page.getByText("We can't load this transaction right now.")).toBeVisible()
})
