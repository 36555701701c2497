import { RemixBrowser } from '@remix-run/react'
import { createLanguage, loadLanguage } from './platform/locales/language'
import { localeOfTag } from './platform/locales/locales'
import { LanguageContext } from './platform/locales/react'
import { hydrate } from './platform/rendering/hydrate'

const part = canHydrate() ? document.getElementById('page') : null
const locale = localeOfTag(document.documentElement.lang)
void loadLanguage(locale).then(() => {
  // A hydrated page has no language prefix.
  const language = createLanguage(locale.code)
  if (part)
    hydrate(
      part,
      <LanguageContext.Provider value={language}>
        <RemixBrowser />
      </LanguageContext.Provider>,
    )
})

/** Remix needs storage and fetch. Where a browser forbids one of them, the page stays plain HTML. */
function canHydrate(): boolean {
  try {
    sessionStorage.setItem('stores', '')
    return typeof fetch === 'function'
  } catch {
    return false
  }
}
