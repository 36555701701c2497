import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { impactPools } from '../../impact-pools.ts'
import { scaleOf } from '../../ui/chart.tsx'
import type { MonthSum } from './months.server.ts'
import { toMonths } from './months.ts'
import { OverTime } from './over-time.tsx'

const sum = (
  month: string,
  direction: 'in' | 'out',
  cents: number,
  pool: string | null = null,
): MonthSum => ({
  month: `${month}-01`,
  account: 'treasury',
  counterAccount: pool,
  type: pool ? 'donation' : direction === 'in' ? 'tax' : 'other',
  direction,
  poolSlug: pool,
  sumUsd: cents,
})

/** `count` months that end with December 2026, with rows in each. */
function manyMonths(count: number): MonthSum[] {
  return Array.from({ length: count }, (_, at) => {
    const month = new Date(Date.UTC(2026, 11 - at, 1)).toISOString().slice(0, 7)
    return [sum(month, 'in', 10_000 + at), sum(month, 'out', 4_000, 'education')]
  }).flat()
}

test('includes months without rows, and ends with the balance of the treasury', () => {
  const months = toMonths(
    [
      sum('2026-02', 'out', 250, 'education'),
      sum('2026-02', 'out', 50),
      sum('2025-11', 'in', 1_000),
      sum('2025-11', 'out', 100, 'education'),
    ],
    600,
  )
  expect(months.map(({ start }) => start.toISOString().slice(0, 7))).toEqual([
    '2025-11',
    '2025-12',
    '2026-01',
    '2026-02',
  ])
  expect(months.map(({ cameIn, wentOut, balance }) => [cameIn, wentOut, balance])).toEqual([
    [1_000, 100, 900],
    [0, 0, 900],
    [0, 0, 900],
    [0, 300, 600],
  ])
  expect(months.map(({ pools }) => pools.education ?? 0)).toEqual([100, 0, 0, 250])
})

test('handles no month, one month and a ledger of more than ten years', () => {
  expect(toMonths([], 0)).toEqual([])
  expect(toMonths([sum('2026-01', 'in', 5)], 5)).toHaveLength(1)
  const months = toMonths(manyMonths(130), 1_000_000)
  expect(months).toHaveLength(120)
  expect(months.at(-1)).toMatchObject({ balance: 1_000_000, cameIn: 10_000 })
  expect(months[0]?.start).toEqual(new Date('2017-01-01T00:00:00Z'))
})

test.each([
  [[], [0, 100]],
  [[0], [0, 100]],
  [[1], [0, 100]],
  [[-1], [-100, 0]],
  [[15_433_987], [0, 20_000_000]],
  [
    [1_500_000, -700_000],
    [-1_000_000, 2_000_000],
  ],
  [
    [-900_000_000_000, -100],
    [-1_000_000_000_000, 0],
  ],
])('the scale of %j is %j', (values, [low = 0, high = 0]) => {
  const scale = scaleOf(values)
  expect([scale.low, scale.high]).toEqual([low, high])
  expect(scale.ticks).toContain(0)
  expect(scale.ticks[0]).toBe(low)
  expect(scale.ticks.at(-1)).toBe(high)
  expect(scale.ticks.length).toBeLessThanOrEqual(6)
})

test.each([
  ['one month', [sum('2026-01', 'in', 500_000)], 500_000],
  ['nothing but zero', [sum('2026-01', 'in', 0)], 0],
  ['a treasury in debt', [sum('2026-01', 'in', 100), sum('2026-03', 'out', 9_000_000)], -8_999_900],
  ['ten years', manyMonths(120), 720_000],
  ['trillions', [sum('2026-01', 'in', 9_000_000_000_000_000)], 9_000_000_000_000_000],
])('draws a chart of %s within its frame, without inline styles', (_, sums, treasury) => {
  const months = toMonths(sums, treasury)
  const html = renderToStaticMarkup(<OverTime months={months} />)
  expect(html).not.toMatch(/NaN|Infinity|undefined| style=/)
  const drawings = html.match(/<svg role="img".*?<\/figure>/gs) ?? []
  // One drawing for the treasury's balance, one for income and expenses, and one for each pool.
  expect(drawings).toHaveLength(2 + impactPools.length)
  for (const drawing of drawings) {
    const [, titleId, summaryId] = /aria-labelledby="(\S+) (\S+)"/.exec(drawing) ?? []
    expect(drawing).toContain(`<title id="${titleId}">`)
    expect(drawing).toContain(`<desc id="${summaryId}">`)
    for (const [, value] of drawing.matchAll(/\b(?:x1?|y1?|width|height)="(-?[\d.]+)%"/g)) {
      expect(Number(value)).toBeGreaterThanOrEqual(0)
      expect(Number(value)).toBeLessThanOrEqual(100)
    }
    expect(drawing.match(/<text[^>]*text-anchor="end"[^>]*x="-8"|<text[^>]*x="-8"/g)?.length).toBeGreaterThan(
      1,
    )
  }
  expect(html.match(/<tr>/g)).toHaveLength(months.length + 1)
})

test('describes the charts in words', () => {
  const months = toMonths(
    [sum('2026-01', 'in', 500_000), sum('2026-02', 'out', 120_050, 'education')],
    379_950,
  )
  const html = renderToStaticMarkup(<OverTime months={months} />)
  expect(html).toContain('Treasury balance at the end of each month, Jan 2026 to Feb 2026')
  expect(html).toContain('From $0 (before Jan 2026) to $3,799.50. Highest $5,000, lowest $3,799.50.')
  expect(html).toContain('$5,000 in, $1,200.50 out.')
  expect(html).toContain('Donations to the pool Education Programme each month, Jan 2026 to Feb 2026')
})
