import { PostgrestClient, type PostgrestFilterBuilder } from '@supabase/postgrest-js'
import * as z from 'zod/mini'
import { columnsOf, type RowSchema } from './columns.server.ts'
import type { Database } from './database.types.ts'
import type { Config } from './env.server.ts'
import type { Log } from './log.server.ts'

/** Maximum number of rows in one response from the data API. */
export const rowsPerCall = 1_000

/** The data API, with the types of our tables. */
export type Api = PostgrestClient<Database>

type Relations = Database['public']['Tables'] & Database['public']['Views']
type Functions = Database['public']['Functions']
type Relation = string & keyof Relations

/** A query for the columns of a schema, before its filters. */
type Query<R extends Relation = Relation> = PostgrestFilterBuilder<
  { PostgrestVersion: '12' },
  Database['public'],
  Relations[R]['Row'],
  unknown
>

/**
 * Why data was not read. `code` is the SQLSTATE or the code of PostgREST; it is empty if there is no
 * response, and 'shape' for data that the schema refuses.
 */
interface Fault {
  code: string
  message: string
}

/**
 * What a call may pass for the arguments of a function. The generated types do not say which arguments may be null, and
 * for JSON (the only type with null) accept no interface. Text may give a number with more digits than a double has.
 */
type Given<Arguments> = [Arguments] extends [never]
  ? Record<string, never>
  : { [Name in keyof Arguments]: GivenFor<Arguments[Name]> | null }
type GivenFor<Argument> = null extends Argument
  ? object
  : Argument extends number
    ? Argument | `${bigint}`
    : Argument

type Answer = PromiseLike<{ data: unknown; error: Fault | null }>

/** Reads rows and parses each with a schema. The subclass decides what a failed or refused read returns. */
export abstract class Reader<Failure> {
  readonly api: Api

  constructor(api: Api) {
    this.api = api
  }

  /** `source` is the name of the view, table or function. */
  protected abstract fail(source: string, fault: Fault): Failure

  /** At most `rowsPerCall` rows that `narrow` selects. */
  rows<R extends Relation, Row>(
    relation: R,
    schema: RowSchema<Row>,
    narrow: (query: Query<R>) => Answer = (query) => query,
  ): Promise<Row[] | Failure> {
    return this.#parse(
      relation,
      z.array(schema as z.ZodMiniType<Row>),
      narrow(this.#select(relation, schema)),
    )
  }

  /** The row of a relation that has exactly one row. */
  row<Row>(relation: Relation, schema: RowSchema<Row>): Promise<Row | Failure> {
    return this.#parse(relation, schema, this.#select(relation, schema).single())
  }

  /** A database function's result. `get`: as a GET, for one that only reads, without JSON arguments. */
  call<F extends string & keyof Functions, Value>(
    name: F,
    schema: z.ZodMiniType<Value>,
    given: Given<Functions[F]['Args']>,
    { get = false } = {},
  ): Promise<Value | Failure> {
    return this.#parse(name, schema, this.api.rpc(name, given as never, { get }))
  }

  #select<R extends Relation>(relation: R, schema: RowSchema<unknown>): Query<R> {
    const columns = columnsOf(schema).map(([key, column]) => (key === column ? key : `${key}:${column}`))
    // Cast to string, because the type check takes minutes if the compiler parses the columns.
    return this.api.from(relation as never).select(columns.join() as string) as unknown as Query<R>
  }

  async #parse<Value>(source: string, schema: z.ZodMiniType<Value>, sent: Answer): Promise<Value | Failure> {
    const { data, error } = await sent
    if (error) return this.fail(source, error)
    const parsed = schema.safeParse(data)
    if (parsed.success) return parsed.data
    // Report only the paths, because a message may contain the value.
    const paths = parsed.error.issues.map(({ path }) => path.join('.'))
    return this.fail(source, {
      code: 'shape',
      message: `unexpected ${paths.slice(0, 5).join(' ') || 'data'}`,
    })
  }
}

/**
 * Why a database function that changes something did nothing. `code` is the short code that the function
 * raised as its message, with its `detail`; 'unknown' for a fault of the backend, which is logged.
 */
export interface CommandRefused {
  code: string
  detail: unknown
  /** The status of the response. */
  status: number
}

/**
 * The data API for the pages of one request. A failed read is logged, and its result is null: a page shows an
 * unavailable figure as unavailable, never as zero.
 */
export class Data extends Reader<null> {
  readonly log: Log

  constructor(api: Api, log: Log) {
    super(api)
    this.log = log
  }

  protected override fail(source: string, { code }: Fault): null {
    this.log.error(`${source}.not-loaded`, { code })
    return null
  }

  /** Calls a database function that changes something. Returns its value, or why it did nothing. */
  async command<F extends string & keyof Functions, Value>(
    name: F,
    schema: z.ZodMiniType<Value>,
    given: Given<Functions[F]['Args']>,
  ): Promise<{ value: Value } | CommandRefused> {
    const { data, error, status } = await this.api.rpc(name, given as never)
    const parsed = error ? null : schema.safeParse(data)
    if (parsed?.success) return { value: parsed.data }
    if (error && status < 500 && /^[a-z_]{3,30}$/.test(error.message))
      return { code: error.message, detail: parsedJson(error.details), status }
    this.log.error(`${name.replaceAll('_', '-')}.failed`, { code: error?.code ?? 'shape', status })
    return { code: 'unknown', detail: {}, status }
  }

  /** For a figure that a page does not need: a failed read only warns, so the page is stored without it. */
  optional(): Data {
    return new OptionalData(this.api, this.log)
  }
}

function parsedJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text)) as unknown
  } catch {
    return {}
  }
}

class OptionalData extends Data {
  protected override fail(source: string, { code }: Fault): null {
    this.log.warn(`${source}.not-loaded`, { code })
    return null
  }
}

/**
 * The data API with a member's token. `accessToken` returns the token, or undefined for the publishable key
 * alone. Each call to the API calls `accessToken`, so that the session is read only if it is needed.
 */
export function createData(
  { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY: publicKey }: Config,
  backendFetch: typeof fetch,
  log: Log,
  accessToken: () => Promise<string | undefined> | undefined,
): Data {
  const api = createApi(SUPABASE_URL, publicKey, async (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('Authorization', `Bearer ${(await accessToken()) ?? publicKey}`)
    return backendFetch(input, { ...init, headers })
  })
  return new Data(api, log)
}

/** A client of the data API, without its own retries: backend.server.ts repeats reads. */
export function createApi(url: string, apikey: string, backendFetch: typeof fetch): Api {
  return new PostgrestClient<Database>(`${url}/rest/v1`, {
    headers: { apikey, Authorization: `Bearer ${apikey}` },
    fetch: backendFetch,
    retry: false,
  })
}
