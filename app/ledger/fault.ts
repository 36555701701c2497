import type { LogError } from '../log/bytes.ts'
import { gap, say } from '../platform/locales/say.ts'
import type { Sentences } from '../platform/locales/sentences'
import type { faultSentences } from './fault-sentences'

/** The sentence about a fault, in the language of the page. */
export function sayFault({ sentence, values }: LogError): string {
  return say<Sentences>(sentence, values)
}

export function sayWrong(error: LogError): string {
  return `${say<typeof faultSentences>('wrong')}${gap()}${sayFault(error)}`
}
