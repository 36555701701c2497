import { msg } from '@lingui/core/macro'
import { useLocation, useMatches } from '@remix-run/react'
import type { I18n } from '../locales/i18n'
import { useLanguage } from '../locales/react'
import { pageTitle } from '../site'
import { readHandle } from './handle'

/**
 * The title of a page. If the page shows a form that was refused, the title begins with 'Error:', so that
 * screen readers announce the refusal first.
 */
export function titleOf(title: string, isRefused: boolean | undefined, i18n: I18n): string {
  const name = pageTitle(title)
  return isRefused ? i18n._(msg`Error: ${name}`) : name
}

/**
 * The title of a hydrated page, which search engines index only if its handle says so. It is not in the page's `meta`, which does not run again after a form was
 * refused in the browser.
 */
export function HydratedHead({ isRefused }: { isRefused: boolean }) {
  const page = useMatches()
    .map(({ handle }) => readHandle(handle).hydrated)
    .find((hydrated) => hydrated !== undefined)
  const { i18n } = useLanguage()
  const { search } = useLocation()
  if (!page) return null
  const title = typeof page.title === 'function' ? page.title(new URLSearchParams(search)) : page.title
  return (
    <>
      <title>{titleOf(i18n._(title), isRefused, i18n)}</title>
      {!page.isIndexed && <meta name="robots" content="noindex" />}
    </>
  )
}
