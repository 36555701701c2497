import type { Notice } from '../ui/notice'

/**
 * The auth service's published sentences, by error code. Anything else is not echoed: a backend that lies
 * could put its words on our page.
 */
const sentences: Record<string, string> = {
  invalid_credentials: 'Invalid login credentials',
  user_already_exists: 'User already registered',
  email_exists: 'A user with this email address has already been registered',
  email_not_confirmed: 'Email not confirmed',
  email_address_invalid: 'Email address is invalid',
  email_address_not_authorized: 'Email address not authorized',
  email_provider_disabled: 'Email signups are disabled',
  signup_disabled: 'Signups not allowed for this instance',
  user_banned: 'User is banned',
  user_not_found: 'User not found',
  otp_expired: 'Email link is invalid or has expired',
  same_password: 'New password should be different from the old password.',
  over_request_rate_limit: 'Request rate limit reached',
  over_email_send_rate_limit: 'Email rate limit exceeded',
}

const weaknesses: Record<string, string> = {
  length: 'it is too short',
  characters: 'it lacks a kind of character',
  pwned: 'it is known from a leak',
}

/** What supabase-js says of a failed call, as far as it is needed here. */
export interface BackendError {
  name?: string
  code?: string | undefined
  status?: number | undefined
  reasons?: string[]
}

export const generalSentence = 'An error occurred'

/** The toast for an error of the auth service (spec §8). */
export function errorNotice(error: BackendError): Notice {
  return { title: 'Error', text: errorSentence(error), destructive: true }
}

function errorSentence({ code, reasons }: BackendError): string {
  if (code === 'weak_password') {
    const known = (reasons ?? []).flatMap((reason) => weaknesses[reason] ?? [])
    return known.length ? `Password is too weak: ${known.join(', ')}.` : 'Password is too weak.'
  }
  return code && Object.hasOwn(sentences, code) ? (sentences[code] as string) : generalSentence
}

/** The status of our answer: the visitor's mistake is 400; a backend that is away is 503, one that babbles 502. */
export function errorStatus({ code, status }: BackendError): 400 | 429 | 502 | 503 {
  if (status === 429) return 429
  if (code && status && status >= 400 && status < 500) return 400
  return status === undefined || status === 0 || [502, 503, 504].includes(status) ? 503 : 502
}
