import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { pageTitle } from '~/site'
import { NotFound } from '~/ui/problem'

export const meta: MetaFunction = () => [
  { title: pageTitle('Page not found') },
  { name: 'robots', content: 'noindex' },
]

/** Every path that no other route matches. The path is logged (spec §2). */
export function loader({ request, context }: LoaderFunctionArgs) {
  context.log.warn('not-found', { path: new URL(request.url).pathname })
  return data(null, 404)
}

export default NotFound
