import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { announce } from '~/members/auth/auth-notices.server'
import { identify } from '~/members/auth/identity.server'
import { readPendingEmail } from '~/members/auth/pending-email.server'
import { parseFragment, savePendingSession } from '~/members/auth/pending-session.server'
import { issuedAt } from '~/members/auth/session.server'
import { readForm } from '~/platform/forms/form.server'
import { safeRedirect } from '~/platform/server/redirect'

/** The age of tokens, in seconds, from which the server logs a warning (spec §9). */
const warnAfter = 120

/**
 * Verifies the tokens that the script found after the '#' of a URL. Keeps valid tokens for /auth/continue,
 * and returns the path to open next as JSON ({to}).
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request)
  const back = safeRedirect(form.get('page')?.toString(), context.config.SITE_URL)
  // The tokens in a URL never replace the current session.
  if ((await context.session()).stored) return Response.json({ to: back })
  const session = parseFragment(form)
  const limited = await context.limit('session')
  const state = session && !limited ? await identify(context, session.access_token) : null
  if (session && state?.kind === 'member') {
    const age = Date.now() / 1000 - issuedAt(session)
    if (age > warnAfter)
      context.log.warn('implicit.stale', {
        message: 'Session as retrieved from URL was issued over 120s ago, URL could be stale',
        seconds: Math.round(age),
      })
    savePendingSession(context.cookies, session)
    return Response.json({ to: '/auth/continue' })
  }
  // Any site can link here with invented tokens. So show an error only if this browser requested an email.
  if (readPendingEmail(context.cookies))
    announce(context.cookies, state?.kind === 'unreachable' ? 'link-failed' : 'link-expired')
  return Response.json({ to: back })
}
