import { RemixBrowser } from '@remix-run/react'
import { createLanguage, loadLanguage } from './locales/language'
import { localeOfTag } from './locales/locales'
import { LanguageContext } from './locales/react'
import { hydrate } from './rendering/hydrate'

const part = document.getElementById('page')
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
