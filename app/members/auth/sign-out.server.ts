import type { AppLoadContext } from '@remix-run/cloudflare'
import { dropDraft } from '../profile/draft.server'
import { clearPendingEmail } from './pending-email.server'
import { clearPendingSession } from './pending-session.server'
import { endRecovery } from './recovery.server'

/** Removes the member's data from this browser: the session, pending flows and the draft. */
export function signOutHere(context: AppLoadContext): void {
  const { cookies } = context
  context.dropSession()
  clearPendingEmail(cookies)
  clearPendingSession(cookies)
  endRecovery(cookies)
  dropDraft(cookies)
}
