import { msg } from '@lingui/core/macro'
import type { Sentences } from '~/locales/sentences'

/** The sentences that progress.ts shows. */
export const progressSentences = {
  notThere: msg`This transaction isn't on the blockchain yet.`,
  refusedHeading: msg`The network refused this payment`,
  refused: msg`The network refused this payment.`,
  refusedState: msg`The network refused this transaction. Nothing was donated. You paid only the fee.`,
  inBlock: msg`Your payment is in a block. It is not final yet.`,
  state: msg({ message: 'On the blockchain, in block {block}: {depth} of {needed} confirmations.' }),
  thanks: msg`Thank you.`,
  onItsWay: msg({ message: 'Your {amount} is on its way to {cause}.' }),
  sentAt: msg({ message: '{time}, from this browser.' }),
  late: msg`This payment takes longer than usual. The page says what may have happened.`,
} satisfies Sentences
