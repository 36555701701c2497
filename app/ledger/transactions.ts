import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { transactionTypes } from './transaction-types'

/** Maximum number of a member's gifts that are listed. */
export const maxGifts = 100

/** The text for a row without a dollar value. */
export const valueMissing = msg`None yet, so it isn't in the totals`

/** The direction of a row's money, seen from our wallets. `isMove`: between two of our wallets. */
export function directionWords(
  { direction, type }: { direction: 'in' | 'out'; type: string },
  isMove: boolean,
): MessageDescriptor {
  if (type === 'goal-gift') return msg`Into the wallet of a goal, which belongs to a member`
  if (isMove) return msg`Between two of our wallets`
  return direction === 'in' ? msg`Into one of our wallets` : msg`Out of one of our wallets`
}

/** The label of a type; 'Not explained yet' for an unknown type. */
export function typeLabel(type: string): string {
  return Object.hasOwn(transactionTypes, type)
    ? transactionTypes[type as keyof typeof transactionTypes]
    : transactionTypes.other
}
