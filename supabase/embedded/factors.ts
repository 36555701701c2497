import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { encode } from 'uqr'
import { addMethod, bodyOf, claimsOf, issueTokens, Refusal, type User } from './assurance.ts'
import type { Database } from './database.ts'
import type { Handler } from './http.ts'

export interface FactorOptions {
  db: Database
  siteUrl: string
}

interface Caller {
  id: string
  email: string
  sessionId: string
  aal: string
}

interface Factor {
  id: string
  friendly_name: string
  status: 'unverified' | 'verified'
  secret: string
}

interface Challenge {
  verified: boolean
  expired: boolean
}

const maxFactors = 10
const challengeSeconds = 300
/** The number of 30-second steps by which the clock of the member's device may be fast or slow. */
const windowSteps = 1
const uuidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * The endpoints of the hosted service for one-time codes (TOTP) as a second factor, and its rules for a
 * change of the email address or the password. `fetch` handles all other requests.
 */
export function withFactors(fetch: Handler, options: FactorOptions): Handler {
  return async (request) => {
    const { pathname } = new URL(request.url)
    const [route, factorId, action] =
      /^\/auth\/v1\/factors(?:\/([^/]+)(?:\/(challenge|verify))?)?$/.exec(pathname) ?? []
    const what = `${request.method} ${route ? action || (factorId ? 'factor' : 'factors') : pathname}`
    const handle = handlers[what]
    if (!handle) return fetch(request)

    const caller = await callerOf(fetch, options.db, request)
    if (caller instanceof Response) return caller
    try {
      return await handle({ ...options, fetch, request, caller, factorId: factorId ?? '' })
    } catch (error) {
      if (error instanceof Refusal) return error.toResponse()
      throw error
    }
  }
}

interface Call extends FactorOptions {
  fetch: Handler
  request: Request
  caller: Caller
  factorId: string
}

const handlers: Record<string, (call: Call) => Promise<Response>> = {
  'POST factors': enroll,
  'POST challenge': challenge,
  'POST verify': verify,
  'DELETE factor': unenroll,
  'PUT /auth/v1/user': updateUser,
}

/** The member who sent the request, after lite has verified the token, or an error response. */
async function callerOf(fetch: Handler, db: Database, request: Request): Promise<Caller | Response> {
  const answer = await fetch(new Request(new URL('/auth/v1/user', request.url), { headers: request.headers }))
  if (!answer.ok) return answer
  const { id, email } = (await answer.json()) as User
  const { session_id } = claimsOf(request.headers.get('authorization') ?? '')
  const { rows } = await db.query<{ aal: string }>('select aal from auth.sessions where id = $1', [
    session_id ?? null,
  ])
  return { id, email, sessionId: session_id, aal: rows[0]?.aal ?? 'aal1' }
}

async function enroll({ request, caller, db, siteUrl }: Call): Promise<Response> {
  const { friendly_name, factor_type, issuer } = await bodyOf(request)
  if (factor_type === 'phone')
    throw new Refusal(422, 'mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone')
  if (factor_type === 'webauthn')
    throw new Refusal(422, 'mfa_webauthn_enroll_not_enabled', 'MFA enroll is disabled for WebAuthn')
  if (factor_type !== 'totp')
    throw new Refusal(400, 'validation_failed', 'factor_type needs to be totp, phone, or webauthn')

  const name = typeof friendly_name === 'string' ? friendly_name : ''
  await makeRoom(db, caller, name)
  // The hosted service fails in the same way for a wallet's account: it labels the key with the email.
  if (!caller.email) throw new Refusal(500, 'unexpected_failure', 'Error generating QR Code')

  const totp = totpOf(new Secret({ size: 20 }).base32, {
    issuer: typeof issuer === 'string' && issuer ? issuer : new URL(siteUrl).host,
    label: caller.email,
  })
  const id = randomUUID()
  await db.query(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
     values ($1, $2, $3, 'totp', 'unverified', $4, now(), now())`,
    [id, caller.id, name, totp.secret.base32],
  )
  const qr_code = drawing(totp.toString())
  return Response.json({
    id,
    type: 'totp',
    friendly_name: name,
    totp: { qr_code, secret: totp.secret.base32, uri: totp.toString() },
  })
}

/** Draws a QR code as the hosted service does: one element for each module, up to 300 kB. */
function drawing(uri: string): string {
  const { data, size } = encode(uri, { ecc: 'H', border: 4 })
  const modules = data.flatMap((row, y) =>
    row.map((dark, x) => {
      const place = `x="${3 * x}" y="${3 * y}" width="3" height="3"`
      return `<rect ${place} style="fill:${dark ? 'black' : 'white'};stroke:none" />`
    }),
  )
  return `<?xml version="1.0"?>
<svg width="${3 * size}" height="${3 * size}" xmlns="http://www.w3.org/2000/svg">
${modules.join('\n')}
</svg>`
}

/**
 * Deletes the caller's unverified factors that are older than five minutes and have no challenge. Then throws
 * a Refusal if another factor has the same name, if the member has `maxFactors` factors, or if the member has
 * a verified factor and this session has not verified one.
 */
async function makeRoom(db: Database, caller: Caller, name: string) {
  await db.query(
    `delete from auth.mfa_factors as factor
     where user_id = $1 and status = 'unverified' and created_at < now() - interval '5 minutes'
       and not exists (select from auth.mfa_challenges where factor_id = factor.id)`,
    [caller.id],
  )
  const { rows: factors } = await db.query<Factor>(
    'select friendly_name, status from auth.mfa_factors where user_id = $1',
    [caller.id],
  )
  if (factors.some((factor) => factor.friendly_name === name)) {
    const message = `A factor with the friendly name ${JSON.stringify(name)} for this user already exists`
    throw new Refusal(422, 'mfa_factor_name_conflict', message)
  }
  if (factors.length >= maxFactors) {
    const message = 'Maximum number of verified factors reached, unenroll to continue'
    throw new Refusal(422, 'too_many_enrolled_mfa_factors', message)
  }
  if (factors.some((factor) => factor.status === 'verified') && caller.aal !== 'aal2')
    throw new Refusal(403, 'insufficient_aal', 'AAL2 required to enroll a new factor')
}

async function challenge({ caller, db, factorId }: Call): Promise<Response> {
  const factor = await factorOf(db, caller, factorId)
  const id = randomUUID()
  await db.transaction(async (transaction) => {
    await transaction.query(
      `delete from auth.mfa_challenges where factor_id = $1 and created_at < now() - $2 * interval '1 second'`,
      [factor.id, challengeSeconds],
    )
    await transaction.query(
      `insert into auth.mfa_challenges (id, factor_id, created_at, ip_address) values ($1, $2, now(), '127.0.0.1')`,
      [id, factor.id],
    )
    await transaction.query('update auth.mfa_factors set last_challenged_at = now() where id = $1', [
      factor.id,
    ])
  })
  const expires_at = Math.floor(Date.now() / 1000) + challengeSeconds
  return Response.json({ id, type: 'totp', expires_at })
}

async function verify({ fetch, request, caller, db, factorId }: Call): Promise<Response> {
  const factor = await factorOf(db, caller, factorId)
  const { challenge_id, code } = await bodyOf(request)
  if (typeof code !== 'string' || !code)
    throw new Refusal(400, 'validation_failed', 'Code needs to be non-empty')
  const challengeId = await openChallenge(db, factor, challenge_id)

  if (totpOf(factor.secret).validate({ token: code, window: windowSteps }) === null)
    throw new Refusal(422, 'mfa_verification_failed', 'Invalid TOTP code entered')

  await db.transaction(async (transaction) => {
    await transaction.query('update auth.mfa_challenges set verified_at = now() where id = $1', [challengeId])
    await transaction.query(
      `update auth.mfa_factors set status = 'verified', updated_at = now() where id = $1`,
      [factor.id],
    )
    await addMethod(transaction, caller.sessionId, 'totp')
    await transaction.query(
      `update auth.sessions set aal = 'aal2', factor_id = $2, updated_at = now() where id = $1`,
      [caller.sessionId, factor.id],
    )
    // Ends the member's sessions that lack the second factor, on all devices.
    await transaction.query(`delete from auth.sessions where user_id = $1 and aal is distinct from 'aal2'`, [
      caller.id,
    ])
  })
  const response = await issueTokens(fetch, db, request, { id: caller.sessionId, userId: caller.id })
  // Unverified factors are deleted after the response, in which the hosted service still lists them.
  await db.query(
    `delete from auth.mfa_factors where user_id = $1 and factor_type = 'totp' and status = 'unverified'`,
    [caller.id],
  )
  return response
}

async function unenroll({ caller, db, factorId }: Call): Promise<Response> {
  const factor = await factorOf(db, caller, factorId)
  if (factor.status === 'verified' && caller.aal !== 'aal2')
    throw new Refusal(422, 'insufficient_aal', 'AAL2 required to unenroll verified factor')
  await deleteFactor(db, factor.id)
  return Response.json({ id: factor.id })
}

/** Deletes a factor, and resets every session that used it to aal1. */
export async function deleteFactor(db: Database, id: string): Promise<void> {
  await db.transaction(async (transaction) => {
    await transaction.query('delete from auth.mfa_factors where id = $1', [id])
    await transaction.query(
      `delete from auth.mfa_amr_claims where authentication_method = 'totp'
       and session_id in (select id from auth.sessions where factor_id = $1)`,
      [id],
    )
    await transaction.query(
      `update auth.sessions set aal = 'aal1', factor_id = null, updated_at = now() where factor_id = $1`,
      [id],
    )
  })
}

/**
 * Changing the email address or the password requires the second factor, if the member has one. Otherwise access to
 * the member's emails would be enough to take over the account.
 */
async function updateUser({ fetch, request, caller, db }: Call): Promise<Response> {
  const body = await bodyOf(request.clone() as Request).catch(() => ({}) as Record<string, unknown>)
  const { email } = body
  const changesEmail = typeof email === 'string' && email !== '' && email.toLowerCase() !== caller.email
  if (caller.aal !== 'aal2' && (body.password || changesEmail)) {
    const { rows } = await db.query(
      `select from auth.mfa_factors where user_id = $1 and status = 'verified'`,
      [caller.id],
    )
    if (rows.length > 0) {
      const message = 'AAL2 session is required to update email or password when MFA is enabled.'
      throw new Refusal(401, 'insufficient_aal', message)
    }
  }
  const response = await fetch(request)
  // A new password ends all other sessions of the member.
  if (response.ok && body.password)
    await db.query('delete from auth.sessions where user_id = $1 and id <> $2', [caller.id, caller.sessionId])
  return response
}

/** The caller's factor. Refusal (404) if the id is not a UUID, or not of a factor of the caller. */
async function factorOf(db: Database, caller: Caller, id: string): Promise<Factor> {
  if (!uuidPattern.test(id)) throw new Refusal(404, 'validation_failed', 'factor_id must be an UUID')
  const { rows } = await db.query<Factor>(
    'select id, friendly_name, status, secret from auth.mfa_factors where id = $1 and user_id = $2',
    [id, caller.id],
  )
  if (!rows[0]) throw new Refusal(404, 'mfa_factor_not_found', 'Factor not found')
  return rows[0]
}

async function openChallenge(db: Database, factor: Factor, id: unknown): Promise<string> {
  const { rows } = await db.query<Challenge>(
    `select verified_at is not null as verified,
       created_at < now() - $3 * interval '1 second' as expired
     from auth.mfa_challenges where id = $1 and factor_id = $2`,
    [typeof id === 'string' && uuidPattern.test(id) ? id : null, factor.id, challengeSeconds],
  )
  const [found] = rows
  if (!found)
    throw new Refusal(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found')
  // The hosted service's message, one for two cases: another IP address, and a used challenge.
  if (found.verified)
    throw new Refusal(422, 'mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch.')
  if (found.expired) {
    const message = `MFA challenge ${id} has expired, verify against another challenge or create a new challenge.`
    throw new Refusal(422, 'mfa_challenge_expired', message)
  }
  return String(id)
}

function totpOf(secret: string, names?: { issuer: string; label: string }): TOTP {
  return new TOTP({ ...names, secret, algorithm: 'SHA1', digits: 6, period: 30 })
}
