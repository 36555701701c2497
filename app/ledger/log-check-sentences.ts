import { msg } from '@lingui/core/macro'
import type { Sentences } from '../platform/locales/sentences'
import { faultSentences } from './fault-sentences'

/** The sentences that the browser's checks of the log and of votes share (log-check.ts). */
export const logCheckSentences = {
  ...faultSentences,
  cancel: msg`Cancel`,
  progress: msg({ message: 'Entries checked', comment: 'Name of the progress bar' }),
  checked: msg({ message: '{entries, plural, one {# entry checked} other {# entries checked}}' }),
  unavailable: msg`We can't load the log right now. Please try again in a minute.`,
  lost: msg`Connection lost. Please check again.`,
  cancelled: msg`Cancelled. We didn't finish checking.`,
  noCheckpoint: msg`This site publishes no checkpoint yet, so there is nothing to check.`,
  longLine: msg`A line in the download is too long to be a row.`,
  halfLine: msg`The download stopped halfway through a row.`,
  notChecked: msg({
    message: 'Not checked: {list}.',
    comment: 'list: several of the messages that follow "Not checked:", in one list with commas and "and"',
  }),
  notCheckedSignature: msg({
    message: "the signature, because your browser doesn't support Ed25519 (the program below does)",
    comment: 'After "Not checked:"',
  }),
  notCheckedOthers: msg({ message: 'whether others see the same log', comment: 'After "Not checked:"' }),
} satisfies Sentences
