import { RemixBrowser } from '@remix-run/react'
import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'

type Rule = (text: string) => string | null

interface TrustedTypes {
  createPolicy(name: 'default', rules: { createHTML: Rule; createScriptURL: Rule }): void
}

// React makes a script element, as a page that takes another's place has one, of this HTML and a file of ours.
const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
trustedTypes?.createPolicy('default', {
  createHTML: (html) => (html === '<script></script>' ? html : null),
  createScriptURL: (url) => (/^\/assets\/[\w.-]+$/.test(url) ? url : null),
})

startTransition(() => {
  hydrateRoot(document, <RemixBrowser />)
})
