import type { OrderState } from './states'

/** The groups of states by which the list of orders can be filtered. */
export const orderGroups = {
  coming: ['announced', 'taken', 'sent'],
  paid: ['paid'],
  ended: ['failed', 'mismatched', 'lost', 'stopped', 'expired'],
} as const satisfies Record<string, readonly OrderState[]>
export type OrderGroup = keyof typeof orderGroups

export function isOrderGroup(text: string): text is OrderGroup {
  return Object.hasOwn(orderGroups, text)
}

export interface OrderFilter {
  group: OrderGroup | null
  /** The slug of the account that pays. */
  account: string | null
}
