/** The value below which `share` of the values lie. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
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
