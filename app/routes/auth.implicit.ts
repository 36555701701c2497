import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { parseFragment, savePendingSession } from '~/auth/pending-session.server'
import { safeRedirect } from '~/auth/redirect'
import { issuedAt } from '~/auth/session.server'
import { identify } from '~/auth/viewer.server'
import { readForm } from '~/forms/form.server'
import { announce } from '~/forms/notice.server'

/** Tokens in an address that were issued longer ago than this, in seconds, are refused (spec §9). */
const freshness = 120

/** Verifies tokens that script found behind the '#' of an address, and says where the page goes on. */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request)
  const back = safeRedirect(form.get('page')?.toString(), context.config.SITE_URL)
  // A session that is there is never replaced by an address.
  if ((await context.session()).stored) return Response.json({ to: back })
  const session = parseFragment(form)
  const age = session && Date.now() / 1000 - issuedAt(session)
  if (session && age !== null && age > freshness)
    context.log.warn('implicit.stale', {
      message: 'Session as retrieved from URL was issued over 120s ago, URL could be stale',
      seconds: Math.round(age),
    })
  const fresh = session !== null && age !== null && age <= freshness
  const tooOften = await context.limit('session')
  const state = fresh && !tooOften ? await identify(context.auth(), session.access_token, context.log) : null
  if (session && state?.kind === 'member') {
    savePendingSession(context.cookies, session)
    return Response.json({ to: '/auth/continue' })
  }
  announce(context.cookies, state?.kind === 'unreachable' ? 'link-failed' : 'link-expired')
  return Response.json({ to: back })
}
