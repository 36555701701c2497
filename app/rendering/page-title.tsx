import { useLocation, useMatches } from '@remix-run/react'
import { useContext } from 'react'
// `useActionData` returns only the data of the calling route, and the root renders the title.
import { UNSAFE_DataRouterStateContext as RouterState } from 'react-router-dom'
import { pageTitle } from '../site'
import { readHandle } from './handle'

/**
 * The title of a hydrated page. It begins with 'Error:' after its form was refused, so that screen readers announce
 * the refusal first.
 */
export function FormPageTitle() {
  const page = useMatches()
    .map(({ handle }) => readHandle(handle).hydrated)
    .find((hydrated) => hydrated !== undefined)
  const { search } = useLocation()
  const state = useContext(RouterState)
  if (!page) return null
  const title = typeof page.title === 'string' ? page.title : page.title(new URLSearchParams(search))
  const refused = Object.values(state?.actionData ?? {}).some(isRefused)
  return <title>{`${refused ? 'Error: ' : ''}${pageTitle(title)}`}</title>
}

/** Whether an action returned a refused form (forms/refusal.ts). */
function isRefused(answer: { notice?: { destructive?: boolean } | null } | null): boolean {
  return answer?.notice?.destructive === true
}
