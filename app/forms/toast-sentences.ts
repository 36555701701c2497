import { msg } from '@lingui/core/macro'
import type { Sentences } from '../locales/sentences'

/** What the script of toasts says (floating-toast.ts). */
export const toastSentences = {
  dismiss: msg({ message: 'Dismiss', comment: 'Name of the button that closes a message' }),
} satisfies Sentences
