import type { Queries } from './database.ts'
import type { Handler } from './http.ts'

type Row = Record<string, unknown>

/** The columns of a table, and the arguments of a function, whose type is JSON. */
const ofTable = `
select attname as name from pg_attribute
where attrelid = to_regclass(format('public.%I', $1::text)) and atttypid in ('json'::regtype, 'jsonb'::regtype)`
const ofFunction = `
select argument.name from pg_proc cross join unnest(proargnames, proargtypes::oid[]) as argument (name, type)
where pronamespace = 'public'::regnamespace and proname = $1 and type in ('json'::regtype, 'jsonb'::regtype)`

/**
 * Writes a text that a request gives for JSON as a JSON text, as PostgREST does. Otherwise the database would read the
 * text as JSON, and a program that encodes JSON twice would work here and fail on a hosted project.
 */
export function withJsonTexts(fetch: Handler, db: Queries): Handler {
  return async (request) => {
    const [, isFunction, name] = /^\/rest\/v1\/(rpc\/)?(\w+)$/.exec(new URL(request.url).pathname) ?? []
    if (!name || !['POST', 'PATCH', 'PUT'].includes(request.method)) return fetch(request)
    const body = parse(await request.clone().text())
    const given = [body].flat()
    if (!given.every(isRow) || !given.some((row) => Object.values(row).some(isEncoded))) return fetch(request)
    const { rows } = await db.query<{ name: string }>(isFunction ? ofFunction : ofTable, [name])
    const json = new Set(rows.map((row) => row.name))
    // lite itself decodes the text of a column once.
    const encoding = (value: unknown) => JSON.stringify(isFunction ? value : JSON.stringify(value))
    const encode = (row: Row) =>
      Object.fromEntries(
        Object.entries(row).map(([key, value]) => [
          key,
          json.has(key) && isEncoded(value) ? encoding(value) : value,
        ]),
      )
    const encoded = given.map(encode)
    const [first] = encoded
    return fetch(new Request(request, { body: JSON.stringify(Array.isArray(body) ? encoded : first) }))
  }
}

const isEncoded = (value: unknown) => typeof value === 'string' && /^\s*[[{"]/.test(value)

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
