import { RemixBrowser } from '@remix-run/react'
import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'

type Rule = (text: string) => string | null

interface TrustedTypes {
  createPolicy(name: 'default', rules: { createHTML: Rule; createScriptURL: Rule }): void
}

// React creates script elements from `<script></script>` and loads scripts from /assets/. Other values are refused.
const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
trustedTypes?.createPolicy('default', {
  createHTML: (html) => (html === '<script></script>' ? html : null),
  createScriptURL: (url) => (/^\/assets\/[\w.-]+$/.test(url) ? url : null),
})

startTransition(() => {
  hydrateRoot(document, <RemixBrowser />)
})
