import { type ActionFunctionArgs, redirect, redirectDocument } from '@remix-run/cloudflare'
import { announce } from '~/members/auth/auth-notices.server'
import { logAuthError } from '~/members/auth/error-log.server'
import { signOutHere } from '~/members/auth/sign-out.server'

export function loader() {
  throw redirect('/', 303)
}

/**
 * Ends the session on this device. Clears the cookies even if the auth service returns an error or does not
 * respond, so that an outage leaves no member signed in on a shared computer (spec §8). In that case a notice
 * says that the auth service may still have the session open.
 */
export async function action({ context }: ActionFunctionArgs) {
  const { kind, stored } = await context.session()
  if (stored) {
    const { error } = await (await context.auth()).signOut({ scope: 'local' })
    if (error) logAuthError(context.log, 'sign-out.failed', error)
    // The auth service refuses an expired token, but the client library reports this refusal as success.
    const isOpen = error || kind === 'unreachable'
    announce(context.cookies, isOpen ? 'session-not-ended' : 'signed-out')
  }
  signOutHere(context)
  throw redirectDocument('/', 303)
}
