import type { MessageDescriptor } from '@lingui/core'
import type { I18n } from './i18n'
import { useLanguage } from './react'

/** The sentences of a script, keyed by name. Two scripts of the same page never use the same name. */
export type Sentences = Record<string, MessageDescriptor>

/**
 * Renders the sentences of a script in the language of the page, for `say` (say.ts). In the browser, React
 * keeps the server's HTML, so a hydrated page does not need these messages.
 */
export function ScriptSentences({ of: sentences }: { of: Sentences }) {
  const { i18n } = useLanguage()
  const json = import.meta.env.SSR
    ? toJson(sentences, i18n)
    : document.querySelector<HTMLElement>('[data-sentences]')?.dataset.sentences
  return <template data-sentences={json} />
}

function toJson(sentences: Sentences, i18n: I18n): string {
  const entries = Object.entries(sentences).map(([name, message]) => [name, i18n.template(message)] as const)
  return JSON.stringify(Object.fromEntries(entries.filter(([name, sentence]) => name !== sentence)))
}
