/** Wallets in the browser need script, so these tests have no counterpart without it. */
import type { Page } from '@playwright/test'
import { demoVariables } from '../../supabase/embedded/demo-ledger.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { installProvider, type Reply } from './provider.ts'

const account = `0x${'5'.repeat(40)}`
const hash = `0x${'e'.repeat(64)}`
const treasury = demoVariables.TREASURY_WALLET.slice(2).toLowerCase()

type Answer = (params: never) => Reply

/**
 * Wallets that reply to a method with its entry in `answers`, and to any other method with the error 4200
 * (unsupported).
 */
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
    eth_getBalance: () => ({ answer: '0x8ac7230489e80000' }),
    eth_call: ([{ data }]: [{ data?: string }]) => ({
      answer: data?.startsWith('0x70a08231') ? '0x8ac7230489e80000' : `0x${'1'.padStart(64, '0')}`,
    }),
    eth_estimateGas: () => ({ answer: '0x5208' }),
    eth_sendTransaction: () => ({ answer: hash }),
    eth_getTransactionReceipt: () => ({ answer: { blockNumber: '0x64', status: '0x1' } }),
    eth_blockNumber: () => ({ answer: '0x67' }),
    ...changes,
  } as Record<string, Answer>
}

async function give(page: Page, site: string, amount: string, token: string) {
  await page.goto(`${site}/donate`)
  await page.getByLabel('Amount').fill(amount)
  await page.getByLabel('Token').selectOption(token)
  await page.getByRole('button', { name: 'Send with your wallet' }).click()
}

test('without a wallet the form stays hidden', async ({ page, sites }) => {
  await page.goto(`${sites.filled}/donate`)
  await page.waitForTimeout(500)
  await expect(page.getByLabel('Amount')).toBeHidden()
})

test('the wallet switches the network, simulates, sends the coin and follows it across a reload', async ({
  page,
  sites,
}) => {
  const requests = await installWallet(page, wallet())
  await page.goto(`${sites.filled}/donate`)
  await expect(page.getByLabel('Amount')).toBeVisible()
  await expectAccessible(page, true)
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
  await expect(page.getByText('On the blockchain, in block 100: 4 of 15 confirmations.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('On the blockchain, in block 100: 4 of 15 confirmations.')).toBeVisible()
})

test('a token goes to the wallet by a call of its contract', async ({ page, sites }) => {
  const requests = await installWallet(page, wallet())
  await give(page, sites.filled, '2', 'DEMOUSD')
  await expect(page).toHaveURL(`${sites.filled}/donate/${hash}`)
  const sent = requests.find(({ method }) => method === 'eth_sendTransaction')?.params[0]
  const contract = demoVariables.CHAIN_TOKENS.split(':')[1]
  expect(sent).toEqual({
    from: account,
    to: contract,
    data: `0xa9059cbb${treasury.padStart(64, '0')}${(2n * 10n ** 18n).toString(16).padStart(64, '0')}`,
  })
})

const refusals: [what: string, changes: Record<string, Answer>, text: string][] = [
  ['the account declines', { eth_sendTransaction: () => ({ code: 4001 }) }, 'You cancelled in your wallet.'],
  ['the simulation fails', { eth_estimateGas: () => ({ code: 3 }) }, 'The network would refuse this payment'],
  [
    'the account holds too little',
    { eth_getBalance: () => ({ answer: '0x1' }) },
    "doesn't have that much BNB",
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
]
for (const [what, changes, text] of refusals)
  test(`nothing is sent and the reason is shown when ${what}`, async ({ page, sites }) => {
    const requests = await installWallet(page, wallet(changes))
    await give(page, sites.filled, '1', 'BNB')
    await expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()
    if (!('eth_sendTransaction' in changes))
      expect(requests.map(({ method }) => method)).not.toContain('eth_sendTransaction')
    await expect(page).toHaveURL(`${sites.filled}/donate`)
  })

test('an amount that is not a positive number with at most 18 decimals is refused', async ({
  page,
  sites,
}) => {
  const requests = await installWallet(page, wallet())
  for (const amount of ['', '0', '-1', '1e3', '1.0000000000000000001', '1,5,5']) {
    await give(page, sites.filled, amount, 'BNB')
    await expect(page.getByText('Enter an amount of BNB, for example 0.1.'), amount).toBeVisible()
    await expect(page.getByLabel('Amount'), amount).toBeFocused()
    expect(requests, amount).toEqual([])
  }
})

test('lists the wallets that announce themselves, and pays with the chosen one', async ({ page, sites }) => {
  const requests = await installWallet(page, wallet(), ['Fox & Co', 'Owl'])
  await page.goto(`${sites.filled}/donate`)
  const buttons = page.getByRole('button', { name: /^Send with/ })
  await expect(buttons).toHaveText(['Send with Fox & Co', 'Send with Owl'])
  await expectAccessible(page, true)
  // Enter must not choose a wallet for the donor.
  await page.getByLabel('Amount').fill('1.5')
  await page.getByLabel('Amount').press('Enter')
  await expect(page.getByText('Choose a wallet.')).toBeVisible()
  await expect(buttons.first()).toBeFocused()
  expect(requests).toEqual([])
  await page.getByLabel('Token').selectOption('BNB')
  await page.getByRole('button', { name: 'Send with Owl' }).click()
  await expect(page).toHaveURL(`${sites.filled}/donate/${hash}`)
  const senders = requests.filter(({ method }) => method === 'eth_sendTransaction')
  expect(senders.map((request) => request.wallet)).toEqual(['Owl'])
  expect(
    new Set(requests.slice(0, requests.indexOf(senders[0] as never)).map((request) => request.wallet)),
  ).toEqual(new Set(['Owl']))
})

test('an amount with an ambiguous separator is refused', async ({ page, sites }) => {
  const requests = await installWallet(page, wallet())
  for (const amount of ['1,000', '1.000', '12,345']) {
    await give(page, sites.filled, amount, 'DEMOUSD')
    await expect(page.getByRole('status').filter({ hasText: 'Write 1000 or 1000.00.' }), amount).toBeVisible()
    await expect(page.getByLabel('Amount'), amount).toBeFocused()
    await expect(page.getByLabel('Amount'), amount).toHaveAccessibleDescription('Write 1000 or 1000.00.')
    expect(requests, amount).toEqual([])
  }
})

test('shows the parsed amount before the wallet opens', async ({ page, sites }) => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const answers = wallet()
  const requests = await installProvider(page, async (method, params) => {
    if (method === 'eth_requestAccounts') await opened
    return answers[method]?.(params as never) ?? { code: 4200 }
  })
  await page.goto(`${sites.filled}/donate`)
  await page.getByLabel('Token').selectOption('DEMOUSD')
  await page.getByLabel('Amount').fill(' 01000,50 ')
  await expect(page.getByText('You give 1000.5 DEMOUSD to Treasury.', { exact: true })).toBeVisible()
  expect(requests).toEqual([])
  await page.getByLabel('Token').selectOption('BNB')
  await page.getByLabel('Amount').fill('0,125')
  await expect(page.getByText('You give 0.125 BNB to Treasury.', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Send with your wallet' }).click()
  await expect(
    page.getByText('You give 0.125 BNB to Treasury. Open your wallet and choose an account.'),
  ).toBeVisible()
  expect(requests.map(({ method }) => method)).toEqual(['eth_requestAccounts'])
  open()
  await expect(page).toHaveURL(`${sites.filled}/donate/${hash}`)
})

test('the script refuses to pay from a page of the demonstration', async ({ page, sites }) => {
  const requests = await installWallet(page, wallet())
  // A page with the form of the real site and the mark of the demonstration.
  await page.route(`${sites.filled}/donate`, async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace('<main', '<aside data-demo="">Demo</aside><main')
    await route.fulfill({ response, body })
  })
  await page.goto(`${sites.filled}/donate`)
  await expect(page.locator('form[data-wallet-form]')).toHaveCount(1)
  await page.waitForTimeout(500)
  await expect(page.locator('form[data-wallet-form]')).toBeHidden()
  await expect(page.getByRole('button', { name: /^Send with/ })).toHaveCount(0)
  expect(requests).toEqual([])
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
