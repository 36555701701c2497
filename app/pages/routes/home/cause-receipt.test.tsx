import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { CausePayment } from '../../../ledger/cause-payments.server.ts'
import type { PoolWithTotals, Totals } from '../../../ledger/totals.server.ts'
import { impactPools } from '../../../platform/impact-pools.ts'
import { Icon } from '../../../platform/ui/icon.tsx'
import { Blocks } from './blocks.tsx'
import { CauseReceipt, hasReceipt } from './cause-receipt.tsx'
import { Figures } from './figures.tsx'

const totals = {
  donatedUsd: 500_00,
  treasuryUsd: 400_00,
  dreamsFundedUsd: 100_00,
  spentUsd: 200_00,
  waitingUsd: 300_00,
  transactionsCount: 9,
  verifiedCount: 8,
  unvaluedCount: 1,
  disputedCount: 0,
} as Totals
const pools: PoolWithTotals[] = impactPools.map((pool) => ({ ...pool, totals: null }))
const payment: CausePayment = {
  id: 7,
  occurredAt: new Date('2026-03-04T10:00:00Z'),
  account: 'education',
  isNamed: false,
  poolSlug: 'education',
  amountUsd: 1234_00,
  tokens: null,
  note: 'Forty desks',
}
const wordsOf = (element: ReactElement) =>
  renderToStaticMarkup(element)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll(/\s+/g, ' ')
    .trim()
const textOf = (payments: CausePayment[] | null, sums: Totals | null) =>
  wordsOf(<CauseReceipt payments={payments} totals={sums} pools={pools} />)
const figuresOf = (sums: Totals | null) => wordsOf(<Figures totals={sums} />)

test('a payment shows its purpose, cause, amount and day, and links to its row', () => {
  const text = textOf([payment], totals)
  expect(text).toContain(
    'Forty desks : $1,234.00 for Education $1,234.00 Education Verified on chain, 4 Mar 2026',
  )
  expect(text).toContain('7 of 9 payments verified and counted')
  expect(renderToStaticMarkup(<CauseReceipt payments={[payment]} totals={totals} pools={pools} />)).toContain(
    'href="/transparency/7"',
  )
})

test.each([
  [{ verifiedCount: 9, unvaluedCount: 0 }, '9 of 9 payments verified and counted', 'check'],
  [{ pendingCount: 2 }, '7 of 9 payments verified and counted', 'check'],
  [{ disputedCount: 1 }, "7 of 9 payments verified and counted; 1 doesn't match", 'alert'],
] as const)('says how many payments are counted, with the counts %o: %s', (counts, words, sign) => {
  const sums = { ...totals, ...counts }
  expect(textOf([payment], sums)).toContain(words)
  const line = renderToStaticMarkup(<CauseReceipt payments={[payment]} totals={sums} pools={pools} />)
  const shown = renderToStaticMarkup(<Icon name={sign} size={14} />)
  expect(line.slice(line.indexOf('receipt-checked'))).toContain(shown)
})

test('shows placeholder text if a payment has no purpose, value or pool', () => {
  const tokens = { amount: 25n * 10n ** 17n, symbol: 'BNB', decimals: 18 }
  const other = {
    ...payment,
    account: 'donation-wallet',
    poolSlug: null,
    note: null,
    amountUsd: null,
    tokens,
  }
  expect(textOf([{ ...other, tokens: null }], totals)).toContain('No dollar value yet Another cause')
  expect(textOf([{ ...other, isNamed: true }], totals)).toContain(
    "We don't say yet what this bought : 2.5 BNB for CZ Call 2.5 BNB CZ Call, named by CZ",
  )
})

test('says that CZ named a payment only if a statement contains the payment', () => {
  const other = { ...payment, account: 'donation-wallet', poolSlug: null }
  expect(textOf([other], totals)).not.toContain('CZ')
  expect(textOf([{ ...payment, isNamed: true }], totals)).toContain('Education, named by CZ')
})

test('states which part cannot be read, and shows the other part', () => {
  expect(textOf(null, totals)).toMatch(/We can't load the payments right now\..*7 of 9 payments/)
  expect(textOf([payment], null)).toMatch(/Forty desks.*Education/)
  expect(figuresOf(null)).toMatch(/Donated Can't load.*We can't load the figures right now\./)
  expect(textOf(null, null) + figuresOf(null)).not.toContain('$0')
})

test('omits the spent amount if everything has been spent, or if the parts of the pools do not add up to the sum', () => {
  expect(figuresOf(totals)).toContain('$500 causes spent $200 of it')
  expect(figuresOf({ ...totals, spentUsd: 500_00, waitingUsd: 0 })).not.toContain('of it')
  expect(figuresOf({ ...totals, waitingUsd: 301_00 })).not.toContain('of it')
})

test('shows a receipt only after the first payment to a cause, or if the data cannot be read', () => {
  expect(hasReceipt([], totals)).toBe(false)
  expect(hasReceipt(null, { ...totals, transactionsCount: 0 })).toBe(false)
  expect(hasReceipt([payment], totals)).toBe(true)
  expect(hasReceipt(null, null)).toBe(true)
})

const rectsOf = (parts: Parameters<typeof Blocks>[0]['parts']) =>
  renderToStaticMarkup(<Blocks label="x" parts={parts} />)
    .split('</svg>')
    .map((svg) => svg.slice(svg.indexOf('<g '), svg.indexOf('</g>')))
    .map((svg) =>
      [...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"/g)].map(([, ...box]) =>
        box.map(Number),
      ),
    )

test('fills fifty blocks in order, to the cent, in rows of 25 and of 10', () => {
  const [wide, narrow] = rectsOf([
    { fill: 'spent', share: 1250 },
    { fill: 'waiting', share: 1250 },
    { fill: 'dreams', share: 50 },
  ])
  // A block is 17 units wide, and the next block begins 20 units after its start.
  expect(wide).toEqual([
    [0, 0, 248.5],
    [248.5, 0, 248.5],
    [0, 20, 8.5],
  ])
  expect(narrow).toEqual([
    [0, 0, 197],
    [0, 20, 48.5],
    [48.5, 20, 148.5],
    [0, 40, 97],
    [100, 40, 8.5],
  ])
})

test('no block has two hues, unless fifty blocks are too few for all parts', () => {
  const [apart] = rectsOf([
    { fill: 'spent', share: 150 },
    { fill: 'dreams', share: 50 },
  ])
  // The second block is half full, and dreams begin at the third block.
  expect(apart).toEqual([
    [0, 0, 28.5],
    [40, 0, 8.5],
  ])
  const [dense] = rectsOf([
    { fill: 'spent', share: 4950 },
    { fill: 'dreams', share: 50 },
  ])
  expect(dense?.at(-1)).toEqual([488.5, 20, 8.5])
})
