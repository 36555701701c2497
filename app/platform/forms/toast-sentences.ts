import { msg } from '@lingui/core/macro'
import type { Sentences } from '../locales/sentences'

/** The sentences that the toast script shows (floating-toast.ts). */
export const toastSentences = {
  dismiss: msg({ message: 'Dismiss', comment: 'Name of the button that closes a message' }),
} satisfies Sentences
