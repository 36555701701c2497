import { msg } from '@lingui/core/macro'
import { logFaults } from '../log/log-faults'
import { key } from '../platform/locales/key'
import type { Sentences } from '../platform/locales/sentences'

/** The sentences about faults that the browser's checks of the log find, by the name in a LogError. */
export const faultSentences = {
  wrong: msg({ message: 'Something is wrong.', comment: 'Before a sentence that says what' }),
  ...(Object.fromEntries(logFaults.map((sentence) => [sentence, key(sentence)])) as Sentences),
} satisfies Sentences
