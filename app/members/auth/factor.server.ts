import { type AppLoadContext, redirect } from '@remix-run/cloudflare'
import type { GoTrueClient } from '@supabase/auth-js'
import * as z from 'zod/mini'
import { hmac } from '../../platform/request-key'
import type { BackendError } from '../../platform/server/backend-error'
import { outagePage } from '../../platform/server/outage.server'
import { withReturnTo } from '../../platform/server/redirect'
import { brand } from '../../platform/site'
import type { Enrolment, Factor } from './factor'
import type { Viewer } from './identity.server'
import { classifyAuthError } from './messages'

const factorSchema = z.object({
  id: z.string(),
  factor_type: z.string(),
  status: z.string(),
  friendly_name: z.nullish(z.string()),
  created_at: z.nullish(z.string()),
})
const userSchema = z.object({ factors: z.nullish(z.array(factorSchema)) })
type UserFactor = z.infer<typeof factorSchema>

/** The factors of a user in a response from the auth service, or null if the response is invalid. */
export function factorsOf(user: unknown): UserFactor[] | null {
  const parsed = userSchema.safeParse(user)
  return parsed.success ? (parsed.data.factors ?? []) : null
}

export function isVerified({ status }: UserFactor): boolean {
  return status === 'verified'
}

/** The factors that this site supports: verified TOTP factors. */
export function usable(factors: UserFactor[]): Factor[] {
  return factors
    .filter((factor) => isVerified(factor) && factor.factor_type === 'totp')
    .map(({ id, friendly_name, created_at }) => ({
      id,
      name: friendly_name || 'Authenticator app',
      addedAt: created_at ?? null,
    }))
}

/**
 * The member's current factors, from the auth service. If the session has ended, throws the redirect of
 * `redirectIfSessionEnded`. After any other error or an invalid response, throws the 503 page, which repeats
 * `form`.
 */
export async function listFactors(
  context: AppLoadContext,
  accessToken: string,
  returnTo: string,
  form?: FormData,
): Promise<UserFactor[]> {
  const { user, error } = await context.user(accessToken)
  if (error) redirectIfSessionEnded(context, error, returnTo)
  const factors = factorsOf(user)
  if (factors) return factors
  throw outagePage(form)
}

/** If `error` means that the session ended, clears it and throws the redirect to /auth with `returnTo`. */
export function redirectIfSessionEnded(context: AppLoadContext, error: BackendError, returnTo: string): void {
  if (classifyAuthError(error).session !== 'clear') return
  context.dropSession()
  throw redirect(withReturnTo('/auth', returnTo), 303)
}

const enrolmentSchema = z.object({ id: z.string(), totp: z.object({ secret: z.string(), uri: z.string() }) })

/**
 * Starts the enrolment of a TOTP factor. Removes unfinished enrolments first, because an unfinished enrolment
 * occupies its name and counts towards the maximum number of factors.
 */
export async function enrol(
  auth: GoTrueClient,
  name: string,
  factors: UserFactor[],
): Promise<{ enrolment: Enrolment } | { error: BackendError }> {
  for (const factor of factors)
    if (!isVerified(factor) && factor.factor_type === 'totp') await auth.mfa.unenroll({ factorId: factor.id })
  const { data, error } = await auth.mfa.enroll({ factorType: 'totp', friendlyName: name, issuer: brand })
  if (error) return { error }
  const parsed = enrolmentSchema.safeParse(data)
  if (!parsed.success) return { error: { name: 'NoFactorInAnswer', status: 200 } }
  const { id, totp } = parsed.data
  const { qrCodeUrl } = await import('./factor-qr.server')
  return { enrolment: { factorId: id, name, qr: qrCodeUrl(totp.uri), secret: totp.secret, uri: totp.uri } }
}

/** A code for a factor. If `challengeId` is missing, the site requests a new challenge. */
export interface CodeAnswer {
  factorId: string
  code: string
  challengeId?: string | undefined
}

/**
 * Verifies a code; on success the auth client writes the session at the new level. Returns null on success,
 * otherwise the error. After a wrong code the challenge stays open for the next attempt, so that the service
 * can count the attempts.
 */
export async function answerChallenge(
  context: AppLoadContext,
  viewer: Pick<Viewer, 'id'>,
  { factorId, code, challengeId }: CodeAnswer,
): Promise<{ error: BackendError; challengeId: string | undefined } | null> {
  const limited = await context.limit('code', viewer.id)
  if (limited) return { error: limited, challengeId }
  // The auth service accepts a code again while it is valid.
  const hash = await hmac(factorId, code)
  const isNew = await context.data().call('use_code', z.boolean(), { hash })
  if (!isNew) {
    const error =
      isNew === null
        ? { name: 'NoAnswer', status: 503 }
        : { name: 'CodeUsed', code: 'code_used', status: 422 }
    return { error, challengeId }
  }
  const failure = await verify(context, { factorId, code, challengeId })
  if (failure) await context.data().call('use_code', z.boolean(), { hash, failed: true })
  return failure
}

async function verify(
  context: AppLoadContext,
  { factorId, code, challengeId }: CodeAnswer,
): ReturnType<typeof answerChallenge> {
  const auth = await context.auth()
  let open = challengeId
  if (!open) {
    const { data, error } = await auth.mfa.challenge({ factorId })
    if (error) return { error, challengeId: undefined }
    open = data.id
  }
  const { error } = await auth.mfa.verify({ factorId, challengeId: open, code })
  if (!error) return null
  // The service refuses a challenge that was requested from a different IP address, and a worker's outgoing
  // address may change between two requests. The code was not used: try a new challenge.
  if (error.code === 'mfa_ip_address_mismatch' && challengeId) return verify(context, { factorId, code })
  return { error, challengeId: error.code === 'mfa_verification_failed' ? open : undefined }
}
