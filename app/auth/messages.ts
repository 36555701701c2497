import type { Notice } from '../forms/notice'
import type { BackendError } from '../server/backend-error'
import { toPlainText } from '../server/plain-text'

/**
 * What an error means for the session: `clear` if the service or the client library states that the session has ended,
 * otherwise `keep`. An unreachable service or an invalid response never ends a session.
 */
type SessionFate = 'keep' | 'clear'

/** How the site handles an error (spec §8 and the published list of the auth service). */
export interface AuthErrorInfo {
  sentence: string
  session: SessionFate
  /** True if the same call may succeed later. */
  retry: boolean
  level: 'info' | 'warn' | 'error'
}

export const generalSentence = 'An error occurred'

const missing = 'Auth session missing!'
const known: Record<string, Partial<AuthErrorInfo>> = {
  // The session is over.
  session_not_found: { sentence: missing, session: 'clear' },
  session_expired: { sentence: 'Your session has ended. Please sign in again.', session: 'clear' },
  refresh_token_not_found: { sentence: 'Invalid Refresh Token: Refresh Token Not Found', session: 'clear' },
  refresh_token_already_used: {
    sentence: 'Invalid Refresh Token: Already Used',
    session: 'clear',
    level: 'warn',
  },
  bad_jwt: { sentence: 'Invalid JWT', session: 'clear' },
  invalid_jwt: { sentence: 'Invalid JWT', session: 'clear' },
  no_authorization: { sentence: missing, session: 'clear' },
  user_not_found: { sentence: 'User not found', session: 'clear' },
  user_banned: { sentence: 'User is banned', session: 'clear' },

  // Refused input.
  invalid_credentials: { sentence: 'Invalid login credentials' },
  user_already_exists: { sentence: 'User already registered' },
  email_exists: { sentence: 'A user with this email address has already been registered' },
  email_not_confirmed: { sentence: 'Email not confirmed' },
  email_address_invalid: { sentence: 'Email address is invalid' },
  email_address_not_authorized: { sentence: 'Email address not authorized' },
  same_password: { sentence: 'New password should be different from the old password.' },
  weak_password: { sentence: 'Password is too weak.' },
  reauthentication_needed: { sentence: 'Please sign in again before you change this.' },
  reauthentication_not_valid: { sentence: 'Verification code is invalid or has expired' },
  otp_expired: { sentence: 'Email link is invalid or has expired' },
  otp_disabled: { sentence: "Sign-in by email isn't available" },
  flow_state_not_found: { sentence: 'Email link is invalid or has expired' },
  flow_state_expired: { sentence: 'Email link is invalid or has expired' },
  bad_code_verifier: { sentence: 'Open the link in the browser where you asked for it.' },
  captcha_failed: { sentence: generalSentence, level: 'warn' },

  // Identities: the session is kept (spec §8).
  identity_already_exists: { sentence: 'Identity is already linked to another user' },
  identity_not_found: { sentence: 'Identity not found' },
  single_identity_not_deletable: { sentence: "You can't remove your only way to sign in" },
  email_conflict_identity_not_deletable: { sentence: "You can't remove this way to sign in" },

  // The second factor.
  insufficient_aal: { sentence: 'Please enter your authenticator code first.' },
  mfa_factor_name_conflict: { sentence: 'You already have an app with this name' },
  mfa_factor_not_found: { sentence: 'Factor not found' },
  mfa_challenge_expired: { sentence: 'That took too long. Please enter a new code.' },
  mfa_verification_failed: { sentence: 'Invalid TOTP code entered' },
  mfa_verification_rejected: { sentence: "That code didn't work" },
  mfa_ip_address_mismatch: { sentence: 'Please finish on the same network you started on.' },
  mfa_verified_factor_exists: { sentence: 'You already have an authenticator app' },
  too_many_enrolled_mfa_factors: { sentence: "You can't add more apps" },
  mfa_totp_enroll_not_enabled: { sentence: "Two-step sign-in isn't available", level: 'warn' },
  mfa_totp_verify_not_enabled: { sentence: "Two-step sign-in isn't available", level: 'warn' },

  // Disabled in the project.
  signup_disabled: { sentence: 'Signups not allowed for this instance' },
  email_provider_disabled: { sentence: 'Email signups are disabled' },
  provider_disabled: { sentence: "This way to sign in isn't available" },
  web3_provider_disabled: { sentence: "This way to sign in isn't available" },
  web3_unsupported_chain: { sentence: 'Please switch your wallet to BNB Smart Chain.' },

  // Limits and overload.
  over_request_rate_limit: { sentence: 'Request rate limit reached', retry: true, level: 'warn' },
  over_email_send_rate_limit: { sentence: 'Email rate limit exceeded', retry: true, level: 'warn' },
  conflict: { retry: true },
  request_timeout: { retry: true, level: 'warn' },
  hook_timeout: { retry: true, level: 'error' },
  hook_timeout_after_retry: { retry: true, level: 'error' },
  unexpected_failure: { retry: true, level: 'error' },
}

/** By name: errors of the client library. Used for an error without a code. */
const named: Record<string, Partial<AuthErrorInfo>> = {
  AuthSessionMissingError: { sentence: missing, session: 'clear' },
  AuthInvalidJwtError: { sentence: 'Invalid JWT', session: 'clear' },
  AuthInvalidTokenResponseError: { sentence: 'Auth session or user missing', level: 'error' },
  AuthRetryableFetchError: { retry: true, level: 'warn' },
  AuthImplicitGrantRedirectError: {},
  AuthPKCEGrantCodeExchangeError: { sentence: 'Email link is invalid or has expired' },
  AuthPKCECodeVerifierMissingError: { sentence: 'Open the link in the browser where you asked for it.' },
  AuthUnknownError: { level: 'error' },
}

const weaknesses: Record<string, string> = {
  length: 'It is too short.',
  characters: 'Add another kind of character.',
  pwned: 'It appeared in a data leak.',
}

/**
 * Classifies an error by its code, or by its name if it has no code. A known error has the sentence of `known` or
 * `named`. An unknown one in a 4xx response (except 429) has the service's message as plain text (spec §8), because a
 * project's own hooks refuse in this way. Every other error has the general sentence. A weak password has its reasons.
 */
export function classifyAuthError({ name, code, status, reasons, message }: BackendError): AuthErrorInfo {
  const unreachable = status === 0 || (status !== undefined && [502, 503, 504].includes(status))
  const entry = own(known, code) ?? (code ? undefined : own(named, name))
  // A 429 without a known code comes from a gateway, not from a hook.
  const refused = status !== undefined && status >= 400 && status < 500 && status !== 429
  const info: AuthErrorInfo = {
    sentence: (refused && !entry && toPlainText(message)) || generalSentence,
    session: 'keep',
    retry: unreachable || status === 429,
    level: unreachable || status === 429 ? 'warn' : status === undefined || status >= 500 ? 'error' : 'info',
    ...entry,
  }
  if (code !== 'weak_password' || !reasons) return info
  const stated = reasons.flatMap((reason) => own(weaknesses, reason) ?? [])
  return stated.length ? { ...info, sentence: ['Password is too weak.', ...stated].join(' ') } : info
}

/** The toast for an error of the auth service (spec §8). */
export function errorNotice(error: BackendError): Notice {
  return { title: 'Error', text: classifyAuthError(error).sentence, destructive: true }
}

/**
 * The status of the response: 400 for refused input, 429 for a rate limit, 503 for an unreachable service, 502 for any
 * other failure.
 */
export function errorStatus({ code, status, message }: BackendError): 400 | 429 | 502 | 503 {
  if (status === 429) return 429
  if ((code || toPlainText(message)) && status && status >= 400 && status < 500) return 400
  return status === undefined || status === 0 || [502, 503, 504].includes(status) ? 503 : 502
}

function own<T>(table: Record<string, T>, key: string | undefined): T | undefined {
  return key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined
}
