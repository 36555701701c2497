import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { identify } from '~/auth/identity.server'
import { announce } from '~/auth/notices.server'
import { parseFragment, savePendingSession } from '~/auth/pending-session.server'
import { safeRedirect } from '~/auth/redirect'
import { issuedAt } from '~/auth/session.server'
import { readForm } from '~/forms/form.server'

/** Tokens in a URL that were issued longer ago than this, in seconds, are refused (spec §9). */
const maximumAge = 120

/** Verifies the tokens that script found after the '#' of a URL, and returns the path to open next. */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request)
  const back = safeRedirect(form.get('page')?.toString(), context.config.SITE_URL)
  // A URL never replaces the current session.
  if ((await context.session()).stored) return Response.json({ to: back })
  const session = parseFragment(form)
  const age = session && Date.now() / 1000 - issuedAt(session)
  if (session && age !== null && age > maximumAge)
    context.log.warn('implicit.stale', {
      message: 'Session as retrieved from URL was issued over 120s ago, URL could be stale',
      seconds: Math.round(age),
    })
  const fresh = session !== null && age !== null && age <= maximumAge
  const limited = await context.limit('session')
  const state = fresh && !limited ? await identify(context.auth(), session.access_token, context.log) : null
  if (session && state?.kind === 'member') {
    savePendingSession(context.cookies, session)
    return Response.json({ to: '/auth/continue' })
  }
  announce(context.cookies, state?.kind === 'unreachable' ? 'link-failed' : 'link-expired')
  return Response.json({ to: back })
}
