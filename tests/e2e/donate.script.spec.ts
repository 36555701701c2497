/** Browser wallets need JavaScript, so these tests have no counterpart without JavaScript. */
import type { Page } from '@playwright/test'
import { demoVariables } from '../../supabase/embedded/demo-ledger.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { installProvider, type Reply } from './provider.ts'

const account = `0x${'5'.repeat(40)}`
const hash = `0x${'e'.repeat(64)}`
const wallets: Record<string, string> = demoVariables
const [treasury = '', education = ''] = ['TREASURY_WALLET', 'POOL_WALLET_EDUCATION'].map((name) =>
  wallets[name]?.slice(2).toLowerCase(),
)

type Answer = (params: never) => Reply

/** Installs wallets that reply to a method with its entry in `answers`, or with 4200 (unsupported). */
function installWallet(page: Page, answers: Record<string, Answer>, names?: string[]) {
  return installProvider(
    page,
    (method, params) => answers[method]?.(params as never) ?? { code: 4200 },
    names,
  )
}

function wallet(changes: Record<string, Answer> = {}) {
  let chain = '0x1'
  return {
    eth_requestAccounts: () => ({ answer: [account] }),
    eth_chainId: () => ({ answer: chain }),
    wallet_switchEthereumChain: ([{ chainId }]: [{ chainId: string }]) => {
      chain = chainId
      return { answer: null }
    },
    eth_getBalance: () => ({ answer: '0x15af1d78b58c40000' }),
    eth_call: ([{ data }]: [{ data?: string }]) => ({
      answer: data?.startsWith('0x70a08231') ? '0x15af1d78b58c40000' : `0x${'1'.padStart(64, '0')}`,
    }),
    eth_estimateGas: () => ({ answer: '0x5208' }),
    eth_sendTransaction: () => ({ answer: hash }),
    eth_getTransactionReceipt: () => ({ answer: { blockNumber: '0x64', status: '0x1' } }),
    eth_blockNumber: () => ({ answer: '0x67' }),
    ...changes,
  } as Record<string, Answer>
}

/** Goes to the third step with an amount, and presses the button that opens the wallet. */
async function give(page: Page, site: string, amount: string, token: string) {
  await page.goto(`${site}/donate?to=treasury&token=${token}`)
  await page.getByLabel(/amount in/i).fill(amount)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: `Pay ${amount} ${token}` }).click()
}

test('without a wallet there is no way to pay in this browser', async ({ page, sites }) => {
  await page.goto(`${sites.filled}/donate?to=treasury&token=DEMOUSD&amount=20`)
  await page.waitForTimeout(500)
  await expect(page.getByText('In this browser')).toBeHidden()
  await expect(page.getByText('From a wallet app')).toBeVisible()
})

test('the page asks the wallet to switch the network, to estimate the gas and to send the coin, and follows the payment after a reload', async ({
  page,
  sites,
}) => {
  const requests = await installWallet(page, wallet())
  await give(page, sites.filled, '1.5', 'BNB')
  await expect(page).toHaveURL(`${sites.filled}/donate/${hash}`)
  const methods = requests.map(({ method }) => method)
  expect(methods.indexOf('wallet_switchEthereumChain')).toBeLessThan(methods.indexOf('eth_estimateGas'))
  expect(methods.indexOf('eth_estimateGas')).toBeLessThan(methods.indexOf('eth_sendTransaction'))
  const sent = requests.find(({ method }) => method === 'eth_sendTransaction')?.params[0]
  expect(sent).toEqual({
    from: account,
    to: expect.stringMatching(new RegExp(`^0x${treasury}$`, 'i')),
    value: '0x14d1120d7b160000',
  })
  await expect(
    page.getByText('Your wallet found this transaction in block 100: 4 of 15 confirmations.'),
  ).toBeVisible()
  await page.reload()
  await expect(
    page.getByText('Your wallet found this transaction in block 100: 4 of 15 confirmations.'),
  ).toBeVisible()
})

test('on a phone, four taps lead from Home to a call to the token contract', async ({ page, sites }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  const requests = await installWallet(page, wallet())
  await page.goto(sites.filled)
  await page.getByRole('main').getByRole('link', { name: 'Donate', exact: true }).click()
  await page.getByRole('link', { name: 'Education', exact: true }).click()
  await page.getByRole('link', { name: '$20 20 DEMOUSD' }).click()
  await page.getByRole('button', { name: 'Pay 20 DEMOUSD' }).click()
  await expect(page).toHaveURL(`${sites.filled}/donate/${hash}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Thank you. Your 20 DEMOUSD is on its way to Education.',
  )
  const sent = requests.find(({ method }) => method === 'eth_sendTransaction')?.params[0]
  const contract = demoVariables.CHAIN_TOKENS.split(':')[1]
  expect(sent).toEqual({
    from: account,
    to: contract,
    data: `0xa9059cbb${education.padStart(64, '0')}${(20n * 10n ** 18n).toString(16).padStart(64, '0')}`,
  })
})

const refusals: [what: string, changes: Record<string, Answer>, text: string][] = [
  [
    'the account declines',
    { eth_sendTransaction: () => ({ code: 4001 }) },
    'You cancelled in your wallet. Nothing was sent. The other two ways below still work.',
  ],
  ['the simulation fails', { eth_estimateGas: () => ({ code: 3 }) }, 'The network would refuse this payment'],
  [
    'the account holds too little',
    { eth_getBalance: () => ({ answer: '0x1' }) },
    "This account doesn't have that much BNB. Nothing was sent.",
  ],
  [
    'the network is unknown',
    { wallet_switchEthereumChain: () => ({ code: 4902 }) },
    "Your wallet can't switch to BNB Smart Chain.",
  ],
  [
    'the wallet stays on another network',
    { wallet_switchEthereumChain: () => ({ answer: null }) },
    'Your wallet is still on another network.',
  ],
  [
    'the connection is lost before it was asked to send',
    { eth_estimateGas: () => ({ code: 4900 }) },
    'Your wallet lost its connection. Nothing was sent.',
  ],
  [
    'the connection is lost while it sends',
    { eth_sendTransaction: () => ({ code: 4900 }) },
    'Your wallet lost its connection. Check there whether it sent anything before you try again.',
  ],
]

test('if a wallet does not pay, the page says why and offers the other two ways', async ({ page, sites }) => {
  let answers = wallet()
  /** A method to which the wallet does not reply until the test calls `release`. */
  let held = ''
  const release: (() => void)[] = []
  const requests = await installProvider(page, async (method, params) => {
    if (method === held) await new Promise<void>((resolve) => release.push(resolve))
    return answers[method]?.(params as never) ?? { code: 4200 }
  })
  await page.clock.install()
  await page.goto(`${sites.filled}/donate?to=treasury&token=BNB`)
  await page.getByLabel('Amount in BNB').fill('1')
  await page.getByRole('button', { name: 'Next' }).click()
  const pay = page.getByRole('button', { name: 'Pay 1 BNB' })
  const status = page.getByRole('region', { name: 'In this browser' }).getByRole('status')
  for (const [what, changes, text] of refusals) {
    answers = wallet(changes)
    requests.length = 0
    await pay.click()
    await expect(status, what).toContainText(text)
    const sent = requests.some(({ method }) => method === 'eth_sendTransaction')
    expect(sent, what).toBe('eth_sendTransaction' in changes)
    for (const way of ['From a wallet app', 'From an exchange'])
      await expect(page.getByText(way, { exact: true })).toBeVisible()
  }
  await expectAccessible(page, true)
  answers = wallet()
  requests.length = 0
  held = 'eth_requestAccounts'
  await pay.click()
  await expect(status).toHaveText('You give 1 BNB to the treasury. Open your wallet and choose an account.')
  await page.clock.runFor(31_000)
  await expect(status).toContainText("Your wallet hasn't answered yet.")
  await expect(page.locator('[data-address]')).toBeVisible()
  // The visitor presses the button again. The late answer to the first press sends no second gift.
  held = 'eth_sendTransaction'
  await pay.click()
  const ready = 'Ready: 1 BNB to the treasury. Confirm it in your wallet.'
  await expect(status).toHaveText(ready)
  const count = (name: string) => requests.filter(({ method }) => method === name).length
  release[0]?.()
  await expect.poll(() => count('eth_estimateGas')).toBe(2)
  await page.evaluate(() => Promise.resolve())
  await expect(status).toHaveText(ready)
  release[1]?.()
  await expect(page).toHaveURL(`${sites.filled}/donate/${hash}`)
  expect(count('eth_sendTransaction')).toBe(1)
})

test('lists the wallets that announce themselves, and pays with the chosen one', async ({ page, sites }) => {
  const requests = await installWallet(page, wallet(), ['Fox & Co', 'Owl'])
  await page.goto(`${sites.filled}/donate?to=treasury&token=DEMOUSD&amount=10`)
  const buttons = page.getByRole('button', { name: /^Pay/ })
  await expect(buttons).toHaveText(['Pay 10 DEMOUSD with Fox & Co', 'Pay 10 DEMOUSD with Owl'])
  await expectAccessible(page, true)
  expect(requests).toEqual([])
  await page.route('**/assets/wallet-payment-*', (route) => route.abort())
  await buttons.first().click()
  await expect(page.getByText("We couldn't load part of this page. Nothing was sent.")).toBeVisible()
  expect(requests).toEqual([])
  await page.unrouteAll()
  await page.reload()
  await page.getByRole('button', { name: 'Pay 10 DEMOUSD with Owl' }).click()
  await expect(page).toHaveURL(`${sites.filled}/donate/${hash}`)
  const senders = requests.filter(({ method }) => method === 'eth_sendTransaction')
  expect(senders.map((request) => request.wallet)).toEqual(['Owl'])
  expect(
    new Set(requests.slice(0, requests.indexOf(senders[0] as never)).map((request) => request.wallet)),
  ).toEqual(new Set(['Owl']))
})

test('the script refuses to pay on a page of the demonstration', async ({ page, sites }) => {
  const requests = await installWallet(page, wallet())
  // A page with the real site's controls and the demonstration's label.
  const path = '/donate?to=treasury&token=DEMOUSD&amount=20'
  await page.route(sites.filled + path, async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace('<main', '<aside data-demo="">Demo</aside><main')
    await route.fulfill({ response, body })
  })
  await page.goto(sites.filled + path)
  await expect(page.locator('[data-pay]')).toHaveCount(1)
  await page.waitForTimeout(500)
  await expect(page.locator('[data-pay]')).toBeHidden()
  await expect(page.getByRole('button', { name: /^Pay/ })).toHaveCount(0)
  expect(requests).toEqual([])
})

test('a payment in neither ledger nor browser shows only what the wallet finds', async ({ page, sites }) => {
  await installWallet(page, wallet({ eth_chainId: () => ({ answer: '0x38' }) }))
  await page.goto(`${sites.filled}/donate/${hash}?amount=20&to=education`)
  await expect(page.getByText('Your wallet found this transaction in block 100')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText("We haven't seen this payment")
  await expect(page.getByText('Our ledger has no payment with this transaction hash.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Progress of the payment' })).toBeHidden()
  const announced = page.getByRole('status').filter({ hasText: 'not final yet' })
  await expect(announced).toHaveText('Your wallet found this transaction in a block. It is not final yet.')
  await expect(page.getByRole('main')).not.toContainText(/Your payment is (in|final)|Education|\b20\b/)
})

test('a transaction that the network refused is reported as refused', async ({ page, sites }) => {
  const receipt = { answer: { blockNumber: '0x64', status: '0x0' } }
  const answers = wallet({
    eth_chainId: () => ({ answer: '0x38' }),
    eth_getTransactionReceipt: () => receipt,
  })
  await installWallet(page, answers)
  await page.goto(`${sites.filled}/donate/${hash}`)
  await expect(page.getByText('The network refused this transaction')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The network refused this payment')
})

test('a receipt without a status is not reported as refused, and a wallet that never answers does not stop the next', async ({
  page,
  sites,
}) => {
  await page.addInitScript(() => {
    const detail = { info: { uuid: 'a', name: 'Silent' }, provider: { request: () => new Promise(() => {}) } }
    window.addEventListener('eip6963:requestProvider', () =>
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })),
    )
  })
  const receipt: { answer: unknown } = { answer: { blockNumber: null, status: null } }
  const answers = wallet({
    eth_chainId: () => ({ answer: '0x38' }),
    eth_getTransactionReceipt: () => receipt,
    eth_blockNumber: () => ({ answer: null }),
  })
  await installWallet(page, answers, ['Fox'])
  await page.goto(`${sites.filled}/donate/${hash}`)
  await expect(page.getByText("Your wallet hasn't found this transaction")).toBeVisible({ timeout: 15_000 })
  receipt.answer = { blockNumber: '0x64', status: null }
  await expect(page.getByText(/in block 100: 1 of \d+ confirmations/)).toBeVisible({ timeout: 15_000 })
  await expect(page.getByText(/refused this/)).toHaveCount(0)
  await expect(page.getByText('It first gives a hash of its own')).toBeVisible()
})

test('an open page shows and announces a payment that the ledger receives later', async ({ page, sites }) => {
  const rows = await (
    await page.request.get(`${sites.demo}/transparency.json?pool=education&type=gift&status=verified`)
  ).json()
  const [{ tx_hash }] = rows.transactions
  const path = `/donate/${tx_hash}`
  const listed = await (await page.request.get(sites.filled + path)).text()
  const unknown = await (await page.request.get(`${sites.filled}/donate/0x${'ab'.repeat(32)}`)).text()
  let body = unknown
  await page.route(sites.filled + path, (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.clock.install()
  await page.goto(sites.filled + path)
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText("We haven't seen this payment")
  await page.clock.runFor(21_000)
  await expect(heading).toHaveText("We haven't seen this payment")
  body = listed
  // The page sends its next request 20 s after the last response: a slow machine waits again.
  await expect
    .poll(async () => {
      await page.clock.runFor(21_000)
      return heading.textContent()
    })
    .toMatch(/^Thank you\. Your [\d.,]+\s\w+ has arrived at Education\.$/)
  await expect(page.getByRole('status').filter({ hasText: 'Your payment is final' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible()
})

test('without a block after ten minutes, the page says what may have happened', async ({ page, sites }) => {
  await page.clock.install()
  await page.goto(`${sites.filled}/donate/0x${'ab'.repeat(32)}`)
  const explanation = page.getByText("Don't pay a second time before you know")
  await expect(explanation).toBeHidden()
  await page.clock.fastForward('10:01')
  await expect(explanation).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'takes longer than usual' })).toBeVisible()
})
