import { type AppLoadContext, redirectDocument } from '@remix-run/cloudflare'
import type { BackendError } from '../../platform/server/backend-error'
import { newPasswordPath } from '../../platform/server/redirect'
import { type AuthNoticeKey, announce } from './auth-notices.server'
import { logAuthError } from './error-log.server'
import { classifyAuthError } from './messages'
import { readPendingEmail } from './pending-email.server'
import { beginRecovery } from './recovery.server'
import { hasFlow, parseSession, storageKey } from './session.server'
import { completeSignIn } from './sign-in.server'

/** The query parameters that the auth service adds. */
const callbackParameters = ['code', 'error', 'error_code', 'error_description', 'sb'] as const

/** The notices for errors in a URL. An error that is not listed gets the general error message. */
const noticeOfError: Record<string, AuthNoticeKey> = {
  otp_expired: 'link-expired',
  flow_state_expired: 'link-expired',
  flow_state_not_found: 'link-expired',
  access_denied: 'link-refused',
  bad_code_verifier: 'link-elsewhere',
}

/**
 * Handles the parameters that the auth service adds to the URL of a page: exchanges a `code` (PKCE) or
 * announces an error. Redirects to the URL without these parameters, or to the page for a new password. An
 * error keeps the current session (spec §8). Returns null if this browser has no pending flow, because any
 * site can link to such a URL.
 */
export async function answerCallback(context: AppLoadContext): Promise<Response | null> {
  if (!hasPendingFlow(context)) return null
  const url = new URL(context.url)
  const { code, error, error_code } = Object.fromEntries(url.searchParams)
  for (const name of callbackParameters) url.searchParams.delete(name)
  const cleaned = url.pathname.replace(/^\/+/, '/') + url.search

  if (error !== undefined || !code) {
    const known = [error_code, error].find(
      (value) => value !== undefined && Object.hasOwn(noticeOfError, value),
    )
    context.log.warn('callback.error', { code: known ?? 'unknown' })
    announce(context.cookies, known ? (noticeOfError[known] as AuthNoticeKey) : 'link-failed')
    return redirectDocument(cleaned, 303)
  }
  return exchangeCode(context, code, cleaned)
}

/** True if this browser has requested an email, or holds the verifier of a flow. */
function hasPendingFlow({ config, cookies }: AppLoadContext): boolean {
  return readPendingEmail(cookies) !== null || hasFlow(cookies, storageKey(config.SUPABASE_URL))
}

async function exchangeCode(context: AppLoadContext, code: string, cleaned: string): Promise<Response> {
  const auth = await context.auth()
  // The client library throws if the response is not an object.
  const { data, error } = await auth
    .exchangeCodeForSession(code)
    .catch((): { data: null; error: BackendError } => ({
      data: null,
      error: { name: 'NoSessionInAnswer', status: 502 },
    }))
  const session = parseSession(data?.session)
  if (data && session) {
    const isRecovery = 'redirectType' in data && data.redirectType === 'recovery'
    if (!isRecovery) return completeSignIn(context, session, { notice: 'signed-in', to: cleaned })
    beginRecovery(context.cookies, data.user?.id ?? '')
    return completeSignIn(context, session, { notice: null, to: newPasswordPath })
  }
  const fault = error ?? { name: 'NoSessionInAnswer', status: 200 }
  logAuthError(context.log, 'callback.refused', fault)
  const elsewhere = fault.name === 'AuthPKCECodeVerifierMissingError' || fault.code === 'bad_code_verifier'
  announce(
    context.cookies,
    elsewhere ? 'link-elsewhere' : classifyAuthError(fault).retry ? 'link-failed' : 'link-expired',
  )
  return redirectDocument(cleaned, 303)
}
