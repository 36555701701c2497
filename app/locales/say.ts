import type { MessageDescriptor } from '@lingui/core'
import type { CompiledMessage } from '@lingui/message-utils/compileMessage'
import type { Catalog } from './i18n'

/** For scripts of a page: its language, with the sentences that the page contains for them (sentences.tsx). */
const { lang } = document.documentElement
const parts = [...document.querySelectorAll('script[data-sentences]')]
const catalog: Catalog = Object.assign({}, ...parts.map((part) => JSON.parse(part.textContent ?? '{}')))

/** The tag for `Intl`, with digits 0 to 9. English is British, as in the rest of the site's dates. */
export const formatsTag = lang === 'en' ? 'en-GB' : `${lang}-u-nu-latn`

/**
 * A sentence in the language of the page. It may have placeholders, but no plural: the code for plurals would be a
 * quarter of the script that every page loads.
 */
export function say({ id, message, values }: MessageDescriptor): string {
  // The build compiles the English message (scripts/vite/messages.ts).
  const tokens = catalog[id] ?? (message as CompiledMessage | undefined) ?? id
  if (typeof tokens === 'string') return tokens
  return tokens.map((token) => (typeof token === 'string' ? token : `${values?.[token[0]]}`)).join('')
}
