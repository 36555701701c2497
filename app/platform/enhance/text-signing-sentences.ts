import { msg } from '@lingui/core/macro'
import type { Sentences } from '~/platform/locales/sentences'

/** The sentences that text-signing.ts shows. */
export const signSentences = {
  signWith: msg({ message: 'Sign with {wallet}', comment: 'wallet: the name of a wallet' }),
  sign: msg`Sign with your wallet`,
  noChoice: msg`Choose Support or Against first.`,
  asking: msg`Your wallet shows the text and asks you to sign it.`,
  late: msg`Your wallet hasn't answered yet. Please check it, or sign the text by hand below.`,
  account: msg`Your wallet didn't share an account.`,
  busy: msg`Your wallet is already asking you something. Please check it.`,
  declined: msg`You cancelled in your wallet. Nothing was signed.`,
  offline: msg`Your wallet lost its connection. Please try again.`,
  silent: msg`Something went wrong in your wallet. Please try again.`,
  unprepared: msg`We couldn't prepare the message. Please try again.`,
} satisfies Sentences
