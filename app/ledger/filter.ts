import { readAddress } from '../platform/forms/address'
import { readHash } from '../platform/forms/hash'
import { isGoalSlug } from '../platform/goal-slug'
import { findPool } from '../platform/impact-pools'
import { accountName, findAccount } from './accounts'
import { type Status, statuses } from './statuses'
import { type TransactionType, transactionTypes } from './transaction-types'

/**
 * A filter of the ledger, for the page, the files and the feeds. `from` and `to` are UTC days, 'YYYY-MM-DD',
 * and the filter includes both. `q` is a transaction hash or an address in lower case, or the slug of an
 * account.
 */
export interface LedgerFilter {
  q?: string
  status?: Status | typeof notChecked
  direction?: 'in' | 'out'
  type?: TransactionType
  /** The slug of a pool or of a goal, or `withoutPool`. */
  pool?: string
  /** The slug of an account. */
  wallet?: string
  from?: string
  to?: string
}

/** The value of `status` for rows in no sum: they are not verified, or have no dollar value. */
export const notChecked = 'not-checked'

/** The value of `pool` for the rows that belong to no pool. */
export const withoutPool = 'none'

/** The query parameters of a filter. */
export const filterParameters = ['q', 'status', 'direction', 'type', 'pool', 'wallet', 'from', 'to'] as const

/**
 * Why a parameter of a filter cannot be used. The page shows the message `page` and ignores the parameter. A
 * request for a file or feed is rejected with 400 and the error message `file`.
 */
export interface FilterFault {
  page: string
  /** The values of the placeholders in `page`. */
  values?: Record<string, string>
  file: string
}

export const filterFaults = {
  q: {
    page: /* i18n */ 'Search for a transaction hash, an address or the name of a wallet. We ignored your search.',
    file: 'q must be a transaction hash, an address or the name of a wallet.',
  },
  names: {
    page: /* i18n */ "We can't look up names right now, so we ignored your search.",
    file: "We can't look up names right now.",
  },
  status: {
    page: /* i18n */ "We don't know that status, so we're showing all statuses.",
    file: "We don't know that status.",
  },
  direction: {
    page: /* i18n */ "We don't know that direction, so we're showing both.",
    file: 'direction must be in or out.',
  },
  type: {
    page: /* i18n */ "We don't know that type, so we're showing all types.",
    file: "We don't know that type.",
  },
  pool: {
    page: /* i18n */ "We don't know that pool, so we're showing all pools.",
    file: "We don't know that pool.",
  },
  wallet: {
    page: /* i18n */ "We don't know that wallet, so we're showing all wallets.",
    file: "We don't know that wallet.",
  },
  from: {
    page: /* i18n */ '"From" isn\'t a valid date, so we ignored it.',
    file: 'from must be a date like 2025-11-01.',
  },
  to: {
    page: /* i18n */ '"To" isn\'t a valid date, so we ignored it.',
    file: 'to must be a date like 2025-11-01.',
  },
  order: {
    page: /* i18n */ '"From" is later than "To", so we ignored both.',
    file: 'from must not be later than to.',
  },
  parties: {
    page: /* i18n */ 'You can search for one wallet or address at a time, so we ignored the wallet.',
    file: 'Use either wallet, or q with an address or a name.',
  },
} satisfies Record<string, FilterFault>

/**
 * Reads a filter from query parameters. `ignored` has a fault for each parameter that cannot be used.
 * `goals`: whether the pool and the search may be the slug of a goal.
 */
export function parseFilter(
  params: URLSearchParams,
  goals = false,
): { filter: LedgerFilter; ignored: FilterFault[] } {
  const toGoal = (text: string) => (goals && isGoalSlug(text) ? text : undefined)
  const filter: LedgerFilter = {}
  const ignored: FilterFault[] = []
  const take = <Name extends keyof LedgerFilter>(name: Name, read: (value: string) => LedgerFilter[Name]) => {
    const value = params.get(name)?.trim()
    if (!value) return
    const found = read(value)
    if (found === undefined) ignored.push(filterFaults[name])
    else filter[name] = found
  }
  const among =
    <Value extends string>(values: readonly Value[]) =>
    (value: string) =>
      values.find((known) => known === value)
  take('q', (text) => toSearch(text) ?? toGoal(text.toLowerCase()))
  take('status', among([...statuses, notChecked] as const))
  take('direction', among(['in', 'out']))
  take('type', among(types))
  take('pool', (slug) => (slug === withoutPool ? slug : (findPool(slug)?.slug ?? toGoal(slug))))
  take('wallet', (slug) => (accountName(slug) ? slug : undefined))
  take('from', toDay)
  take('to', toDay)
  if (filter.from && filter.to && filter.from > filter.to) {
    delete filter.from
    delete filter.to
    ignored.push(filterFaults.order)
  }
  if (filter.wallet && filter.q && !isHash(filter.q)) {
    delete filter.wallet
    ignored.push(filterFaults.parties)
  }
  return { filter, ignored }
}

/** The party that a filter selects: the slug of an account, or an address. */
export function partyOf({ q, wallet }: LedgerFilter): string | undefined {
  return q && !isHash(q) ? q : wallet
}

/** The transaction hash that a filter selects. */
export function hashOf({ q }: LedgerFilter): string | undefined {
  return q && isHash(q) ? q : undefined
}

/** The query string of a filter: '' or '?type=donation&…'. */
export function filterSearch(filter: LedgerFilter, more: Record<string, string> = {}): string {
  const search = new URLSearchParams({ ...filter, ...more }).toString()
  return search && `?${search}`
}

/** The first and the last day of the month that contains `date` (UTC). */
function daysOfMonth(date: Date): { from: string; to: string } {
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  const [from, to] = [Date.UTC(year, month, 1), Date.UTC(year, month + 1, 0)].map((day) =>
    new Date(day).toISOString().slice(0, 10),
  ) as [string, string]
  return { from, to }
}

/** The filter, limited to the month that contains `date` (UTC). */
export function inMonth(filter: LedgerFilter, date: Date): LedgerFilter {
  const { from, to } = daysOfMonth(date)
  return {
    ...filter,
    from: filter.from && filter.from > from ? filter.from : from,
    to: filter.to && filter.to < to ? filter.to : to,
  }
}

/** The start of the month (UTC) that the filter covers exactly; null for any other period. */
export function wholeMonthOf({ from, to }: LedgerFilter): Date | null {
  if (!from) return null
  const start = new Date(`${from}T00:00:00Z`)
  const month = daysOfMonth(start)
  return from === month.from && to === month.to ? start : null
}

/** The instant at which `day` ends and the next day begins. */
export function endOfDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + 1)
  return date.toISOString()
}

const types = Object.keys(transactionTypes) as TransactionType[]

function toSearch(text: string): string | undefined {
  const address = readAddress(text).toLowerCase()
  return readHash(text) ?? (/^0x[0-9a-f]{40}$/.test(address) ? address : findAccount(text))
}

function isHash(text: string): boolean {
  return text.length === 66
}

function toDay(value: string): string | undefined {
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(value)) return undefined
  const date = new Date(`${value}T00:00:00Z`)
  // Some browsers read 30 February as 1 March.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value) ? value : undefined
}
