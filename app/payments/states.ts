/**
 * The states of an order. An order begins as `announced`, when two operators have approved it. The database
 * has the same moves (private.order_may_move), and tests/backend/orders.test.ts compares both.
 */
export const orderStates = [
  'announced',
  'taken',
  'sent',
  'paid',
  'failed',
  'mismatched',
  'lost',
  'stopped',
  'expired',
] as const
export type OrderState = (typeof orderStates)[number]

const moves: Record<OrderState, readonly OrderState[]> = {
  announced: ['sent', 'paid', 'taken', 'stopped', 'expired'],
  // An operator pays it by hand.
  taken: ['paid', 'stopped', 'expired'],
  sent: ['paid', 'failed', 'mismatched', 'lost'],
  // A reorganisation removed its payment, which the site sends again.
  paid: ['sent'],
  // The ledger found its transaction later: a node had forgotten it, or a reorganisation mined it again.
  failed: ['paid'],
  mismatched: [],
  lost: ['paid'],
  stopped: [],
  expired: [],
}

/** Whether an order in a state may go to another state. */
export function mayMove(from: OrderState, to: OrderState): boolean {
  return moves[from].includes(to)
}

/** A state as pages show it: an announced order whose notice is over is due. */
export type ShownState = OrderState | 'due'

/** The state of an order at a time in milliseconds. */
export function shownState({ state, dueAt }: { state: OrderState; dueAt: Date }, now: number): ShownState {
  return state === 'announced' && dueAt.getTime() <= now ? 'due' : state
}
