import { type AppLoadContext, redirectDocument } from '@remix-run/cloudflare'
import type { NoticeKey } from '../forms/notice'
import { announce } from '../forms/notice.server'
import type { BackendError } from '../server/backend-error'
import { classifyAuthError } from './messages'
import { beginRecovery } from './recovery.server'
import { newPasswordPath } from './redirect'

/** What the auth service adds to an address it leads back to. Everything else in the query is the page's own. */
const ours = ['code', 'error', 'error_code', 'error_description', 'sb'] as const

/** Our words for what the service may say in an address; for anything else there is a general one. */
const spoken: Record<string, NoticeKey> = {
  otp_expired: 'link-expired',
  flow_state_expired: 'link-expired',
  flow_state_not_found: 'link-expired',
  access_denied: 'link-refused',
  bad_code_verifier: 'link-elsewhere',
}

/**
 * Handles what the auth service has put into the address of any page: a `code` (PKCE) is exchanged here, an
 * error becomes a toast in our words. Either way the answer redirects to the address without it. The session
 * that is there survives an error (spec §8). Null where the address carries nothing of the kind.
 */
export async function answerCallback(request: Request, context: AppLoadContext): Promise<Response | null> {
  const { searchParams } = context.url
  const isCallback = searchParams.has('code') || searchParams.has('error')
  if (!isCallback || request.method !== 'GET' || !context.isDocument) return null
  const url = new URL(context.url)
  const { code, error, error_code } = Object.fromEntries(url.searchParams)
  for (const name of ours) url.searchParams.delete(name)
  let target = url.pathname.replace(/^\/+/, '/') + url.search

  if (error !== undefined || !code) {
    const said = [error_code, error].find((value) => value !== undefined && Object.hasOwn(spoken, value))
    context.log.warn('callback.error', { code: said ?? 'unknown' })
    announce(context.cookies, said ? (spoken[said] as NoticeKey) : 'link-failed')
    return redirectDocument(target, 303)
  }

  // The library throws at an answer that is no object.
  const { data, error: fault } = await context
    .auth()
    .exchangeCodeForSession(code)
    .catch((): { data: null; error: BackendError } => ({
      data: null,
      error: { name: 'NoSessionInAnswer', status: 502 },
    }))
  if (fault) {
    const { level } = classifyAuthError(fault)
    context.log[level]('callback.refused', { code: fault.code ?? fault.name, status: fault.status })
    const elsewhere = fault.name === 'AuthPKCECodeVerifierMissingError' || fault.code === 'bad_code_verifier'
    announce(
      context.cookies,
      elsewhere ? 'link-elsewhere' : classifyAuthError(fault).retry ? 'link-failed' : 'link-expired',
    )
  } else {
    // 'PASSWORD_RECOVERY': whoever comes by such a link is here to choose a new password.
    if ('redirectType' in data && data.redirectType === 'recovery') {
      beginRecovery(context.cookies, data.user.id)
      target = newPasswordPath
    } else announce(context.cookies, 'signed-in')
    context.endFlows()
  }
  return redirectDocument(target, 303)
}
