import type { MessageDescriptor } from '@lingui/core'
import { formatCount } from '../money'
import { type Catalog, I18n } from './i18n'

/** For scripts of a page: its language, with the sentences that the page contains for them (sentences.tsx). */
const { lang } = document.documentElement
const parts = [...document.querySelectorAll('script[data-sentences]')]
const catalog: Catalog = Object.assign({}, ...parts.map((part) => JSON.parse(part.textContent ?? '{}')))
const i18n = new I18n(lang, catalog, formatCount)

/** The tag for `Intl`, with digits 0 to 9. English is British, as in the rest of the site's dates. */
export const formatsTag = lang === 'en' ? 'en-GB' : `${lang}-u-nu-latn`

/** A sentence in the language of the page. */
export function say(message: MessageDescriptor): string {
  return i18n._(message)
}
