import { msg } from '@lingui/core/macro'
import type { Sentences } from '~/platform/locales/sentences'

/** The sentences that progress.ts shows. */
export const progressSentences = {
  notThere: msg`Your wallet hasn't found this transaction on the blockchain yet.`,
  refusedHeading: msg`The network refused this payment`,
  refused: msg`The network refused this payment.`,
  refusedState: msg`Your wallet reports that the network refused this transaction. It moved nothing. Only the fee was paid.`,
  inBlock: msg`Your wallet found this transaction in a block. It is not final yet.`,
  state: msg({
    message: 'Your wallet found this transaction in block {block}: {depth} of {needed} confirmations.',
  }),
  thanks: msg`Thank you.`,
  onItsWay: msg({ message: 'Your {amount} is on its way to {cause}.' }),
  sentAt: msg({ message: '{time}, from this browser.' }),
  late: msg`This payment takes longer than usual. The page says what may have happened.`,
} satisfies Sentences
