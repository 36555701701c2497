import { type LoaderFunctionArgs, redirect } from '@remix-run/cloudflare'
import { readHash } from '~/platform/forms/hash'
import type { PageHandle } from '~/platform/rendering/handle'

export const handle: PageHandle = { translated: true }

/**
 * The target of the search form of /donate: redirects to the payment confirmation of `?hash=`. An invalid
 * hash leads to a 404 page.
 */
export function loader({ request }: LoaderFunctionArgs) {
  const hash = readHash(new URL(request.url).searchParams.get('hash') ?? '')
  return redirect(`/donate/${hash ?? 'unknown'}`, 303)
}
