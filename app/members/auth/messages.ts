import { msg } from '@lingui/core/macro'
import type { Notice } from '../../platform/forms/notice'
import type { I18n, Text } from '../../platform/locales/i18n'
import type { BackendError } from '../../platform/server/backend-error'
import { toPlainText } from '../../platform/server/plain-text'

/**
 * What an error means for the session: `clear` if the service or the client library reports that the session
 * has ended, otherwise `keep`. An unreachable service or an invalid response never ends a session.
 */
type SessionFate = 'keep' | 'clear'

/** How the site handles an error (spec §8 and the list of codes that the auth service publishes). */
export interface AuthErrorInfo {
  /** A string is the service's own message in English. */
  sentence: Text
  /** Messages that say why a password is too weak. */
  reasons: Text[]
  session: SessionFate
  /** True if the same call may succeed later. */
  retry: boolean
  level: 'info' | 'warn' | 'error'
}

export const generalSentence = msg`An error occurred`

const missing = msg`Auth session missing!`
const known: Record<string, Partial<AuthErrorInfo>> = {
  // The session has ended.
  session_not_found: { sentence: missing, session: 'clear' },
  session_expired: { sentence: msg`Your session has ended. Please sign in again.`, session: 'clear' },
  refresh_token_not_found: {
    sentence: msg`Invalid Refresh Token: Refresh Token Not Found`,
    session: 'clear',
  },
  refresh_token_already_used: {
    sentence: msg`Invalid Refresh Token: Already Used`,
    session: 'clear',
    level: 'warn',
  },
  bad_jwt: { sentence: msg`Invalid JWT`, session: 'clear' },
  invalid_jwt: { sentence: msg`Invalid JWT`, session: 'clear' },
  no_authorization: { sentence: missing, session: 'clear' },
  user_not_found: { sentence: msg`User not found`, session: 'clear' },
  user_banned: { sentence: msg`User is banned`, session: 'clear' },

  // Refused input.
  invalid_credentials: { sentence: msg`Invalid login credentials` },
  user_already_exists: { sentence: msg`User already registered` },
  email_exists: { sentence: msg`A user with this email address has already been registered` },
  email_not_confirmed: { sentence: msg`Email not confirmed` },
  email_address_invalid: { sentence: msg`Email address is invalid` },
  email_address_not_authorized: { sentence: msg`Email address not authorized` },
  same_password: { sentence: msg`New password should be different from the old password.` },
  weak_password: { sentence: msg`Password is too weak.` },
  reauthentication_needed: { sentence: msg`Please sign in again before you change this.` },
  reauthentication_not_valid: { sentence: msg`Verification code is invalid or has expired` },
  otp_expired: { sentence: msg`Email link is invalid or has expired` },
  otp_disabled: { sentence: msg`Sign-in by email isn't available` },
  flow_state_not_found: { sentence: msg`Email link is invalid or has expired` },
  flow_state_expired: { sentence: msg`Email link is invalid or has expired` },
  bad_code_verifier: { sentence: msg`Open the link in the browser where you asked for it.` },
  captcha_failed: { sentence: generalSentence, level: 'warn' },

  // Identities: the session is kept (spec §8).
  identity_already_exists: { sentence: msg`Identity is already linked to another user` },
  identity_not_found: { sentence: msg`Identity not found` },
  single_identity_not_deletable: { sentence: msg`You can't remove your only way to sign in` },
  email_conflict_identity_not_deletable: { sentence: msg`You can't remove this way to sign in` },

  // The second factor.
  insufficient_aal: { sentence: msg`Please enter your authenticator code first.` },
  mfa_factor_name_conflict: { sentence: msg`You already have an app with this name` },
  mfa_factor_not_found: { sentence: msg`Factor not found` },
  mfa_challenge_expired: { sentence: msg`That took too long. Please enter a new code.` },
  mfa_verification_failed: { sentence: msg`Invalid TOTP code entered` },
  /** The site's own code. */
  code_used: { sentence: msg`This code was entered before. Please wait for the next one in your app.` },
  mfa_verification_rejected: { sentence: msg`That code didn't work` },
  mfa_ip_address_mismatch: { sentence: msg`Please finish on the same network you started on.` },
  mfa_verified_factor_exists: { sentence: msg`You already have an authenticator app` },
  too_many_enrolled_mfa_factors: { sentence: msg`You can't add more apps` },
  mfa_totp_enroll_not_enabled: { sentence: msg`Two-step sign-in isn't available`, level: 'warn' },
  mfa_totp_verify_not_enabled: { sentence: msg`Two-step sign-in isn't available`, level: 'warn' },

  // Disabled in the project.
  signup_disabled: { sentence: msg`Signups not allowed for this instance` },
  email_provider_disabled: { sentence: msg`Email signups are disabled` },
  provider_disabled: { sentence: msg`This way to sign in isn't available` },
  web3_provider_disabled: { sentence: msg`This way to sign in isn't available` },
  web3_unsupported_chain: { sentence: msg`Please switch your wallet to BNB Smart Chain.` },

  // Limits and overload.
  over_request_rate_limit: { sentence: msg`Request rate limit reached`, retry: true, level: 'warn' },
  over_email_send_rate_limit: { sentence: msg`Email rate limit exceeded`, retry: true, level: 'warn' },
  conflict: { retry: true },
  request_timeout: { retry: true, level: 'warn' },
  hook_timeout: { retry: true, level: 'error' },
  hook_timeout_after_retry: { retry: true, level: 'error' },
  unexpected_failure: { retry: true, level: 'error' },
}

/** The errors of the client library, by name. Used for an error without a code. */
const named: Record<string, Partial<AuthErrorInfo>> = {
  AuthSessionMissingError: { sentence: missing, session: 'clear' },
  AuthInvalidJwtError: { sentence: msg`Invalid JWT`, session: 'clear' },
  AuthInvalidTokenResponseError: { sentence: msg`Auth session or user missing`, level: 'error' },
  AuthRetryableFetchError: { retry: true, level: 'warn' },
  AuthImplicitGrantRedirectError: {},
  AuthPKCEGrantCodeExchangeError: { sentence: msg`Email link is invalid or has expired` },
  AuthPKCECodeVerifierMissingError: { sentence: msg`Open the link in the browser where you asked for it.` },
  AuthUnknownError: { level: 'error' },
}

const weaknesses: Record<string, Text> = {
  length: msg`It is too short.`,
  characters: msg`Add another kind of character.`,
  pwned: msg`It appeared in a data leak.`,
}

/**
 * Classifies an error by its code, or by its name if the error has no code. A known error gets the message in
 * `known` or `named`. An unknown error in a 4xx response (except 429) gets the service's message as plain
 * text (spec §8), because this is how a project's hooks refuse a request. Every other error gets the general
 * error message. For a weak password, `reasons` states why.
 */
export function classifyAuthError({ name, code, status, reasons, message }: BackendError): AuthErrorInfo {
  const unreachable = status === 0 || (status !== undefined && [502, 503, 504].includes(status))
  const entry = own(known, code) ?? (code ? undefined : own(named, name))
  // A 429 without a known code comes from a gateway, not from a hook.
  const refused = status !== undefined && status >= 400 && status < 500 && status !== 429
  const info: AuthErrorInfo = {
    sentence: (refused && !entry && toPlainText(message)) || generalSentence,
    reasons: [],
    session: 'keep',
    retry: unreachable || status === 429,
    level: unreachable || status === 429 ? 'warn' : status === undefined || status >= 500 ? 'error' : 'info',
    ...entry,
  }
  if (code !== 'weak_password' || !reasons) return info
  return { ...info, reasons: reasons.flatMap((reason) => own(weaknesses, reason) ?? []) }
}

/** The toast for an error of the auth service (spec §8). The field shows the same text. */
export function errorNotice(error: BackendError, i18n: I18n): Notice {
  const { sentence, reasons } = classifyAuthError(error)
  return {
    title: i18n._(msg`Error`),
    text: i18n.join([sentence, ...reasons]),
    ...(typeof sentence === 'string' && { lang: 'en' as const }),
    destructive: true,
  }
}

/** 400 for refused input, 429 for a rate limit, 503 for an unreachable service, 502 for other failures. */
export function errorStatus({ code, status, message }: BackendError): 400 | 429 | 502 | 503 {
  if (status === 429) return 429
  if ((code || toPlainText(message)) && status && status >= 400 && status < 500) return 400
  return status === undefined || status === 0 || [502, 503, 504].includes(status) ? 503 : 502
}

function own<T>(table: Record<string, T>, key: string | undefined): T | undefined {
  return key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined
}
