import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTemporary, type TemporaryBackend } from '../support/temporary-backend.ts'

let backend: TemporaryBackend
beforeAll(async () => {
  backend = await startTemporary()
})
afterAll(() => backend.close())

interface Column {
  name: string
  schema: string
  relation: string
  column: string
  type: string
  domain: string | null
  checks: string[] | null
}

/** Every column of a number or a time in the tables of the project, with its domain and the checks on it alone. */
const columns = `
select
  format('%s.%s.%s', n.nspname, c.relname, a.attname) as name,
  n.nspname as schema, c.relname as relation, a.attname as column,
  format_type(coalesce(nullif(t.typbasetype, 0), t.oid), null) as type,
  case when t.typtype = 'd' then format('%I.%I', tn.nspname, t.typname) end as domain,
  (
    select array_agg(pg_get_expr(k.conbin, k.conrelid)) from pg_constraint k
    where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
  ) as checks
from pg_attribute a
join pg_class c on c.oid = a.attrelid and c.relkind = 'r'
join pg_namespace n on n.oid = c.relnamespace and n.nspname in ('public', 'private')
join pg_type t on t.oid = a.atttypid
join pg_namespace tn on tn.oid = t.typnamespace
where a.attnum > 0 and not a.attisdropped
  and coalesce(nullif(t.typbasetype, 0), t.oid) in ('numeric'::regtype, 'timestamptz'::regtype, 'date'::regtype, 'float8'::regtype, 'float4'::regtype)
order by 1`

const unwritable: Record<string, string[]> = {
  numeric: ['NaN', 'Infinity', '-Infinity'],
  'timestamp with time zone': [
    'infinity',
    '-infinity',
    '0044-03-15 BC',
    '2014-12-31 23:59:59+00',
    '10000-01-01',
  ],
  date: ['infinity', '-infinity', '0044-03-15 BC', '2014-12-31', '10000-01-01'],
}

test('bounds every number and every time of every table', async () => {
  const found = await backend.sql<Column>(columns)
  expect(found.length).toBeGreaterThan(30)
  const accepted: string[] = []
  for (const { name, schema, relation, column, type, domain, checks } of found) {
    for (const value of unwritable[type] ?? ['a type without bounds']) {
      const query = domain
        ? `select $1::text::${domain} is null as refused`
        : `select bool_or(not (${(checks ?? ['true']).join(') or not (')})) as refused
           from (select ($1::text)::${type} as "${column}") as "${relation}"`
      const refused = await backend.sql<{ refused: boolean }>(query, [value]).then(
        ([row]) => row?.refused === true,
        () => true,
      )
      if (!refused) accepted.push(`${schema}.${relation}.${column} (${name}) takes ${value}`)
    }
  }
  expect(accepted).toEqual([])
})
