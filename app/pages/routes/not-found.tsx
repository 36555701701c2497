import { msg } from '@lingui/core/macro'
import { data, type LoaderFunctionArgs } from '@remix-run/cloudflare'
import { privateMeta } from '~/platform/rendering/seo'
import { NotFound } from '~/platform/ui/problem'

export const meta = privateMeta(msg`Page not found`)

/** The page for every path that no other route matches. Logs the path (spec §2). */
export function loader({ request, context }: LoaderFunctionArgs) {
  context.log.warn('not-found', { path: new URL(request.url).pathname })
  return data(null, 404)
}

export default NotFound
