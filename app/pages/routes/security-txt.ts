import type { LoaderFunctionArgs } from '@remix-run/cloudflare'

const halfAYear = 182 * 86_400_000

/** The contact for security reports (RFC 9116), valid for half a year after each request. */
export function loader({ context }: LoaderFunctionArgs) {
  const { SITE_URL, CONTACT_EMAIL } = context.config
  const expires = `${new Date(Date.now() + halfAYear).toISOString().slice(0, 10)}T00:00:00Z`
  const lines = [
    ...(CONTACT_EMAIL ? [`Contact: mailto:${CONTACT_EMAIL}`] : []),
    `Contact: ${SITE_URL}/contact`,
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    `Canonical: ${SITE_URL}/.well-known/security.txt`,
  ]
  return new Response(`${lines.join('\n')}\n`, {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
  })
}
