import type { MessageDescriptor } from '@lingui/core'
import { useLanguage } from './react'

/** The sentences of a script: messages, and functions that make a message of its values. */
export type Sentences = Record<string, MessageDescriptor | ((...values: never[]) => MessageDescriptor)>

/** The sentences of a script in the language of the page, for `say` (say.ts). An English page has them in its script. */
export function ScriptSentences({ of: sentences }: { of: Sentences }) {
  const { i18n } = useLanguage()
  const messages = Object.values(sentences).map((one) => (typeof one === 'function' ? one() : one))
  const translations = i18n.translationsOf(messages)
  if (!translations) return null
  const json = JSON.stringify(translations).replaceAll('<', '\\u003c')
  // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON without `<`, which a browser does not run.
  return <script type="application/json" data-sentences="" dangerouslySetInnerHTML={{ __html: json }} />
}
