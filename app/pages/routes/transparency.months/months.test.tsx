import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { MonthBars } from './month-bars.tsx'
import { type MonthRow, toMonths, usesOf } from './months.server.ts'

const month = (name: string, receivedUsd: number, paidUsd: number, heldUsd: number): MonthRow => ({
  month: `${name}-01`,
  receivedUsd,
  movedUsd: 0,
  paidUsd,
  heldUsd,
  uses: {},
})

/** `count` months, newest first. The newest month is December 2026. */
function manyMonths(count: number): MonthRow[] {
  return Array.from({ length: count }, (_, at) => {
    const name = new Date(Date.UTC(2026, 11 - at, 1)).toISOString().slice(0, 7)
    return { ...month(name, 10_000 + at, 4_000, 6_000 * (count - at)), uses: { education: 4_000 } }
  })
}

test('adds the months without rows, with the balance of the previous month', () => {
  const months = toMonths([
    { ...month('2026-02', 0, 300, 600), uses: { education: 250 } },
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
  expect(months.map(({ uses }) => uses.education ?? 0)).toEqual([0, 0, 0, 250])
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
  ['one month', [month('2026-01', 500_000, 0, 500_000)]],
  ['zeros only', [month('2026-01', 0, 0, 0)]],
  [
    'a month in which more came back than went out',
    [{ ...month('2026-01', 0, -5, 0), uses: { education: -5 } }],
  ],
  ['ten years', manyMonths(120)],
  ['trillions', [{ ...month('2026-01', 0, 9e15, 0), uses: { cost: 4e15, education: 5e15 } }]],
])('draws the bars of %s inside their frame, without inline styles', (_, rows) => {
  const months = toMonths(rows)
  const html = renderToStaticMarkup(<MonthBars months={months} uses={usesOf(months)} />)
  expect(html).not.toMatch(/NaN|Infinity|undefined| style=/)
  expect(html.match(/<svg aria-hidden="true"/g)).toHaveLength(months.length)
  for (const [, x, width] of html.matchAll(/<rect x="([\d.]+)" width="([\d.]+)"/g))
    expect(Number(x) + Number(width)).toBeLessThanOrEqual(100.001)
})

test('the parts of a bar are in the order of the legend, and each bar links to the rows of its month', () => {
  const uses = { cost: 1_000, 'other-causes': 2_000, education: 5_000 }
  const months = toMonths([{ ...month('2026-02', 0, 8_000, 0), uses }, month('2026-01', 500_000, 0, 500_000)])
  expect(usesOf(months)).toEqual(['education', 'other-causes', 'cost'])
  const html = renderToStaticMarkup(<MonthBars months={months} uses={usesOf(months)} />)
  const parts = [...html.matchAll(/<rect x="([\d.]+)" width="([\d.]+)".*?data-hue="(.*?)"/g)]
  expect(parts.map(([, x, width, hue]) => [Number(x), Number(width), hue])).toEqual([
    [0, 62.5, 'education'],
    [62.5, 25, 'other-causes'],
    [87.5, 12.5, 'costs'],
  ])
  expect(html).toContain('href="/transparency?from=2026-02-01&amp;to=2026-02-28#history"')
})
