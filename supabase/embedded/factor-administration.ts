import { Refusal } from './assurance.ts'
import type { Database } from './database.ts'
import { deleteFactor } from './factors.ts'
import type { Handler } from './http.ts'

const uuidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * The endpoints of the hosted service with which an operator lists and deletes the factors of a member.
 * `fetch` handles all other requests. The endpoints require the secret key. As with the hosted service,
 * deleting a factor ends no session: the sessions that used the factor drop to aal1.
 */
export function withFactorAdministration(
  fetch: Handler,
  { db, secretKey }: { db: Database; secretKey: string },
): Handler {
  return async (request) => {
    const { pathname } = new URL(request.url)
    const [route, userId = '', factorId] =
      /^\/auth\/v1\/admin\/users\/([^/]+)\/factors(?:\/([^/]+))?$/.exec(pathname) ?? []
    const isOurs = route && request.method === (factorId ? 'DELETE' : 'GET')
    if (!isOurs) return fetch(request)
    try {
      requireKey(request, secretKey)
      await requireUser(db, userId)
      const factors = await listFactors(db, userId)
      if (!factorId) return Response.json(factors)
      const factor = factors.find(({ id }) => id === factorId)
      if (!factor) throw new Refusal(404, 'mfa_factor_not_found', 'Factor not found')
      await deleteFactor(db, factorId)
      return Response.json(factor)
    } catch (error) {
      if (error instanceof Refusal) return error.toResponse()
      throw error
    }
  }
}

function requireKey({ headers }: Request, secretKey: string): void {
  const bearer = headers.get('authorization')?.replace(/^Bearer /, '')
  if (!bearer) throw new Refusal(401, 'no_authorization', 'This endpoint requires a valid Bearer token')
  if (bearer !== secretKey || headers.get('apikey') !== secretKey)
    throw new Refusal(403, 'not_admin', 'User not allowed')
}

async function requireUser(db: Database, id: string): Promise<void> {
  if (!uuidPattern.test(id)) throw new Refusal(404, 'validation_failed', 'user_id must be an UUID')
  const { rows } = await db.query('select from auth.users where id = $1', [id])
  if (rows.length === 0) throw new Refusal(404, 'user_not_found', 'User not found')
}

async function listFactors(db: Database, userId: string) {
  const { rows } = await db.query<{ id: string }>(
    `select id, created_at, updated_at, status, friendly_name, factor_type, last_challenged_at
     from auth.mfa_factors where user_id = $1 order by created_at`,
    [userId],
  )
  return rows
}
