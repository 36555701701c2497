import type { AppLoadContext } from '@remix-run/cloudflare'
import { dropDraft } from '../profile/draft.server'
import { clearPendingEmail } from './pending-email.server'
import { clearPendingSession } from './pending-session.server'
import { endRecovery } from './recovery.server'

/** Removes from this browser what belongs to the member: session, pending flows and draft. */
export function signOutHere(context: AppLoadContext): void {
  const { cookies } = context
  context.dropSession()
  clearPendingEmail(cookies)
  clearPendingSession(cookies)
  endRecovery(cookies)
  dropDraft(cookies)
}
