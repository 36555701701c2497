import type { AppLoadContext } from '@remix-run/cloudflare'
import { data } from '@remix-run/cloudflare'
import { withReturnTo } from '../../platform/server/redirect'
import type { Viewer } from './identity.server'
import { requireViewer } from './viewer.server'

/** What the page that sends a form again needs, after its author signed in at `signIn` in another tab. */
export interface SendAgain {
  typed: Record<string, string>
  signIn: string
}

/** The page for a form whose author must sign in first (send-again.tsx). The caller throws it. */
function sendAgainPage(form: FormData, signIn: string) {
  const typed = Object.fromEntries(
    [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
  return data({ typed, signIn } satisfies SendAgain, { status: 401, statusText: 'Signed out' })
}

/**
 * What a guard returns. If the guard throws a redirect to the sign-in or to the second factor, throws the page that offers
 * to send the posted form again.
 */
export async function orSendAgain<Value>(form: FormData, guard: () => Promise<Value>): Promise<Value> {
  try {
    return await guard()
  } catch (thrown) {
    const signIn = thrown instanceof Response ? thrown.headers.get('Location') : null
    throw signIn ? sendAgainPage(form, signIn) : thrown
  }
}

/**
 * Like `requireViewer`, for a posted form whose field `member` is the id of its author. Throws the page that
 * offers to send the form again in two cases: `requireViewer` would redirect, or the signed-in member is not
 * the author.
 */
export async function requireAuthor(
  context: AppLoadContext,
  returnTo: string,
  form: FormData,
): Promise<Viewer> {
  const viewer = await orSendAgain(form, () => requireViewer(context, returnTo, { form }))
  if (form.get('member') !== viewer.id) throw sendAgainPage(form, withReturnTo('/auth', returnTo))
  return viewer
}
