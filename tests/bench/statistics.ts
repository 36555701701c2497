/** The value below which `share` of the values lie. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** How often each value occurs: pairs of a value and a count. */
export type Histogram = [number, number][]

/** The value below which `share` of all values of the histograms lie. */
export function pooledQuantile(histograms: Histogram[], share: number): number {
  const sorted = histograms.flat().sort(([a], [b]) => a - b)
  let left = share * sorted.reduce((sum, [, count]) => sum + count, 0)
  for (const [value, count] of sorted) {
    left -= count
    if (left < 0) return value
  }
  return Number.NaN
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)] ?? Number.NaN
  return sorted.length % 2 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
}

/** '0.93 (0.91–0.95)': the median, the least and the greatest value. */
export function spread(values: number[], digits = 2): string {
  const least = Math.min(...values).toFixed(digits)
  const greatest = Math.max(...values).toFixed(digits)
  return `${median(values).toFixed(digits)} (${least}–${greatest})`
}
