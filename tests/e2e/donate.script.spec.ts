/** Wallets in the browser need script, so these tests have no counterpart without it. */
import type { Page } from '@playwright/test'
import { demoVariables } from '../../supabase/embedded/demo-ledger.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { installProvider, type Reply } from './provider.ts'

const account = `0x${'5'.repeat(40)}`
const hash = `0x${'e'.repeat(64)}`
const treasury = demoVariables.TREASURY_WALLET.slice(2).toLowerCase()

type Answer = (params: never) => Reply

/** A provider that replies by the entry of `answers` for a method, or with the error 4200 if there is none. */
function installWallet(page: Page, answers: Record<string, Answer>) {
  return installProvider(page, (method, params) => answers[method]?.(params as never) ?? { code: 4200 })
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
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

test('without a wallet the form stays hidden', async ({ page, sites }) => {
  await page.goto(`${sites.demo}/donate`)
  await page.waitForTimeout(500)
  await expect(page.getByLabel('Amount')).toBeHidden()
})

test('the wallet switches the network, simulates, sends the coin and follows it across a reload', async ({
  page,
  sites,
}) => {
  const asked = await installWallet(page, wallet())
  await page.goto(`${sites.demo}/donate`)
  await expect(page.getByLabel('Amount')).toBeVisible()
  await expectAccessible(page, true)
  await give(page, sites.demo, '1.5', 'BNB')
  await expect(page).toHaveURL(`${sites.demo}/donate/${hash}`)
  const methods = asked.map(({ method }) => method)
  expect(methods.indexOf('wallet_switchEthereumChain')).toBeLessThan(methods.indexOf('eth_estimateGas'))
  expect(methods.indexOf('eth_estimateGas')).toBeLessThan(methods.indexOf('eth_sendTransaction'))
  const sent = asked.find(({ method }) => method === 'eth_sendTransaction')?.params[0]
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
  const asked = await installWallet(page, wallet())
  await give(page, sites.demo, '2', 'DEMOUSD')
  await expect(page).toHaveURL(`${sites.demo}/donate/${hash}`)
  const sent = asked.find(({ method }) => method === 'eth_sendTransaction')?.params[0]
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
    const asked = await installWallet(page, wallet(changes))
    await give(page, sites.demo, '1', 'BNB')
    await expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()
    if (!('eth_sendTransaction' in changes))
      expect(asked.map(({ method }) => method)).not.toContain('eth_sendTransaction')
    await expect(page).toHaveURL(`${sites.demo}/donate`)
  })

for (const amount of ['', '0', '-1', '1e3', '1.0000000000000000001', '1,5,5'])
  test(`'${amount}' is refused as an amount`, async ({ page, sites }) => {
    const asked = await installWallet(page, wallet())
    await give(page, sites.demo, amount, 'BNB')
    await expect(page.getByText('Enter an amount of BNB, for example 0.1.')).toBeVisible()
    await expect(page.getByLabel('Amount')).toBeFocused()
    expect(asked).toEqual([])
  })

test('a transaction that the network refused is reported as such', async ({ page, sites }) => {
  const receipt = { answer: { blockNumber: '0x64', status: '0x0' } }
  const answers = wallet({
    eth_chainId: () => ({ answer: '0x38' }),
    eth_getTransactionReceipt: () => receipt,
  })
  await installWallet(page, answers)
  await page.goto(`${sites.demo}/donate/${hash}`)
  await expect(page.getByText('The network refused this transaction')).toBeVisible()
})
