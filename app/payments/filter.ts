import { accounts } from '../ledger/accounts'
import { isOrderGroup, type OrderFilter } from './groups'

/** The filter and the position in a URL's query. `valid` is false for a position that is no number. */
export function readOrderFilter(params: URLSearchParams): {
  filter: OrderFilter
  before: number | null
  valid: boolean
} {
  const [group, account, before] = ['state', 'account', 'before'].map((name) => params.get(name))
  return {
    filter: {
      group: group && isOrderGroup(group) ? group : null,
      account: accounts.find(({ slug }) => slug === account)?.slug ?? null,
    },
    before: before && /^[1-9]\d{0,14}$/.test(before) ? Number(before) : null,
    valid: !before || /^[1-9]\d{0,14}$/.test(before),
  }
}

/** The query of a filter and a position, with '?'; empty for all orders. */
export function orderSearch({ group, account }: OrderFilter, before?: number): string {
  const params = Object.entries({ state: group, account, before }).flatMap(([name, value]) =>
    value ? [[name, `${value}`]] : [],
  )
  return params.length > 0 ? `?${new URLSearchParams(params)}` : ''
}
