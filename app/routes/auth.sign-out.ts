import { type ActionFunctionArgs, redirect, redirectDocument } from '@remix-run/cloudflare'
import { signOutHere } from '~/auth/sign-out.server'

export function loader() {
  throw redirect('/', 303)
}

/**
 * Ends the session on this device. Clears the cookies even if the auth service returns an error or does not respond, so
 * that an outage leaves no member signed in on a shared computer (spec §8).
 */
export async function action({ context }: ActionFunctionArgs) {
  if ((await context.session()).stored) {
    const { error } = await (await context.auth()).signOut({ scope: 'local' })
    if (error) context.log.warn('sign-out.failed', { code: error.code ?? error.name, status: error.status })
  }
  signOutHere(context)
  throw redirectDocument('/', 303)
}
