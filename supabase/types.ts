import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { App } from '@supabase/lite'
import { migrate, openDatabase } from './database.ts'
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

const TYPES: Record<string, string> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  numeric: 'number',
  text: 'string',
  timestamptz: 'string',
  uuid: 'string',
}

const COLUMNS = `
select
  c.relname as relation,
  c.relkind = 'v' as is_view,
  a.attname as name,
  t.typname as type,
  not a.attnotnull as nullable,
  not a.attnotnull or a.atthasdef or a.attidentity <> '' as optional,
  a.attidentity = 'a' or a.attgenerated <> '' as generated
from pg_attribute a
join pg_class c on c.oid = a.attrelid
join pg_type t on t.oid = a.atttypid
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') and a.attnum > 0 and not a.attisdropped
order by c.relname, a.attname`

const file = resolve(supabaseDir, '../app/database.types.ts')

/** What `supabase gen types typescript` publishes, from the migrations applied to a database in memory. */
export async function generateTypes(): Promise<string> {
  const connection = await openDatabase()
  try {
    await migrate(new App({ connection, auth: { enabled: true, jwt_secret: 'types only' } }), connection)
    return render((await connection.driver.query<Column>(COLUMNS)).rows)
  } finally {
    await connection.close()
  }
}

function render(columns: Column[]): string {
  const tables: string[] = []
  const views: string[] = []
  for (const name of new Set(columns.map((column) => column.relation))) {
    const members = columns.filter((column) => column.relation === name)
    const Row = members.map(rowField)
    if (members[0]?.is_view) views.push(relation(name, { Row }))
    else
      tables.push(relation(name, { Row, Insert: members.map(insertField), Update: members.map(updateField) }))
  }
  return `// Written by supabase/types.ts from the migrations. Do not edit.

export type Database = {
  public: {
    Tables: {
${tables.join('')}    }
    Views: {
${views.join('')}    }
    Functions: { [_ in never]: never }
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

function typeOf({ relation, name, type, nullable }: Column): string {
  const written = TYPES[type]
  if (!written) throw new Error(`No TypeScript type is known for ${relation}.${name}, a ${type}`)
  return nullable ? `${written} | null` : written
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
    console.error('app/database.types.ts is stale: run node supabase/types.ts')
    process.exit(1)
  }
}
