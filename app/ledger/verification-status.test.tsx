import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { createEnglish } from '~/platform/locales/language'
import { Verdict } from '../pages/routes/transparency/verdict.tsx'
import { ReconciliationSection } from '../pages/routes/transparency.wallets/reconciliation-table.tsx'
import { formatInstant } from '../platform/time.ts'
import { answerWords } from './calls.ts'
import { MatchLine } from './match-line.tsx'
import { Provenance } from './provenance.tsx'
import { recordTitle } from './record.ts'
import { ScanAge, ScanWarning } from './scan-age.tsx'
import { VerificationNote, type VerificationStatus } from './verification-status.tsx'

/** The visible text of a component. */
function textOf(element: JSX.Element): string {
  return renderToStaticMarkup(element)
    .replace(/<\/(?:p|span|strong|h2|dt|dd|li|th|td)>/g, ' ')
    .replace(/<[^>]+>/g, '')
    .replaceAll('&#x27;', "'")
    .replace(/\s+/g, ' ')
    .trim()
}

const checkedAt = new Date('2026-11-20T22:59:56Z')

test.each<[string, Partial<VerificationStatus>]>([
  ['Verified on chain Checked 20 Nov 2026, 22:59 UTC', { status: 'verified' }],
  ['Waiting Checked 20 Nov 2026, 22:59 UTC', { status: 'pending' }],
  ['Waiting', { status: 'pending', checkedAt: null }],
  ["Doesn't match the blockchain Checked 20 Nov 2026, 22:59 UTC", { status: 'mismatch' }],
  ['No longer on the blockchain Checked 20 Nov 2026, 22:59 UTC', { status: 'reorganised' }],
  [
    "Couldn't reach the blockchain Tried 20 Nov 2026, 22:59 UTC",
    { status: 'unreachable', unreachableAt: checkedAt },
  ],
  [
    'Verified on chain Tried again 20 Nov 2026, 22:59 UTC, no answer',
    { status: 'verified', unreachableAt: checkedAt },
  ],
  [
    "Doesn't match the blockchain Tried again 20 Nov 2026, 22:59 UTC, no answer",
    { status: 'mismatch', unreachableAt: checkedAt },
  ],
])('describes the verification status of a row: %s', (words, verification) => {
  const whole = { status: 'verified', checkedAt, unreachableAt: null, ...verification } as const
  expect(textOf(<VerificationNote verification={whole} />)).toBe(words)
})

const totals = {
  treasuryUsd: 0,
  donatedUsd: 0,
  donatedElsewhereUsd: 0,
  dreamsFundedUsd: 0,
  taxUsd: 0,
  giftsUsd: 0,
  otherInUsd: 0,
  returnedUsd: 0,
  costsUsd: 0,
  otherOutUsd: 0,
  spentUsd: 0,
  waitingUsd: 0,
  poolGiftsUsd: 0,
  transactionsCount: 1210,
  verifiedCount: 1204,
  pendingCount: 0,
  disputedCount: 0,
  unvaluedCount: 0,
  asOf: checkedAt,
  receivedUsd: 0,
  paidUsd: 0,
}

test.each([
  [
    'These totals count 1,204 payments that are verified and have a dollar value. We left out 6: 6 are being verified. Updated 20 Nov 2026, 22:59 UTC.',
    { pendingCount: 6 },
  ],
  [
    "These totals count 1 payment that is verified and has a dollar value. We left out 6: 3 are being verified, 2 don't match, and 1 has no dollar value yet. Updated 20 Nov 2026, 22:59 UTC.",
    { transactionsCount: 7, verifiedCount: 2, pendingCount: 3, disputedCount: 2, unvaluedCount: 1 },
  ],
  [
    'These totals count 1,210 payments that are verified and have a dollar value. Updated 20 Nov 2026, 22:59 UTC.',
    { verifiedCount: 1210 },
  ],
  [
    'No payment is in these totals yet, so they are still $0. We left out 7: 7 are being verified. Updated 20 Nov 2026, 22:59 UTC.',
    { transactionsCount: 7, verifiedCount: 0, pendingCount: 7 },
  ],
  ['No transactions yet, so every total is $0.', { transactionsCount: 0, verifiedCount: 0, asOf: null }],
])('says what the totals include: %s', (words, more) => {
  expect(textOf(<Provenance totals={{ ...totals, ...more }} />)).toBe(words)
})

test('says that the figures cannot be loaded', () => {
  expect(textOf(<Provenance totals={null} />)).toMatch(/^We can't load the figures right now\./)
})

test.each([
  ['2026-01-04T04:00:00Z', 'Paid 3 days 4 hours later'],
  ['2026-01-02T00:00:00Z', 'Paid 1 day later'],
  ['2026-01-02T00:59:00Z', 'Paid 1 day later'],
  ['2026-01-01T01:05:59Z', 'Paid 1 hour 5 minutes later'],
  ['2026-01-01T00:01:00Z', 'Paid 1 minute later'],
  ['2026-01-01T00:00:59Z', 'Paid less than a minute later'],
  ['2027-02-05T00:00:00Z', 'Paid 400 days later'],
  ['2025-12-31T21:00:00Z', 'Paid 3 hours before the statement'],
])('describes the time between a statement on 1 January and a payment at %s: %s', (answered, words) => {
  expect(answerWords(new Date('2026-01-01T00:00:00Z'), new Date(answered), createEnglish())).toBe(words)
})

const scan = {
  chainId: 56,
  blockNumber: 48_123_456,
  blockTime: new Date('2026-11-20T22:58:00Z'),
  scannedAt: new Date('2026-11-20T22:59:00Z'),
  unreadCount: 0,
  unread: [],
}
const scanned = 'Last checked BNB Smart Chain: 20 Nov 2026, 22:59 UTC (block 48,123,456).'

test.each([
  ['a minute old', Date.parse('2026-11-20T23:00:00Z'), / hidden=""/],
  ['a quarter of an hour old', Date.parse('2026-11-20T23:14:00Z'), /data-late="900">/],
])('warns only if the last read of the blockchain is old: %s', (_, now, warning) => {
  expect(textOf(<ScanAge scan={scan} now={now} />)).toBe(scanned)
  expect(renderToStaticMarkup(<ScanWarning scan={scan} now={now} />)).toMatch(warning)
})

test('shows a time without a warning in the demonstration, and nothing before the first read', () => {
  expect(textOf(<ScanAge scan={scan} now={null} />)).toBe(scanned)
  expect(renderToStaticMarkup(<ScanWarning scan={scan} now={null} />)).toBe('')
  expect(renderToStaticMarkup(<ScanAge scan={null} now={0} />)).toBe('')
})

const bnb = (amount: bigint) => ({ amount, symbol: 'BNB', decimals: 18 })
const reconciliation = {
  id: 1,
  wallet: `0x${'a'.repeat(40)}`,
  blockNumber: 9,
  blockTime: checkedAt,
  chainAmount: bnb(1_500_000_000_000_000_001n),
  ledgerAmount: bnb(1_500_000_000_000_000_001n),
  gasPaid: bnb(0n),
  difference: bnb(0n),
  unlisted: [],
}

test.each([
  ['1.500000000000000001 BNB 1.500000000000000001 BNB None', {}],
  [
    '1.500000000000000001 BNB 1.500000000000000003 BNB Network fees: 0.000000000000000002 BNB None',
    { ledgerAmount: bnb(1_500_000_000_000_000_003n), gasPaid: bnb(2n) },
  ],
  [
    "1.500000000000000001 BNB 2 BNB Network fees: not known Not compared yet We don't know all the network fees this wallet has paid, because we haven't read all of its history.",
    { ledgerAmount: bnb(2n * 10n ** 18n), gasPaid: null, difference: null },
  ],
  [
    "1.500000000000000001 BNB 2 BNB −0.499999999999999999 BNB We're still looking for the missing payment.",
    { ledgerAmount: bnb(2n * 10n ** 18n), difference: bnb(-499_999_999_999_999_999n) },
  ],
  [
    '1.500000000000000001 BNB −0.5 BNB 2.000000000000000001 BNB Missing from this ledger: 2.000000000000000001 BNB received, 0xbbbbbbbb…bbbbbbbb',
    {
      ledgerAmount: bnb(-5n * 10n ** 17n),
      difference: bnb(2_000_000_000_000_000_001n),
      unlisted: [
        { txHash: `0x${'b'.repeat(64)}`, direction: 'in' as const, tokens: bnb(2_000_000_000_000_000_001n) },
      ],
    },
  ],
])('shows the reconciliation with unrounded amounts: %s', (words, more) => {
  const section = <ReconciliationSection reconciliations={[{ ...reconciliation, ...more }]} wallets={[]} />
  expect(textOf(section).replace(/ +/g, ' ')).toContain(words)
})

const wallets = ['a', 'b'].map((digit, at) => ({
  ...{ slug: `wallet-${at}`, name: `Wallet ${at}`, purpose: '', address: `0x${digit.repeat(40)}` },
}))
const compared = ` Compared on ${formatInstant(checkedAt)}.`

const other = { ...reconciliation, id: 2, wallet: `0x${'b'.repeat(40)}` }
const unknown = { gasPaid: null, difference: null }

const short = { ...reconciliation, difference: bnb(2n * 10n ** 18n) }
const surplus = { ...other, difference: bnb(-1n) }

test.each([
  ['The balances of all 2 wallets match the blockchain.', [reconciliation, other]],
  ['The balance of our wallet matches the blockchain.', [reconciliation]],
  [
    "We couldn't fully compare 1 of 2 wallets with the blockchain yet.",
    [reconciliation, other, { ...other, ...unknown }],
  ],
  ["We couldn't fully compare our wallet with the blockchain yet.", [{ ...reconciliation, ...unknown }]],
  ['1 of 2 wallets match; 2 BNB is missing from this ledger.', [short, { ...other, ...unknown }]],
  ["Our wallet doesn't match the blockchain; 2 BNB is missing from this ledger.", [short]],
  [
    '0 of 2 wallets match; 2 BNB is missing from this ledger and 0.000000000000000001 BNB is in this ledger and not on the blockchain.',
    [short, surplus],
  ],
  [
    '1 of 2 wallets match; some payments are missing from this ledger.',
    [reconciliation, { ...other, unlisted: [{ txHash: '0x1', direction: 'in' as const, tokens: bnb(1n) }] }],
  ],
])('says in one sentence whether the wallets match the blockchain: %s', (words, reconciliations) => {
  expect(textOf(<MatchLine reconciliations={reconciliations} wallets={wallets} />)).toBe(words + compared)
})

test('shows the time of the oldest comparison, and does not count former wallets', () => {
  const earlier = new Date(checkedAt.getTime() - 3_600_000)
  const replaced = { ...short, id: 3, wallet: `0x${'c'.repeat(40)}`, blockTime: new Date(0) }
  const found = [reconciliation, { ...other, blockTime: earlier }, replaced]
  const lineOf = (reconciliations: typeof found) =>
    textOf(<MatchLine reconciliations={reconciliations} wallets={wallets} />)
  expect(lineOf(found)).toBe(
    `The balances of all 2 wallets match the blockchain. Compared on ${formatInstant(earlier)}.`,
  )
  expect(lineOf([replaced])).toBe('')
  // The table keeps the last comparison of the former wallet.
  const table = textOf(<ReconciliationSection reconciliations={found} wallets={wallets} />)
  expect(table).toContain('Not our wallet any more')
})

const none = { ...totals, transactionsCount: 0, verifiedCount: 0 }
const all = { ...totals, verifiedCount: 1210 }

test.each([
  [
    'calm',
    '100% 1,210 of 1,210 payments verified and counted. The balance of our wallet matches the blockchain.',
    all,
    [reconciliation],
  ],
  [
    'calm',
    '99% 1,204 of 1,210 payments verified and counted. 6 are being verified. Those with a dollar value add up to $988. Show these payments',
    { ...totals, pendingCount: 6 },
    [],
    987_65,
  ],
  [
    'calm',
    "99% 1,204 of 1,210 payments verified and counted. 6 don't match. Show these payments The balance of our wallet matches the blockchain.",
    { ...totals, disputedCount: 6 },
    [reconciliation],
  ],
  [
    'calm',
    "We can't load the number of counted payments right now. Our wallet doesn't match the blockchain; 2 BNB is missing from this ledger.",
    null,
    [short],
  ],
  [
    'calm',
    "100% 1,210 of 1,210 payments verified and counted. We can't compare the wallets with the blockchain right now.",
    all,
    null,
  ],
  [
    'calm',
    "We can't load the number of counted payments right now. The balance of our wallet matches the blockchain.",
    null,
    [reconciliation],
  ],
  [
    'red',
    '100% 1,210 of 1,210 payments verified and counted. 1 of 2 wallets match; 0.000000000000000001 BNB is in this ledger and not on the blockchain.',
    all,
    [reconciliation, surplus],
  ],
  [
    'red',
    '100% 1,210 of 1,210 payments verified and counted. 1 of 2 wallets match; some payments are missing from this ledger.',
    all,
    [reconciliation, { ...other, unlisted: [{ txHash: '0x1', direction: 'out' as const, tokens: bnb(1n) }] }],
  ],
  ['calm', 'Nothing to check yet: no payment has been made.', none, []],
  [
    'calm',
    'Nothing to check yet: no payment has been made. The balance of our wallet matches the blockchain.',
    none,
    [reconciliation],
  ],
])('the verdict is %s: %s', (look, words, totals, reconciliations, uncheckedUsd?: number) => {
  const element = (
    <Verdict
      totals={totals}
      uncheckedUsd={uncheckedUsd ?? null}
      reconciliations={reconciliations}
      wallets={wallets}
    />
  )
  expect(textOf(element)).toBe(reconciliations?.length ? words + compared : words)
  expect(renderToStaticMarkup(element).includes('text-bad')).toBe(look === 'red')
})

test('shows no section before the first reconciliation', () => {
  expect(renderToStaticMarkup(<ReconciliationSection reconciliations={[]} wallets={[]} />)).toBe('')
})

test.each([
  ['$12.50 to Education Programme', { type: 'donation', poolSlug: 'education', toAccount: 'education' }],
  ['$12.50 for Education Programme', { type: 'donation', poolSlug: 'education' }],
  [
    '$12.50 to Lantern Workshop, for Education Programme',
    { type: 'donation', poolSlug: 'education', counterName: 'Lantern Workshop' },
  ],
  ['$12.50 to another cause', { type: 'donation' }],
  ['$12.50 to Clear Water', { type: 'donation', counterName: 'Clear Water' }],
  ['$12.50 from the trading tax', { type: 'tax' }],
  ['$12.50 to a community dream', { type: 'dream' }],
  ['$12.50 given to Education Programme', { type: 'gift', poolSlug: 'education' }],
  ['$12.50 given to us', { type: 'gift' }],
  ['$12.50 spent by Education Programme', { type: 'spending', poolSlug: 'education' }],
  ['$12.50 paid for costs', { type: 'cost' }],
  ['$12.50 moved between our wallets', { type: 'move' }],
  ['$12.50 received', { type: 'other', direction: 'in' as const }],
  ['1.5 BNB paid', { type: 'of another release', amountUsd: null, tokens: bnb(15n * 10n ** 17n) }],
  ['An amount without a dollar value paid', { type: 'other', amountUsd: null }],
])('the title of a row is %s', (title, more) => {
  const facts = { direction: 'out' as const, amountUsd: 1250, tokens: null, poolSlug: null }
  const record = { ...facts, toAccount: null, counterName: null, ...more }
  expect(recordTitle(record, createEnglish())).toBe(title)
})

test('does not report a match if the reconciliations cannot be read', () => {
  expect(renderToStaticMarkup(<MatchLine reconciliations={null} wallets={wallets} />)).toContain('right now')
  expect(renderToStaticMarkup(<MatchLine reconciliations={[]} wallets={wallets} />)).toBe('')
  expect(renderToStaticMarkup(<ReconciliationSection reconciliations={null} wallets={[]} />)).toBe('')
})
