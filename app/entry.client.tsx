import { RemixBrowser } from '@remix-run/react'
import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { createLanguage, loadLanguage } from './locales/language'
import { localeOfTag } from './locales/locales'
import { LanguageContext } from './locales/react'

type Rule = (text: string) => string | null

interface TrustedTypes {
  createPolicy(name: 'default', rules: { createHTML: Rule; createScriptURL: Rule }): void
}

// React creates script elements from `<script></script>` and loads scripts from /assets/. This policy refuses
// other values.
const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
trustedTypes?.createPolicy('default', {
  createHTML: (html) => (html === '<script></script>' ? html : null),
  createScriptURL: (url) => (/^\/assets\/[\w.-]+$/.test(url) ? url : null),
})

const locale = localeOfTag(document.documentElement.lang)
void loadLanguage(locale).then(() => {
  // A hydrated page has no language prefix.
  const language = createLanguage(locale.code)
  startTransition(() => {
    hydrateRoot(
      document,
      <LanguageContext.Provider value={language}>
        <RemixBrowser />
      </LanguageContext.Provider>,
    )
  })
})
