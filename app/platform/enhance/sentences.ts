import { msg } from '@lingui/core/macro'
import { toastSentences } from '../forms/toast-sentences'
import type { Sentences } from '../locales/sentences'

/** The sentences that the scripts of every page show. */
export const pageSentences = {
  copied: msg`Copied to clipboard!`,
  notCopied: msg({ message: 'Copying is blocked in this browser. Copy it by hand: {text}' }),
  ...toastSentences,
  yourTime: msg({ message: '{time} your time', comment: 'After a date and time' }),
  notLive: msg({ message: 'Not live: no connection since {time}' }),
  newEntries: msg({ message: '{count} new on this page.', comment: 'count: a number of entries, 1 or more' }),
  pageUpdated: msg`This page was updated.`,
  closeDialog: msg({ message: 'Close', comment: 'Name of the button that closes a dialog' }),
} satisfies Sentences
