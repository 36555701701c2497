import { findPool } from '../impact-pools'

/** The types of a ledger row, as a reader calls them. */
export const transactionTypes = {
  donation: 'Donation',
  gift: 'Gift',
  spending: 'Spending',
  cost: 'Cost',
  tax: 'Tax income',
  dream: 'Dream funded',
  move: 'Move',
  other: 'Other',
} as const

type TransactionType = keyof typeof transactionTypes

/** What a reader asks of the ledger. Days are UTC, 'YYYY-MM-DD', both included. */
export interface LedgerFilter {
  type?: TransactionType
  pool?: string
  from?: string
  to?: string
}

/** The filter in an address, and a sentence for each part of it that had to be left out. */
export function parseFilter(params: URLSearchParams): { filter: LedgerFilter; ignored: string[] } {
  const filter: LedgerFilter = {}
  const ignored: string[] = []
  const take = (name: keyof LedgerFilter, valid: (value: string) => boolean, sentence: string) => {
    const value = params.get(name)?.trim()
    if (!value) return
    if (valid(value)) filter[name] = value as never
    else ignored.push(sentence)
  }
  take('type', isType, 'The ledger has no such type, so all types are shown.')
  take('pool', (slug) => findPool(slug) !== undefined, 'There is no such pool, so no pool was picked out.')
  take('from', isDay, 'The first day was not a date (year-month-day), so it was left out.')
  take('to', isDay, 'The last day was not a date (year-month-day), so it was left out.')
  if (filter.from && filter.to && filter.from > filter.to) {
    delete filter.from
    delete filter.to
    ignored.push('The first day is after the last one, so both were left out.')
  }
  return { filter, ignored }
}

/** The address parameters of a filter: '' or '?type=donation&…'. */
export function filterSearch(filter: LedgerFilter, more: Record<string, string> = {}): string {
  const search = new URLSearchParams({ ...filter, ...more }).toString()
  return search && `?${search}`
}

/** The instant at which the day after `day` begins. */
export function endOfDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + 1)
  return date.toISOString()
}

function isType(value: string): value is TransactionType {
  return Object.hasOwn(transactionTypes, value)
}

function isDay(value: string): boolean {
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(value)) return false
  const date = new Date(`${value}T00:00:00Z`)
  // Not every engine refuses 30 February: it may become 1 March.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}
