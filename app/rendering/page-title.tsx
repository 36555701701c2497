import { msg } from '@lingui/core/macro'
import { useLocation, useMatches } from '@remix-run/react'
import { useContext } from 'react'
// `useActionData` returns only the data of its own route, but the root renders the title.
import { UNSAFE_DataRouterStateContext as RouterState } from 'react-router-dom'
import { useLanguage } from '../locales/react'
import { pageTitle } from '../site'
import { readHandle } from './handle'

/**
 * The title of a hydrated page. If the form was refused, the title begins with 'Error:', so that screen
 * readers announce the refusal first.
 */
export function FormPageTitle() {
  const page = useMatches()
    .map(({ handle }) => readHandle(handle).hydrated)
    .find((hydrated) => hydrated !== undefined)
  const { i18n } = useLanguage()
  const { search } = useLocation()
  const state = useContext(RouterState)
  if (!page) return null
  const title = typeof page.title === 'function' ? page.title(new URLSearchParams(search)) : page.title
  const refused = Object.values(state?.actionData ?? {}).some(isRefused)
  const name = pageTitle(i18n._(title))
  return <title>{refused ? i18n._(msg`Error: ${name}`) : name}</title>
}

/** True if an action returned a refused form (forms/refusal.ts). */
function isRefused(answer: { notice?: { destructive?: boolean } | null } | null): boolean {
  return answer?.notice?.destructive === true
}
