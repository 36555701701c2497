import { type LoaderFunctionArgs, redirect } from '@remix-run/cloudflare'

/** The form of /donate asks here for a transaction: `?hash=` becomes the address of its confirmation. */
export function loader({ request }: LoaderFunctionArgs) {
  const hash = new URL(request.url).searchParams.get('hash')?.trim().toLowerCase() ?? ''
  return redirect(/^0x[0-9a-f]{64}$/.test(hash) ? `/donate/${hash}` : '/donate/unknown', 303)
}
