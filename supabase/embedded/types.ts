import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
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
  _int8: 'number[]',
  numeric: 'number',
  text: 'string',
  timestamptz: 'string',
  date: 'string',
  _int2: 'number[]',
  _text: 'string[]',
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

const file = resolve(supabaseDir, '../app/platform/server/database.types.ts')

/** The types that `supabase gen types typescript` writes, from the migrations in memory. */
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
  for (const [name, members] of byName(columns, ({ relation }) => relation)) {
    const row = fieldsIn(members.map((column) => `${column.name}: ${typeOf(column)}`))
    const names = (chosen: (column: Column) => boolean) =>
      members
        .filter(chosen)
        .map((column) => `'${column.name}'`)
        .join(' | ') || 'never'
    if (members[0]?.is_view) views.push(`${name}: View<${row}>`)
    else
      tables.push(
        `${name}: Table<${row}, ${names(({ optional, generated }) => optional && !generated)}, ${names(({ generated }) => generated)}>`,
      )
  }
  const functions = byName(parameters, (parameter) => parameter.function).map(
    ([name, fields]) => `${name}: Call<${argsOf(fields)}, ${written(fields[0]?.returns ?? '', name)}>`,
  )
  const lines = (parts: string[]) => parts.map((part) => `      ${part}\n`).join('')
  const newest = readdirSync(resolve(supabaseDir, 'migrations')).sort().at(-1)?.slice(0, 14)
  return `// Written by supabase/embedded/types.ts from the migrations. Do not edit.

/** The version of the newest migration. */
export const schemaVersion = '${newest}'

type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

type View<Row> = { Row: Row; Relationships: [] }

/** \`Optional\`: columns that may be left out of a new row. \`Generated\`: columns that nothing may write. */
type Table<Row, Optional extends keyof Row, Generated extends keyof Row> = {
  Row: Row
  Insert: Omit<Row, Optional | Generated> & Partial<Pick<Row, Optional>> & { [_ in Generated]?: never }
  Update: Partial<Omit<Row, Generated>> & { [_ in Generated]?: never }
  Relationships: []
}

type Call<Args, Returns> = { Args: Args; Returns: Returns }

export type Database = {
  public: {
    Tables: {
${lines(tables)}    }
    Views: {
${lines(views)}    }
    Functions: {
${lines(functions)}    }
    Enums: { [_ in never]: never }
    CompositeTypes: { [_ in never]: never }
  }
}
`
}

/** The items by their names, in the order of the first item of each name. */
function byName<Item>(items: Item[], nameOf: (item: Item) => string): [string, Item[]][] {
  const names = new Set(items.map(nameOf))
  return [...names].map((name) => [name, items.filter((item) => nameOf(item) === name)])
}

/** An object type, with as many fields as fit into each line. */
function fieldsIn(fields: string[]): string {
  const lines: string[] = []
  for (const field of fields) {
    const longer = `${lines.at(-1)}; ${field}`
    if (lines.length > 0 && longer.length < 100) lines[lines.length - 1] = longer
    else lines.push(field)
  }
  return lines.length > 1 ? `{\n        ${lines.join('\n        ')}\n      }` : `{ ${lines.join()} }`
}

function argsOf(parameters: Parameter[]): string {
  // For a function without parameters, `parametersQuery` returns one row without a name.
  const fields = parameters.flatMap(({ name, type, optional }) =>
    name ? [`${name}${optional ? '?' : ''}: ${written(type, name)}`] : [],
  )
  return fields.length > 0 ? fieldsIn(fields) : 'never'
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

if (import.meta.main) {
  const types = await generateTypes()
  if (!process.argv.includes('--check')) writeFileSync(file, types)
  else if (types !== readFileSync(file, 'utf8')) {
    console.error('app/platform/server/database.types.ts is stale: run npm run types')
    process.exit(1)
  }
}
