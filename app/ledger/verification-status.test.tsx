import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { answerWords } from './calls.ts'
import { Provenance } from './provenance.tsx'
import { ReconciliationSection } from './reconciliation-table.tsx'
import { recordTitle } from './record.ts'
import { ScanAge } from './scan-age.tsx'
import { VerificationNote, type VerificationStatus } from './verification-status.tsx'

/** The visible text of a component. */
function textOf(element: JSX.Element): string {
  return renderToStaticMarkup(element)
    .replace(/<\/(?:p|span|strong|h2|dt|dd|li|th|td)>/g, ' ')
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

const checkedAt = new Date('2026-11-20T22:59:56Z')

test.each<[string, Partial<VerificationStatus>]>([
  ['Verified on chain Checked 20 Nov 2026, 22:59 UTC', { status: 'verified' }],
  ['Pending: waiting to be final Checked 20 Nov 2026, 22:59 UTC', { status: 'pending' }],
  ['Pending: not checked yet', { status: 'pending', checkedAt: null }],
  ['Does not match the chain Checked 20 Nov 2026, 22:59 UTC', { status: 'mismatch' }],
  ['Reorganised: the chain dropped it Checked 20 Nov 2026, 22:59 UTC', { status: 'reorganised' }],
  [
    'Not reachable: nobody could be asked Checked 20 Nov 2026, 22:59 UTC',
    { status: 'unreachable', unreachableAt: checkedAt },
  ],
  [
    'Verified on chain The last check got no answer: 20 Nov 2026, 22:59 UTC',
    { status: 'verified', unreachableAt: checkedAt },
  ],
  [
    'Does not match the chain The last check got no answer: 20 Nov 2026, 22:59 UTC',
    { status: 'mismatch', unreachableAt: checkedAt },
  ],
])('describes the status of a row: %s', (words, verification) => {
  const whole = { status: 'verified', checkedAt, unreachableAt: null, ...verification } as const
  expect(textOf(<VerificationNote verification={whole} />)).toBe(words)
})

const totals = {
  treasury: 0,
  donated: 0,
  donatedElsewhere: 0,
  dreamsFunded: 0,
  tax: 0,
  gifts: 0,
  otherIn: 0,
  returned: 0,
  costs: 0,
  otherOut: 0,
  transactions: 1210,
  verified: 1204,
  pending: 0,
  disputed: 0,
  unvalued: 0,
  asOf: checkedAt,
}

test.each([
  ['Sums over the 1,204 transactions that are verified on chain, as of 20 Nov 2026, 22:59 UTC.', {}],
  [
    'Sums over the 1 transaction that is verified on chain, as of 20 Nov 2026, 22:59 UTC. In no sum: 3 pending and 2 that the chain does not bear out. Without a value in dollars, and so in no sum: 1.',
    { verified: 1, pending: 3, disputed: 2, unvalued: 1 },
  ],
  [
    'No transaction is verified on chain yet, so nothing is in the sums, as of 20 Nov 2026, 22:59 UTC. In no sum: 7 pending.',
    { verified: 0, pending: 7 },
  ],
  [
    'Every figure is a sum over the ledger, which has no rows so far.',
    { transactions: 0, verified: 0, asOf: null },
  ],
])('describes the source of the figures: %s', (words, more) => {
  expect(textOf(<Provenance totals={{ ...totals, ...more }} />)).toBe(words)
})

test('shows no figures if they cannot be read', () => {
  expect(textOf(<Provenance totals={null} />)).toMatch(/^Figures are unavailable right now\./)
})

test.each([
  ['2026-01-04T04:00:00Z', 'Answered after 3 days 4 hours'],
  ['2026-01-02T00:00:00Z', 'Answered after 1 day'],
  ['2026-01-02T00:59:00Z', 'Answered after 1 day'],
  ['2026-01-01T01:05:59Z', 'Answered after 1 hour 5 minutes'],
  ['2026-01-01T00:01:00Z', 'Answered after 1 minute'],
  ['2026-01-01T00:00:59Z', 'Answered after less than a minute'],
  ['2027-02-05T00:00:00Z', 'Answered after 400 days'],
  ['2025-12-31T21:00:00Z', 'Paid 3 hours before it was said'],
])('a statement of New Year that was answered on %s: %s', (answered, words) => {
  expect(answerWords(new Date('2026-01-01T00:00:00Z'), new Date(answered))).toBe(words)
})

const scan = {
  chainId: 56,
  blockNumber: 48_123_456,
  blockTime: new Date('2026-11-20T22:58:00Z'),
  scannedAt: new Date('2026-11-20T22:59:00Z'),
}
const scanned =
  'BNB Smart Chain was last read on 20 Nov 2026, 22:59 UTC, up to block 48,123,456 of 20 Nov 2026, 22:58 UTC.'

test.each([
  ['a minute old', Date.parse('2026-11-20T23:00:00Z'), / hidden=""/],
  ['a quarter of an hour old', Date.parse('2026-11-20T23:14:00Z'), /data-late="900">/],
])('shows the age of data that is %s', (_, now, warning) => {
  const element = <ScanAge scan={scan} now={now} />
  expect(textOf(element)).toContain(scanned)
  expect(renderToStaticMarkup(element)).toMatch(warning)
})

test('shows a time without a warning in the demonstration, and nothing without a chain', () => {
  expect(textOf(<ScanAge scan={scan} now={null} />)).toBe(scanned)
  expect(renderToStaticMarkup(<ScanAge scan={null} now={0} />)).toBe('')
})

const bnb = (amount: bigint) => ({ amount, symbol: 'BNB', decimals: 18 })
const reconciliation = {
  id: 1,
  wallet: `0x${'a'.repeat(40)}`,
  blockNumber: 9,
  blockTime: checkedAt,
  onChain: bnb(1_500_000_000_000_000_001n),
  inLedger: bnb(1_500_000_000_000_000_001n),
  difference: bnb(0n),
  unlisted: [],
}

test.each([
  ['1.500000000000000001 BNB 1.500000000000000001 BNB None', {}],
  [
    '1.500000000000000001 BNB 2 BNB −0.499999999999999999 BNB Which transfer is missing is not known yet.',
    { inLedger: bnb(2n * 10n ** 18n), difference: bnb(-499_999_999_999_999_999n) },
  ],
  [
    '1.500000000000000001 BNB −0.5 BNB 2.000000000000000001 BNB Not in the ledger: 2.000000000000000001 BNB in, 0xbbbbbb…bbbbbb',
    {
      inLedger: bnb(-5n * 10n ** 17n),
      difference: bnb(2_000_000_000_000_000_001n),
      unlisted: [
        { txHash: `0x${'b'.repeat(64)}`, direction: 'in' as const, tokens: bnb(2_000_000_000_000_000_001n) },
      ],
    },
  ],
])('shows a reconciliation unrounded: %s', (words, more) => {
  const section = (
    <ReconciliationSection reconciliations={[{ ...reconciliation, ...more }]} wallets={[]} explorer={null} />
  )
  expect(textOf(section).replace(/ +/g, ' ')).toContain(words)
})

test('shows nothing before the first reconciliation', () => {
  expect(
    renderToStaticMarkup(<ReconciliationSection reconciliations={[]} wallets={[]} explorer={null} />),
  ).toBe('')
})

test.each([
  ['$12.50 to Education Programme', { type: 'donation', pool: 'education' }],
  ['$12.50 to another cause', { type: 'donation' }],
  ['$12.50 of tax income', { type: 'tax' }],
  ['$12.50 for a dream', { type: 'dream' }],
  ['$12.50 received', { type: 'other', direction: 'in' as const }],
  ['1.5 BNB paid', { type: 'of another release', amount: null, tokens: bnb(15n * 10n ** 17n) }],
  ['An unvalued amount paid', { type: 'other', amount: null }],
])('a row is titled: %s', (title, more) => {
  const record = { direction: 'out' as const, amount: 1250, tokens: null, pool: null, ...more }
  expect(recordTitle(record)).toBe(title)
})
