import { type LoaderFunctionArgs, redirect } from '@remix-run/cloudflare'

/**
 * The target of the search form of /donate: redirects to the payment confirmation of `?hash=`. An invalid
 * hash leads to a 404 page.
 */
export function loader({ request }: LoaderFunctionArgs) {
  const hash = new URL(request.url).searchParams.get('hash')?.trim().toLowerCase() ?? ''
  return redirect(/^0x[0-9a-f]{64}$/.test(hash) ? `/donate/${hash}` : '/donate/unknown', 303)
}
