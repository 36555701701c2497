import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { impactPools } from '../../impact-pools.ts'
import { scaleOf } from '../../ui/chart.tsx'
import { type MonthRow, toMonths } from './months.server.ts'
import { OverTime } from './over-time.tsx'

const month = (name: string, receivedUsd: number, paidUsd: number, heldUsd: number): MonthRow => ({
  month: `${name}-01`,
  receivedUsd,
  movedUsd: 0,
  paidUsd,
  heldUsd,
  pools: {},
})

/** `count` months, newest first. The newest month is December 2026. */
function manyMonths(count: number): MonthRow[] {
  return Array.from({ length: count }, (_, at) => {
    const name = new Date(Date.UTC(2026, 11 - at, 1)).toISOString().slice(0, 7)
    return { ...month(name, 10_000 + at, 4_000, 6_000 * (count - at)), pools: { education: 4_000 } }
  })
}

test('adds the months without rows, with the balance of the previous month', () => {
  const months = toMonths([
    { ...month('2026-02', 0, 300, 600), pools: { education: 250 } },
    month('2025-11', 1_000, 100, 900),
  ])
  expect(months.map(({ start }) => start.toISOString().slice(0, 7))).toEqual([
    '2025-11',
    '2025-12',
    '2026-01',
    '2026-02',
  ])
  expect(months.map(({ receivedUsd, paidUsd, heldUsd }) => [receivedUsd, paidUsd, heldUsd])).toEqual([
    [1_000, 100, 900],
    [0, 0, 900],
    [0, 0, 900],
    [0, 300, 600],
  ])
  expect(months.map(({ pools }) => pools.education ?? 0)).toEqual([0, 0, 0, 250])
})

test('returns no month for an empty ledger, one month for a ledger of one month, and the last ten years of a longer ledger', () => {
  expect(toMonths([])).toEqual([])
  expect(toMonths([month('2026-01', 5, 0, 5)])).toHaveLength(1)
  const months = toMonths(manyMonths(130))
  expect(months).toHaveLength(120)
  expect(months.at(-1)).toMatchObject({ heldUsd: 780_000, receivedUsd: 10_000 })
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
])('the values %j get the scale %j', (values, [low = 0, high = 0]) => {
  const scale = scaleOf(values)
  expect([scale.low, scale.high]).toEqual([low, high])
  expect(scale.ticks).toContain(0)
  expect(scale.ticks[0]).toBe(low)
  expect(scale.ticks.at(-1)).toBe(high)
  expect(scale.ticks.length).toBeLessThanOrEqual(6)
})

test.each([
  ['one month', [month('2026-01', 500_000, 0, 500_000)]],
  ['zeros only', [month('2026-01', 0, 0, 0)]],
  ['negative balances', [month('2026-01', 100, 0, 100), month('2026-03', 0, 9_000_000, -8_999_900)]],
  ['ten years', manyMonths(120)],
  ['trillions', [month('2026-01', 9_000_000_000_000_000, 0, 9_000_000_000_000_000)]],
])('draws a chart of %s inside its frame, without inline styles', (_, rows) => {
  const months = toMonths(rows)
  const html = renderToStaticMarkup(<OverTime months={months} totals={null} />)
  expect(html).not.toMatch(/NaN|Infinity|undefined| style=/)
  const drawings = html.match(/<svg role="img".*?<\/figure>/gs) ?? []
  // One drawing for what the wallets hold, one for the money in and out, and one for each pool.
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

test('describes the charts in words, and links each month to its rows', () => {
  const months = toMonths([month('2026-01', 500_000, 0, 500_000), month('2026-02', 0, 120_050, 379_950)])
  const html = renderToStaticMarkup(<OverTime months={months} totals={null} />)
  expect(html).toContain('In all our wallets at the end of each month, Jan 2026 to Feb 2026')
  expect(html).toContain('From $0 (before Jan 2026) to $3,799.50. Highest $5,000, lowest $3,799.50.')
  expect(html).toContain('$5,000 in, $1,200.50 out.')
  expect(html).toContain('Donations to the pool Education Programme each month, Jan 2026 to Feb 2026')
  expect(html).toContain('href="/transparency?from=2026-02-01&amp;to=2026-02-28#history"')
})
