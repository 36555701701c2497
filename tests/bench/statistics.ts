export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)] ?? Number.NaN
  return sorted.length % 2 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
}

/** Formats a number with about three digits: '0.033', '0.95', '61.2', '9,355'. */
export function format(value: number): string {
  const size = Math.abs(value)
  const digits = Number.isInteger(value) || size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 3
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** Formats the median, the least and the greatest value: '0.93 (0.91–0.95)'. */
export function spread(values: number[]): string {
  return values.length === 1
    ? format(values[0] ?? Number.NaN)
    : `${format(median(values))} (${format(Math.min(...values))}–${format(Math.max(...values))})`
}

/** Runs both in turn, `turns` times, so that other work affects both; twice before, unmeasured. */
export async function inTurn<T>(turns: number, one: () => Promise<T>, other: () => Promise<T>) {
  const results: { ones: T[]; others: T[] } = { ones: [], others: [] }
  for (let turn = -2; turn < turns; turn++) {
    const [first, second] = [await one(), await other()]
    if (turn < 0) continue
    results.ones.push(first)
    results.others.push(second)
  }
  return results
}

/** The quotients of the values with the same index. */
export function ratios(ones: number[], others: number[]): number[] {
  return ones.map((one, at) => one / (others[at] ?? Number.NaN))
}
