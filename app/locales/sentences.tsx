import type { MessageDescriptor } from '@lingui/core'
import type { I18n } from './i18n'
import { useLanguage } from './react'

/** The sentences of a script by name. No two scripts of a page use the same name. */
export type Sentences = Record<string, MessageDescriptor>

/**
 * The sentences of a script in the language of the page, for `say` (say.ts). React does not change them in the browser,
 * so a hydrated page needs no message for them.
 */
export function ScriptSentences({ of: sentences }: { of: Sentences }) {
  const { i18n } = useLanguage()
  return (
    <script
      type="application/json"
      data-sentences=""
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON without `<`, which a browser does not run.
      dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? toJson(sentences, i18n) : '' }}
    />
  )
}

function toJson(sentences: Sentences, i18n: I18n): string {
  const templates = Object.entries(sentences).map(([name, message]) => [name, i18n.template(message)])
  return JSON.stringify(Object.fromEntries(templates)).replaceAll('<', '\\u003c')
}
