/**
 * Compares the data API that lite serves with PostgREST: each request to a backend of the tests is also sent to PostgREST,
 * which has the same database. PostgREST rolls each write back before lite does it.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from '../../scripts/build.ts'
import type { EmbeddedBackend } from '../../supabase/embedded/embedded.ts'
import { listen } from '../../supabase/embedded/http.ts'
import { loadKeys } from '../../supabase/embedded/keys.ts'
import { forward, startPostgrest } from '../support/hosted-services.ts'
import { run } from '../support/process.ts'
import { makeSigningKeys } from '../support/signing-keys.ts'
import { results } from '../support/tally.ts'

const answersFile = resolve(`${results}/answers.ndjson`)

/** The headers that the worker and supabase-js read. */
const headersRead = ['content-type', 'content-range', 'retry-after', 'allow', 'location']
/** A read is repeated this often if the answers differ, because another request may have written between the two. */
const attempts = 3

interface Answer {
  status: number
  headers: (string | null)[]
  body: unknown
}

interface Compared {
  file: string
  request: string
  isEqual: boolean
  lite?: Answer
  postgrest?: Answer
}

/** Puts the comparison in front of a backend. ANSWERS_FILE gets a line for each request. */
export async function withComparison(
  backend: EmbeddedBackend,
  { databaseUrl, dataDir }: { databaseUrl: string; dataDir: string },
): Promise<EmbeddedBackend> {
  const { ANSWERS_POSTGREST = '', ANSWERS_FILE = '', TEST_FILE = '' } = process.env
  const { jwtSecret, publishableKey, secretKey } = await loadKeys(dataDir)
  const keys = makeSigningKeys(jwtSecret)
  const postgrest = await startPostgrest(
    ANSWERS_POSTGREST,
    { databaseUrl, keys },
    // The roles of a hosted project that log in are not in this database.
    {
      PGRST_DB_URI: databaseUrl,
      PGRST_DB_TX_END: 'commit-allow-override',
      PGRST_DB_EXTRA_SEARCH_PATH: 'public',
    },
  )
  // As a hosted project has it: PostgREST gives all claims as one value.
  await backend.sql(`create or replace function auth.uid() returns uuid language sql stable as $$
    select coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''),
      nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid $$`)
  const roles = new Map([
    [publishableKey, 'anon'],
    [secretKey, 'service_role'],
  ] as const)

  const ask = async (
    address: string,
    request: { method: string; body: ArrayBuffer | null },
    headers: Headers,
  ): Promise<[Answer, Response]> => {
    const response = await forward(address, request, headers)
    const text = await response.clone().text()
    const read = headersRead.map((name) => response.headers.get(name))
    return [{ status: response.status, headers: read, body: parsed(text) }, response]
  }
  let lastWrite: Promise<unknown> = Promise.resolve()
  const proxy = await listen(0, 'SUPABASE_PORT', async (request) => {
    const { pathname, search } = new URL(request.url)
    const { method } = request
    const sent = { method, body: request.body ? await request.arrayBuffer() : null }
    const headers = new Headers(request.headers)
    for (const name of ['host', 'connection', 'accept-encoding']) headers.delete(name)
    const lite = () => ask(backend.url + pathname + search, sent, headers)
    if (!pathname.startsWith('/rest/v1/')) return (await lite())[1]

    const theirs = new Headers(headers)
    const key = headers.get('apikey') ?? ''
    const bearer = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? key
    const role = roles.get(bearer)
    if (bearer) theirs.set('authorization', `Bearer ${role ? keys.tokenOf(role) : bearer}`)
    theirs.delete('apikey')
    const isRead = method === 'GET' || method === 'HEAD'
    if (!isRead) theirs.append('prefer', 'tx=rollback')
    const address = postgrest.url + pathname.slice('/rest/v1'.length) + search
    // The gateway of a project refuses a request with an unknown key.
    if (!roles.has(key)) return (await lite())[1]
    const answer = async (attempt = 1): Promise<Response> => {
      const [fromPostgrest] = await ask(address, sent, theirs)
      const [fromLite, response] = await lite()
      const [one, other] = [fromLite, fromPostgrest].map((answer) => wordsOf(answer, isRead))
      if (one !== other && isRead && attempt < attempts) return answer(attempt + 1)
      const line: Compared = {
        file: TEST_FILE,
        request: `${method} ${pathname}${search} ${role ?? 'member'}`,
        isEqual: one === other,
        ...(one !== other && { lite: fromLite, postgrest: fromPostgrest }),
      }
      appendFileSync(ANSWERS_FILE, `${JSON.stringify(line)}\n`)
      return response
    }
    if (isRead) return answer()
    // A write that lite does between the two answers to another would change the second.
    const turn = lastWrite.then(() => answer())
    lastWrite = turn.catch(() => undefined)
    return turn
  })
  const close = async () => {
    await proxy.close()
    await postgrest.close()
    await backend.close()
  }
  return { ...backend, url: proxy.url, close }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * An answer as one text, with the keys of objects in one order. A write that was rolled back used up numbers, was at another
 * time, and drew other tokens. The type of an empty body says nothing.
 */
function wordsOf({ status, headers: [type, ...headers], body }: Answer, isRead: boolean): string {
  const text = JSON.stringify([status, body !== '' && type, headers, sorted(body)])
  return isRead
    ? text
    : text.replace(/\d{4}-\d\d-\d\dT[\d:.]+(\+00:00|Z)|[0-9a-f]{64}|(?<=goal-)[a-z]{8}|\d+/g, '#')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, one]): [string, unknown] => [key, sorted(one)])
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )
}

/**
 * Runs test files, by default those of the worker, and compares each answer. Prints how many requests were compared, and
 * one example of each kind of difference. Returns true if no answer differs.
 */
export async function compareAnswers(files: string[]): Promise<boolean> {
  const program = process.env.POSTGREST_BIN
  if (!program) throw new Error('POSTGREST_BIN is not set: tests/real/README.md says where to get it')
  await build()
  writeFileSync(answersFile, '')
  const chosen = files.length > 0 ? files : ['tests/worker/']
  await run(['vitest', 'run', '--project', 'suites', ...chosen], {
    env: { POSTGREST_BIN: '', ANSWERS_POSTGREST: program, ANSWERS_FILE: answersFile },
  })
  const compared = readFileSync(answersFile, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Compared)
  const count = (kind: RegExp) => compared.filter(({ request }) => kind.test(request)).length
  const different = compared.filter(({ isEqual }) => !isEqual)
  console.log(
    `${count(/^(GET|HEAD) /)} reads and ${count(/^(?!GET |HEAD )/)} writes compared, ${different.length} differ`,
  )
  const kinds = new Map(different.map((one) => [one.request.replace(/\?.*(?= )/, ''), one]))
  for (const one of kinds.values()) console.log(JSON.stringify(one, null, 1))
  return compared.length > 0 && different.length === 0
}
