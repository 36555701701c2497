import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTemporary, type TemporaryBackend } from '../support/temporary-backend.ts'

let backend: TemporaryBackend
beforeAll(async () => {
  backend = await startTemporary()
})
afterAll(() => backend.close())

/** The reports of plpgsql_check on our functions; of a trigger function for each of its triggers. */
const warnings = `
select checked.functionid::text as function, checked.lineno as line, checked.level, checked.message
from pg_proc
join pg_namespace on pg_namespace.oid = pg_proc.pronamespace and nspname in ('public', 'private')
join pg_language on pg_language.oid = pg_proc.prolang and lanname = 'plpgsql'
left join pg_trigger on pg_trigger.tgfoid = pg_proc.oid and prorettype = 'trigger'::regtype
cross join lateral plpgsql_check_function_tb(
  pg_proc.oid, coalesce(tgrelid, 0),
  oldtable => tgoldtable, newtable => tgnewtable
) as checked
where checked.level <> 'notice'`

test('plpgsql_check (`supabase db lint`) finds no error and no warning in any function', async (context) => {
  const [available] = await backend.sql(`select from pg_available_extensions where name = 'plpgsql_check'`)
  context.skip(!available, 'plpgsql_check is not installed (apt-get install postgresql-15-plpgsql-check)')
  await backend.sql('create extension plpgsql_check')
  expect(await backend.sql(warnings)).toEqual([])
})

test('a function that disables sequential scans also disables JIT, because otherwise its high estimated cost would trigger JIT', async () => {
  const functions = await backend.sql<{ name: string; settings: string[] }>(
    `select pg_proc.oid::regprocedure::text as name, proconfig as settings from pg_proc
     where pronamespace in ('public'::regnamespace, 'private'::regnamespace) and 'enable_seqscan=off' = any (proconfig)`,
  )
  expect(functions.length).toBeGreaterThan(5)
  expect(functions.filter(({ settings }) => !settings.includes('jit=off'))).toEqual([])
})
