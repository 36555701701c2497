import { afterAll, expect, test } from 'vitest'
import { toCents } from '../../app/platform/money.ts'
import { clientOf, startTemporary, transaction } from '../support/temporary-backend.ts'

const backend = await startTemporary()
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

/**
 * Every column with a time or a number, except integer, smallint, generated ids and references, with its
 * domain and the checks that concern this column alone.
 */
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
  and coalesce(nullif(t.typbasetype, 0), t.oid) in (
    'numeric'::regtype, 'timestamptz'::regtype, 'date'::regtype, 'float8'::regtype, 'float4'::regtype, 'int8'::regtype
  )
  -- A generated id counts from 1, and a reference holds such an id.
  and a.attidentity = '' and not exists (
    select from pg_constraint k where k.conrelid = c.oid and k.contype = 'f' and k.conkey = array[a.attnum]
  )
order by 1`

const unwritable: Record<string, string[]> = {
  numeric: ['NaN', 'Infinity', '-Infinity', '-1e78', '1e78'],
  // JavaScript reads integers in JSON exactly only if they are below 2^53.
  bigint: ['9007199254740992', '-9007199254740992'],
  'timestamp with time zone': [
    'infinity',
    '-infinity',
    '0044-03-15 BC',
    '2014-12-31 23:59:59+00',
    '10000-01-01',
  ],
  date: ['infinity', '-infinity', '0044-03-15 BC', '2014-12-31', '10000-01-01'],
}

/** The sum of many transfers of 2^256 - 1 base units may be larger than the largest single transfer. */
const unwritableInDomain: Record<string, string[]> = {
  'private.base_units_sum': ['NaN', 'Infinity', '-Infinity', '-1e90', '1e90'],
}

test('every number and every time in every table has bounds', async () => {
  const found = await backend.sql<Column>(columns)
  expect(found.length).toBeGreaterThan(30)
  const accepted: string[] = []
  for (const { name, schema, relation, column, type, domain, checks } of found) {
    const values = (domain && unwritableInDomain[domain]) || unwritable[type] || ['a type without bounds']
    for (const value of values) {
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

const mostDollars = '9999999999.99'

test('refuses amounts below 0 and amounts of 10^10 dollars or more, and the totals stay readable', async () => {
  const service = clientOf(backend, backend.secretKey)
  for (const amount_usd of ['999999999999999999.99', '10000000000', '-0.01']) {
    const { error } = await service.rpc('append_ledger', { entries: [transaction({ amount_usd })] as never })
    expect(error?.message, amount_usd).toMatch(/dollars_range|numeric field overflow/)
  }
  expect((await clientOf(backend).from('ledger_totals').select().single()).error).toBeNull()
})

test('refuses a row that would raise a sum above the largest integer that a reader represents exactly', async () => {
  // 7,000 rows of the largest amount sum to 70 trillion dollars minus 70, in any mix of states.
  const rows = (many: number) =>
    Array.from({ length: many }, (_, index) =>
      index % 2
        ? transaction({ amount_usd: mostDollars, direction: 'in', type: 'tax' })
        : transaction({ amount_usd: mostDollars, direction: 'out', type: 'cost' }),
    )
  const service = clientOf(backend, backend.secretKey)
  const append = (many: number) => service.rpc('append_ledger', { entries: rows(many) as never })
  expect((await append(7000)).error).toBeNull()
  expect((await append(1)).error?.message).toContain('dollar_sum_range')
  await backend.sql(
    `insert into transaction_checks (transaction_id, status, block_number, block_hash, block_time, confirmations)
     select id, 'verified', 1, $1, now(), 1 from transactions where direction = 'in'`,
    [`0x${'b'.repeat(64)}`],
  )
  const { data } = await clientOf(backend).from('ledger_totals').select('treasury_usd, tax_usd').single()
  // Large sums are exact to the cent, even as numbers in JSON.
  expect(toCents(JSON.parse(String(data?.tax_usd)))).toBe(3_499_999_999_996_500)
  expect(toCents(JSON.parse(String(data?.treasury_usd)))).toBe(3_499_999_999_996_500)
})
