import { msg } from '@lingui/core/macro'
import { useLocation } from '@remix-run/react'
import type { I18n } from '../locales/i18n'
import { useLanguage } from '../locales/react'
import { pageTitle } from '../site'
import type { PageHandle } from './handle'

/**
 * The title of a page. If the page shows a form that was refused, the title begins with 'Error:', so that
 * screen readers announce the refusal first.
 */
export function titleOf(title: string, isRefused: boolean | undefined, i18n: I18n): string {
  const name = pageTitle(title)
  return isRefused ? i18n._(msg`Error: ${name}`) : name
}

/**
 * The title of a hydrated page, even after its script has changed the page, because the document's head is not React's
 * (hydrate.tsx). It is not in the page's `meta`, which does not know of a refused form.
 */
export function useHydratedTitle(page: PageHandle['hydrated'], isRefused: boolean): string | undefined {
  const { i18n } = useLanguage()
  const { search } = useLocation()
  const title = typeof page?.title === 'function' ? page.title(new URLSearchParams(search)) : page?.title
  return title && titleOf(i18n._(title), isRefused, i18n)
}
