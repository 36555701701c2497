import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/**
 * What is known of a payment from its recipient: a no of any strength, 'yes, but' of any strength, the strongest yes, or that
 * the recipient was asked.
 */
export const arrivals = ['no', 'but', 'wallet', 'mail', 'print', 'asked'] as const
export type Arrival = (typeof arrivals)[number]

export const arrivalWords: Record<Arrival, MessageDescriptor> = {
  no: msg`The recipient says it didn't arrive`,
  but: msg`The recipient says: “Yes, but…”`,
  wallet: msg`Arrived: confirmed by the recipient`,
  mail: msg`Arrived: answered by mail`,
  print: msg`Arrived: answered on a link that we printed`,
  asked: msg`Asked, no answer yet`,
}
