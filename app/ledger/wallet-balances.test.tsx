import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Reconciliation } from './reconciliations.server.ts'
import { WalletBalances } from './wallet-balances.tsx'
import { listWallets } from './wallets.ts'

const wallets = listWallets({
  TREASURY_WALLET: '0xAa',
  DONATION_WALLET: '0xbb',
  POOL_WALLET_EDUCATION: '0xcc',
} as never)

const found = (wallet: string, symbol: string, amount: bigint, day = 2): Reconciliation => {
  const tokens = { amount, symbol, decimals: 2 }
  return {
    id: 1,
    wallet,
    blockNumber: 1,
    blockTime: new Date(Date.UTC(2026, 0, day)),
    chainAmount: tokens,
    ledgerAmount: { ...tokens, amount: 1n },
    gasPaid: { ...tokens, amount: 0n },
    difference: tokens,
    unlisted: [],
  }
}
const render = (reconciliations: Reconciliation[] | null) =>
  renderToStaticMarkup(<WalletBalances reconciliations={reconciliations} wallets={wallets} />).replace(
    /<[^>]+>/g,
    '',
  )

test("adds up the treasury's two wallets for each token, and shows the oldest time", () => {
  const text = render([
    found('0xaa', 'USD', 100_050n),
    found('0xBB', 'USD', 50n, 1),
    found('0xaa', 'BNB', 25n),
    found('0xcc', 'USD', 999n),
  ])
  expect(text).toContain('s wallets: 1,001 USD and 0.25 BNB.')
  expect(text).toContain('1 Jan 2026')
})

test("shows nothing without readable reconciliations of the treasury's wallets", () => {
  expect(render([])).toBe('')
  expect(render([found('0xcc', 'USD', 1n)])).toBe('')
  expect(render(null)).toBe('')
})
