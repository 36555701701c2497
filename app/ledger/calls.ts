import type { VerificationStatus } from './verification-status'

/** A statement, and what was done about it. `verified` is about the statement: its source confirms it. */
export interface Call {
  id: number
  cursor: string
  date: Date
  author: string
  verified: boolean
  tweet: string
  tweetUrl: string | null
  action: string
  txHash: string | null
  /** When the statement was read at its address; null where nobody noted it. */
  capturedAt: Date | null
  /** Of the statement's text in UTF-8. */
  sha256: string
  /** The row of the ledger that answered it; null while the ledger has none. */
  answer: { id: number; at: Date; standing: VerificationStatus } | null
}

/** How long after a statement it was answered. */
export function answerWords(said: Date, answered: Date): string {
  const between = answered.getTime() - said.getTime()
  return between < 0 ? `Paid ${span(-between)} before it was said` : `Answered after ${span(between)}`
}

/** '3 days 4 hours', '1 hour 5 minutes', 'less than a minute': the two largest units, cut and never rounded up. */
function span(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000)
  const units: [number, string][] = [
    [Math.floor(minutes / 1440), 'day'],
    [Math.floor(minutes / 60) % 24, 'hour'],
    [minutes % 60, 'minute'],
  ]
  const first = units.findIndex(([count]) => count > 0)
  if (first < 0) return 'less than a minute'
  return units
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`)
    .join(' ')
}
