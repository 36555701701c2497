import { msg } from '@lingui/core/macro'
import type { Sentences } from '~/platform/locales/sentences'

/** The sentences that autosave.ts shows. */
export const autosaveSentences = {
  saved: msg({ message: 'Saved {time} UTC', comment: 'time: such as 12:31' }),
  noConnection: msg`Not saved: no connection. We'll try again.`,
  signedOut: msg`Not saved: you are signed out. Sign in in another tab, then press Save.`,
  changed: msg`Not saved: it was changed in another tab. Press Save to compare.`,
  refused: msg`Not saved. Press Save to see why.`,
} satisfies Sentences
