import { findPool } from '../impact-pools'
import { accountName, findAccount } from './accounts'
import { type Status, statuses } from './statuses'

/** The types of a ledger row, as pages call them. The constraint transactions_type_known names the same ones. */
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

/**
 * A filter of the ledger, for the page, the files and the feeds. Days are UTC, 'YYYY-MM-DD', both included.
 * `q` is a transaction hash or an address in lower case, or the slug of an account.
 */
export interface LedgerFilter {
  q?: string
  status?: Status
  direction?: 'in' | 'out'
  type?: TransactionType
  pool?: string
  /** The slug of an account. */
  wallet?: string
  from?: string
  to?: string
}

/** The query parameters of a filter. */
export const filterParameters = ['q', 'status', 'direction', 'type', 'pool', 'wallet', 'from', 'to'] as const

/** Reads a filter from query parameters. `ignored` has a sentence for each part that could not be used. */
export function parseFilter(params: URLSearchParams): { filter: LedgerFilter; ignored: string[] } {
  const filter: LedgerFilter = {}
  const ignored: string[] = []
  const take = <Name extends keyof LedgerFilter>(
    name: Name,
    read: (value: string) => LedgerFilter[Name],
    sentence: string,
  ) => {
    const value = params.get(name)?.trim()
    if (!value) return
    const found = read(value)
    if (found === undefined) ignored.push(sentence)
    else filter[name] = found
  }
  const among =
    <Value extends string>(values: readonly Value[]) =>
    (value: string) =>
      values.find((known) => known === value)
  take(
    'q',
    toSearch,
    'Search for a transaction hash, an address, or the name of a wallet of ours. This was none, so it was left out.',
  )
  take('status', among(statuses), 'The ledger has no such status, so all are shown.')
  take('direction', among(['in', 'out']), 'The direction is in or out, so both are shown.')
  take('type', among(types), 'The ledger has no such type, so all types are shown.')
  take('pool', (slug) => findPool(slug)?.slug, 'There is no such pool, so no pool was picked out.')
  take(
    'wallet',
    (slug) => (accountName(slug) ? slug : undefined),
    'We have no such wallet, so all are shown.',
  )
  take('from', toDay, 'The first day was not a date (year-month-day), so it was left out.')
  take('to', toDay, 'The last day was not a date (year-month-day), so it was left out.')
  if (filter.from && filter.to && filter.from > filter.to) {
    delete filter.from
    delete filter.to
    ignored.push('The first day is after the last one, so both were left out.')
  }
  if (filter.wallet && filter.q && !isHash(filter.q)) {
    delete filter.wallet
    ignored.push('One party can be searched for at a time, so the wallet was left out.')
  }
  return { filter, ignored }
}

/** The party of a filter: the slug of an account, or an address. */
export function partyOf({ q, wallet }: LedgerFilter): string | undefined {
  return q && !isHash(q) ? q : wallet
}

/** The transaction hash of a filter. */
export function hashOf({ q }: LedgerFilter): string | undefined {
  return q && isHash(q) ? q : undefined
}

/** The query string of a filter: '' or '?type=donation&…'. */
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

const types = Object.keys(transactionTypes) as TransactionType[]

function toSearch(text: string): string | undefined {
  const lower = text.toLowerCase()
  return /^0x([0-9a-f]{40}|[0-9a-f]{64})$/.test(lower) ? lower : findAccount(text)
}

function isHash(text: string): boolean {
  return text.length === 66
}

function toDay(value: string): string | undefined {
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(value)) return undefined
  const date = new Date(`${value}T00:00:00Z`)
  // Some engines read 30 February as 1 March.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value) ? value : undefined
}
