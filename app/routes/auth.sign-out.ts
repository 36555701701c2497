import { type ActionFunctionArgs, redirect, redirectDocument } from '@remix-run/cloudflare'
import { dropDraft } from '~/profile/draft.server'

export function loader() {
  throw redirect('/', 303)
}

/**
 * Ends the session on this device. Whatever the auth service answers, or if it does not, the cookies go:
 * nobody may stay signed in on a shared computer because a server was away (spec §8).
 */
export async function action({ context }: ActionFunctionArgs) {
  if ((await context.session()).stored) {
    const { error } = await context.auth().signOut({ scope: 'local' })
    if (error) context.log.warn('sign-out.failed', { code: error.code ?? error.name, status: error.status })
  }
  context.dropSession()
  dropDraft(context.cookies)
  throw redirectDocument('/', 303)
}
