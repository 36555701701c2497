import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { answerWords } from '../../app/ledger/calls.ts'
import { Provenance } from '../../app/ledger/provenance.tsx'
import { type Standing, StandingNote } from '../../app/ledger/standing.tsx'

/** What a reader reads of a component. */
function textOf(element: JSX.Element): string {
  return renderToStaticMarkup(element)
    .replace(/<\/(?:p|span|dt|dd|li|th|td)>/g, ' ')
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

const checkedAt = new Date('2026-11-20T22:59:56Z')

test.each<[string, Partial<Standing>]>([
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
])('a row stands in words: %s', (words, standing) => {
  const whole = { status: 'verified', checkedAt, unreachableAt: null, ...standing } as const
  expect(textOf(<StandingNote standing={whole} />)).toBe(words)
})

const totals = {
  treasury: 0,
  donated: 0,
  dreamsFunded: 0,
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
])('where the figures come from: %s', (words, more) => {
  expect(textOf(<Provenance totals={{ ...totals, ...more }} />)).toBe(words)
})

test('figures that nobody could read are none', () => {
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
