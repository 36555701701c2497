import { type AppLoadContext, redirect } from '@remix-run/cloudflare'
import type { GoTrueClient } from '@supabase/auth-js'
import * as z from 'zod'
import type { BackendError } from '../server/backend-error'
import { brand } from '../site'
import type { Enrolment, Factor } from './factor'
import { classifyAuthError } from './messages'
import { withReturnTo } from './redirect'
import { unreachable } from './unreachable.server'
import type { Viewer } from './viewer.server'

const factorSchema = z.object({
  id: z.string(),
  factor_type: z.string(),
  status: z.string(),
  friendly_name: z.string().nullish(),
  created_at: z.string().nullish(),
})
const userSchema = z.object({ factors: z.array(factorSchema).nullish() })
type UserFactor = z.infer<typeof factorSchema>

/** The factors of a user as the auth service describes it, or null where `user` is no such thing. */
export function factorsOf(user: unknown): UserFactor[] | null {
  const parsed = userSchema.safeParse(user)
  return parsed.success ? (parsed.data.factors ?? []) : null
}

export function isVerified({ status }: UserFactor): boolean {
  return status === 'verified'
}

/** The factors that can be answered here: verified ones that show codes. */
export function usable(factors: UserFactor[]): Factor[] {
  return factors
    .filter((factor) => isVerified(factor) && factor.factor_type === 'totp')
    .map(({ id, friendly_name, created_at }) => ({
      id,
      name: friendly_name || 'Authenticator app',
      addedAt: created_at ?? null,
    }))
}

/** The member's factors, asked of the auth service: what the cookie remembers may be older. */
export async function askFactors(
  context: AppLoadContext,
  accessToken: string,
  returnTo: string,
): Promise<UserFactor[]> {
  const { data, error } = await context.auth().getUser(accessToken)
  if (error) endIfOver(context, error, returnTo)
  const factors = error ? null : factorsOf(data.user)
  if (factors) return factors
  throw unreachable(context)
}

/** Where an error says that the session is over, the member signs in again, and comes back. */
export function endIfOver(context: AppLoadContext, error: BackendError, returnTo: string): void {
  if (classifyAuthError(error).session !== 'clear') return
  context.dropSession()
  throw redirect(withReturnTo('/auth', returnTo), 303)
}

const enrolmentSchema = z.object({
  id: z.string(),
  totp: z.object({ qr_code: z.string(), secret: z.string(), uri: z.string() }),
})

/**
 * Begins to set a factor up. What was begun before and never finished goes: it would hold on to its name, and
 * counts among the few that a member may have.
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
  return { enrolment: { factorId: id, name, qr: asImage(totp.qr_code), secret: totp.secret, uri: totp.uri } }
}

/** The client library puts the drawing behind 'data:' as it is; what means something in an address is escaped. */
function asImage(qr: string): string {
  const [head = '', ...drawing] = qr.split(',')
  return `${head},${drawing.join(',').replace(/[%#]/g, encodeURIComponent)}`
}

/** Who answers a challenge with what. Without a challenge, one is asked for. */
export interface Answer {
  factorId: string
  code: string
  challengeId?: string | undefined
}

/**
 * Answers a factor's challenge; the client writes the session of the new level itself. A wrong code leaves its
 * challenge open for the next attempt, so that the service can count them. Null when answered.
 */
export async function answerChallenge(
  context: AppLoadContext,
  viewer: Pick<Viewer, 'id'>,
  { factorId, code, challengeId }: Answer,
): Promise<{ error: BackendError; challengeId: string | undefined } | null> {
  const tooOften = await context.limit('code', viewer.id)
  if (tooOften) return { error: tooOften, challengeId }
  const auth = context.auth()
  let open = challengeId
  if (!open) {
    const { data, error } = await auth.mfa.challenge({ factorId })
    if (error) return { error, challengeId: undefined }
    open = data.id
  }
  const { error } = await auth.mfa.verify({ factorId, challengeId: open, code })
  if (!error) return null
  // A worker's own address may change between two requests; the code is not spent, another challenge takes it.
  if (error.code === 'mfa_ip_address_mismatch' && challengeId)
    return answerChallenge(context, viewer, { factorId, code })
  return { error, challengeId: error.code === 'mfa_verification_failed' ? open : undefined }
}
