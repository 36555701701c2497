import type { EmbeddedBackend } from '../../supabase/embedded/embedded.ts'
import { withoutComments } from './sql.ts'

/** The schemas of which the migrations own objects. */
const schemas = `('public', 'private', 'auth', 'storage')`

/** The privileges on an object, which has the default privileges if it has no list of its own. */
const privileges = (list: string, kind: string, owner: string) => `(
  select string_agg(concat_ws(' ', grantee::regrole, privilege_type, is_grantable), ', ' order by grantee, privilege_type)
  from aclexplode(coalesce(${list}, acldefault('${kind}', ${owner})))
)`

/** Each query returns rows of a name and of everything that PostgreSQL knows about the object, except its number. */
const queries = [
  `select 'schema ' || nspname as name, concat_ws(' | ', nspowner::regrole, ${privileges('nspacl', 'n', 'nspowner')}, obj_description(oid) is not null) as detail
   from pg_namespace where nspname in ${schemas}`,

  `select relkind::text || ' ' || oid::regclass as name, concat_ws(' | ', relowner::regrole, relpersistence, relrowsecurity, relforcerowsecurity,
     array_to_string(reloptions, ','), ${privileges('relacl', 'r', 'relowner')}, obj_description(oid, 'pg_class') is not null,
     case when relkind in ('v', 'm') then pg_get_viewdef(oid) when relkind = 'i' then pg_get_indexdef(oid) end) as detail
   from pg_class where relnamespace::regnamespace::text in ${schemas} and relkind <> 'S' and relkind <> 't'`,

  `select 'sequence ' || oid::regclass as name, concat_ws(' | ', relowner::regrole, seqtypid::regtype, seqstart, seqincrement, seqmax, seqmin, seqcycle,
     ${privileges('relacl', 's', 'relowner')}) as detail
   from pg_class join pg_sequence on seqrelid = oid where relnamespace::regnamespace::text in ${schemas}`,

  `select 'columns ' || attrelid::regclass as name, string_agg(concat_ws(' | ', attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
     attgenerated, attcollation::regcollation, pg_get_expr(adbin, adrelid),
     (select string_agg(concat_ws(' ', grantee::regrole, privilege_type), ', ' order by grantee, privilege_type) from aclexplode(attacl)),
     col_description(attrelid, attnum) is not null), E'\\n' order by attnum) as detail
   from pg_attribute join pg_class on pg_class.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
   where attnum > 0 and not attisdropped and relnamespace::regnamespace::text in ${schemas} and relkind in ('r', 'v', 'm', 'c', 'p') group by attrelid`,

  `select 'constraint ' || conname || ' on ' || coalesce(nullif(conrelid, 0)::regclass::text, contypid::regtype::text) as name,
     concat_ws(' | ', pg_get_constraintdef(oid), convalidated, obj_description(oid, 'pg_constraint') is not null) as detail
   from pg_constraint where connamespace::regnamespace::text in ${schemas}`,

  `select 'trigger ' || tgname || ' on ' || tgrelid::regclass as name, concat_ws(' | ', pg_get_triggerdef(pg_trigger.oid), tgenabled) as detail
   from pg_trigger join pg_class on pg_class.oid = tgrelid where not tgisinternal and relnamespace::regnamespace::text in ${schemas}`,

  `select 'policy ' || polname || ' on ' || polrelid::regclass as name, concat_ws(' | ', polcmd, polpermissive,
     (select string_agg(role::regrole::text, ', ' order by role::regrole::text) from unnest(polroles) as role where role <> 0),
     pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) as detail
   from pg_policy`,

  `select 'function ' || oid::regprocedure as name, concat_ws(' | ', proowner::regrole, ${privileges('proacl', 'f', 'proowner')},
     obj_description(oid, 'pg_proc') is not null, pg_get_functiondef(oid)) as detail
   from pg_proc where pronamespace::regnamespace::text in ${schemas} and prokind in ('f', 'p')`,

  `select 'type ' || oid::regtype as name, concat_ws(' | ', typowner::regrole, typtype, nullif(typbasetype, 0)::regtype, typtypmod, typnotnull, typdefault,
     typcollation::regcollation, ${privileges('typacl', 'T', 'typowner')}, obj_description(oid, 'pg_type') is not null,
     (select string_agg(enumlabel, ', ' order by enumsortorder) from pg_enum where enumtypid = pg_type.oid)) as detail
   from pg_type where typnamespace::regnamespace::text in ${schemas} and typelem = 0`,

  `select 'default privileges ' || defaclrole::regrole || ' ' || defaclnamespace::regnamespace || ' ' || defaclobjtype::text as name, defaclacl::text as detail
   from pg_default_acl`,
]

/**
 * Returns a description of each object of a database, by its name: tables, columns in their order, constraints,
 * privileges, view definitions, functions without their comments, and so on. Two databases with equal catalogs and equal
 * rows behave equally. Of the comment on an object only the existence counts, so that its words may be improved.
 */
export async function catalogOf({ sql }: EmbeddedBackend): Promise<Record<string, string>> {
  const catalog: Record<string, string> = {}
  for (const query of queries)
    for (const { name, detail } of await sql<{ name: string; detail: string }>(query))
      catalog[name] = name.startsWith('function ') ? withoutComments(detail).replace(/\s+/g, ' ') : detail
  return catalog
}

/** Returns every row of a database, by the name of its table. */
export async function rowsOf({ sql }: EmbeddedBackend): Promise<Record<string, unknown[]>> {
  const tables = await sql<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace::regnamespace::text in ${schemas}`,
  )
  const rows: Record<string, unknown[]> = {}
  for (const { name } of tables)
    rows[name] = (
      await sql<{ row: unknown }>(`select to_jsonb(each) as row from ${name} as each order by each::text`)
    ).map(({ row }) => row)
  return rows
}
