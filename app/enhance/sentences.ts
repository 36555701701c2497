import { msg } from '@lingui/core/macro'
import type { Sentences } from '../locales/sentences'

/** What the scripts of every page say. */
export const pageSentences = {
  copied: msg`Copied to clipboard!`,
  notCopied: (text: string) => msg`Copying is blocked in this browser. Copy it by hand: ${text}`,
  yourTime: (time: string) => msg({ message: `${time} your time`, comment: 'After a date and time' }),
} satisfies Sentences
