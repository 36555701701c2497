import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { App } from '@supabase/lite'
import { migrate } from './database.ts'
import { openFileStore } from './file-store.ts'
import { openPglite } from './pglite.ts'
import { supabaseDir } from './settings.ts'

interface Column {
  relation: string
  is_view: boolean
  name: string
  type: string
  nullable: boolean
  optional: boolean
  generated: boolean
}

const typeNames: Record<string, string> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  numeric: 'number',
  text: 'string',
  timestamptz: 'string',
  date: 'string',
  _int2: 'number[]',
  jsonb: 'Json',
  uuid: 'string',
  void: 'undefined',
}

const columnsQuery = `
select
  c.relname as relation,
  c.relkind = 'v' as is_view,
  a.attname as name,
  coalesce(base.typname, t.typname) as type,
  not a.attnotnull as nullable,
  not a.attnotnull or a.atthasdef or a.attidentity <> '' as optional,
  a.attidentity = 'a' or a.attgenerated <> '' as generated
from pg_attribute a
join pg_class c on c.oid = a.attrelid
join pg_type t on t.oid = a.atttypid
left join pg_type base on base.oid = t.typbasetype
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') and a.attnum > 0 and not a.attisdropped
order by c.relname, a.attname`

interface Parameter {
  function: string
  name: string
  type: string
  optional: boolean
  returns: string
}

const parametersQuery = `
select
  p.proname as function,
  p.proargnames[i] as name,
  t.typname as type,
  i > p.pronargs - p.pronargdefaults as optional,
  r.typname as returns
from pg_proc p
join pg_type r on r.oid = p.prorettype
left join lateral generate_series(1, p.pronargs) i on true
left join pg_type t on t.oid = p.proargtypes[i - 1]
where p.pronamespace = 'public'::regnamespace
order by p.proname, p.proargnames[i]`

const file = resolve(supabaseDir, '../app/server/database.types.ts')

/**
 * Returns the types that `supabase gen types typescript` writes, made from the migrations in an in-memory
 * database.
 */
export async function generateTypes(): Promise<string> {
  const database = await openPglite()
  const { connection } = database
  try {
    const auth = { enabled: true, jwt_secret: 'types only' }
    const app = new App({ connection, auth, storage: { enabled: true } })
    app._storageAdapter = openFileStore('', database)
    await migrate(app, database)
    const columns = await database.query<Column>(columnsQuery)
    const parameters = await database.query<Parameter>(parametersQuery)
    return render(columns.rows, parameters.rows)
  } finally {
    await database.close()
  }
}

function render(columns: Column[], parameters: Parameter[]): string {
  const tables: string[] = []
  const views: string[] = []
  for (const name of new Set(columns.map((column) => column.relation))) {
    const members = columns.filter((column) => column.relation === name)
    const Row = members.map(rowField)
    if (members[0]?.is_view) views.push(relation(name, { Row }))
    else
      tables.push(relation(name, { Row, Insert: members.map(insertField), Update: members.map(updateField) }))
  }
  const functions = [...new Set(parameters.map((parameter) => parameter.function))].map((name) =>
    callable(
      name,
      parameters.filter((parameter) => parameter.function === name),
    ),
  )
  return `// Written by supabase/embedded/types.ts from the migrations. Do not edit.

type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  public: {
    Tables: {
${tables.join('')}    }
    Views: {
${views.join('')}    }
    Functions: {
${functions.join('')}    }
    Enums: { [_ in never]: never }
    CompositeTypes: { [_ in never]: never }
  }
}
`
}

function relation(name: string, shapes: Record<string, string[]>): string {
  const parts = Object.entries(shapes).map(
    ([shape, fields]) =>
      `        ${shape}: {\n${fields.map((field) => `          ${field}\n`).join('')}        }\n`,
  )
  return `      ${name}: {\n${parts.join('')}        Relationships: []\n      }\n`
}

function callable(name: string, parameters: Parameter[]): string {
  // For a function without parameters, `parametersQuery` returns one row without a name.
  const fields = parameters.flatMap(({ name, type, optional }) =>
    name ? `          ${name}${optional ? '?' : ''}: ${written(type, name)}\n` : [],
  )
  const args = fields.length ? `{\n${fields.join('')}        }` : 'never'
  return `      ${name}: {\n        Args: ${args}\n        Returns: ${written(parameters[0]?.returns ?? '', name)}\n      }\n`
}

function typeOf({ relation, name, type, nullable }: Column): string {
  const known = written(type, `${relation}.${name}`)
  return nullable ? `${known} | null` : known
}

function written(type: string, place: string): string {
  const known = typeNames[type]
  if (!known) throw new Error(`No TypeScript type is known for ${place}, a ${type}`)
  return known
}

function rowField(column: Column): string {
  return `${column.name}: ${typeOf(column)}`
}

function insertField(column: Column): string {
  if (column.generated) return `${column.name}?: never`
  return `${column.name}${column.optional ? '?' : ''}: ${typeOf(column)}`
}

function updateField(column: Column): string {
  return `${column.name}?: ${column.generated ? 'never' : typeOf(column)}`
}

if (import.meta.main) {
  const types = await generateTypes()
  if (!process.argv.includes('--check')) writeFileSync(file, types)
  else if (types !== readFileSync(file, 'utf8')) {
    console.error('app/server/database.types.ts is stale: run npm run types')
    process.exit(1)
  }
}
