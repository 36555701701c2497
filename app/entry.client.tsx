import { RemixBrowser } from '@remix-run/react'
import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'

interface TrustedTypes {
  createPolicy(name: 'default', rules: { createHTML(html: string): string | null }): void
}

// React makes a script element, as a page that takes another's place has one, of this HTML. No other is parsed.
const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
trustedTypes?.createPolicy('default', { createHTML: (html) => (html === '<script></script>' ? html : null) })

startTransition(() => {
  hydrateRoot(document, <RemixBrowser />)
})
