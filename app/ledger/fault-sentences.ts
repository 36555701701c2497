import { msg } from '@lingui/core/macro'
import { key } from '../locales/key'
import type { Sentences } from '../locales/sentences'
import { logFaults } from '../log/faults'

/** What the checks of the log in the browser say if something is wrong. A LogError is shown by its sentence. */
export const faultSentences = {
  wrong: msg({ message: 'Something is wrong.', comment: 'Before a sentence that says what' }),
  ...(Object.fromEntries(logFaults.map((sentence) => [sentence, key(sentence)])) as Sentences),
} satisfies Sentences
