import { claimsOf } from './assurance.ts'
import type { Queries } from './database.ts'
import type { Handler } from './http.ts'

/** The parameters of a request that are no condition on the rows. */
const noFilters = ['select', 'columns', 'order', 'limit', 'offset', 'on_conflict', 'apikey']
/** Whether a parameter is a condition on the rows. A name with a dot other than that of 'not.' belongs to an embedded table. */
const isFilter = (name: string) => !noFilters.includes(name) && !name.replace(/^not\./, '').includes('.')

/**
 * Refuses the writes of rows that a hosted project refuses and lite does not. A PATCH or DELETE without a filter
 * (safeupdate). And a column whose type is in a schema that the caller may not use, because PostgREST names the types
 * of the columns with the caller's role.
 */
export function withRefusedWrites(
  fetch: Handler,
  { db, secretKey }: { db: Queries; secretKey: string },
): Handler {
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    const [, relation] = /^\/rest\/v1\/(\w+)$/.exec(pathname) ?? []
    if (!relation || !['POST', 'PATCH', 'PUT', 'DELETE'].includes(request.method)) return fetch(request)
    const columns = searchParams.get('columns')?.split(',') ?? columnsOf(await request.clone().text())
    const refusal =
      (await unnamedType(db, relation, columns, roleOf(request, secretKey))) ??
      unbounded(request.method, columns, searchParams)
    if (!refusal) return fetch(request)
    return (await otherError(fetch, request)) ?? refusal
  }
}

/** The names of the columns in a body; none if it is not JSON. */
function columnsOf(body: string): string[] {
  try {
    return [JSON.parse(body)].flat().flatMap((row) => Object.keys(row ?? {}))
  } catch {
    return []
  }
}

/** The role of the caller, whose token is not verified yet. */
function roleOf({ headers }: Request, secretKey: string): string {
  const apikey = headers.get('apikey')
  const token = headers.get('authorization')?.replace(/^Bearer /i, '') ?? apikey ?? ''
  if (!token.includes('.')) return token === secretKey ? 'service_role' : 'anon'
  try {
    return `${claimsOf(token).role}`
  } catch {
    return 'anon'
  }
}

async function unnamedType(
  db: Queries,
  relation: string,
  columns: string[],
  role: string,
): Promise<Response | null> {
  const { rows } = await db.query<{ schema: string }>(
    `select nspname as schema
     from pg_attribute join pg_type on pg_type.oid = atttypid join pg_namespace on pg_namespace.oid = typnamespace
     join pg_roles on rolname = $3
     where attrelid = to_regclass(format('public.%I', $1::text)) and attname = any ($2::text[])
       and not has_schema_privilege(pg_roles.oid, pg_namespace.oid, 'usage')`,
    [relation, columns, role],
  )
  if (!rows[0]) return null
  return errorResponse(role === 'anon' ? 401 : 403, '42501', `permission denied for schema ${rows[0].schema}`)
}

function unbounded(method: string, columns: string[], parameters: URLSearchParams): Response | null {
  const statement = { PATCH: 'UPDATE', DELETE: 'DELETE' }[method]
  // Without a value for any column, PostgREST runs no UPDATE.
  if (!statement || (statement === 'UPDATE' && columns.length === 0)) return null
  if ([...parameters.keys()].some(isFilter)) return null
  return errorResponse(400, '21000', `${statement} requires a WHERE clause`)
}

function errorResponse(status: number, code: string, message: string): Response {
  return Response.json({ code, message, details: null, hint: null }, { status })
}

/** An invalid token and an unknown table have their own errors: asks lite for no rows of the table. */
async function otherError(fetch: Handler, request: Request): Promise<Response | null> {
  const headers = new Headers(request.headers)
  for (const name of ['accept', 'prefer', 'content-length']) headers.delete(name)
  const read = await fetch(new Request(new URL('?limit=0', request.url), { headers }))
  const code = read.ok ? null : ((await read.clone().json()) as { code?: string }).code
  return read.status >= 500 || code?.startsWith('PGRST') ? read : null
}
