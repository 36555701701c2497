import { expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { newLog } from '../../../tests/support/log.ts'
import { integerColumn, objectsColumn } from './columns.server.ts'
import { createData } from './data.server.ts'
import type { Config } from './env.server.ts'

const config = { SUPABASE_URL: 'https://project.example', SUPABASE_PUBLISHABLE_KEY: 'public' } as Config
const row = z.pipe(
  z.object({ id: integerColumn, logIndex: integerColumn }),
  z.transform((columns) => ({ ...columns, next: columns.logIndex + 1 })),
)

function setUp(answer: unknown, status = 200, token?: string) {
  const backend = vi.fn((..._: Parameters<typeof fetch>) =>
    Promise.resolve(Response.json(answer, { status, headers: { 'Retry-After': '0' } })),
  )
  const log = newLog()
  const data = createData(config, backend, log, () =>
    token === undefined ? undefined : Promise.resolve(token),
  )
  return { backend, log, data }
}

test('a query selects the columns that the schema declares, and returns them with the names in the schema', async () => {
  const { backend, data } = setUp([{ id: 1, logIndex: '4' }], 200, 'token')
  expect(await data.rows('published_records', row, (query) => query.eq('log_index', 4).order('id'))).toEqual([
    { id: 1, logIndex: 4, next: 5 },
  ])
  const [url, init] = backend.mock.calls[0] ?? []
  expect(decodeURIComponent(`${url}`)).toBe(
    'https://project.example/rest/v1/published_records?select=id,logIndex:log_index&log_index=eq.4&order=id.asc',
  )
  expect(new Headers(init?.headers).get('Authorization')).toBe('Bearer token')
})

test('the keys of objects in a JSON column are renamed', async () => {
  const schema = z.object({ revisions: objectsColumn(z.object({ logIndex: integerColumn })) })
  const { data } = setUp({ revisions: [{ log_index: 3, note: null }] })
  expect(await data.row('published_records', schema)).toEqual({ revisions: [{ logIndex: 3 }] })
})

test('a function that only reads is called with GET', async () => {
  const { backend, data } = setUp(3)
  expect(await data.call('log_root', z.number(), { log: 'ledger', size: 2 }, { get: true })).toBe(3)
  const [url, init] = backend.mock.calls[0] ?? []
  expect(`${url} ${init?.method}`).toBe('https://project.example/rest/v1/rpc/log_root?log=ledger&size=2 GET')
})

test('if the backend fails, the read returns null, logs the code and is not repeated', async () => {
  const { backend, data, log } = setUp({ code: 'PGRST000', message: 'm' }, 503)
  expect(await data.rows('published_records', row)).toBeNull()
  expect(log.error).toHaveBeenCalledExactlyOnceWith('published_records.not-loaded', { code: 'PGRST000' })
  expect(backend).toHaveBeenCalledOnce()
})

test('if a row does not match the schema, the read returns null and logs the reason', async () => {
  const { data, log } = setUp([{ id: 1, logIndex: 4 }, { id: 'x' }])
  expect(await data.rows('published_records', row)).toBeNull()
  expect(log.error).toHaveBeenCalledExactlyOnceWith('published_records.not-loaded', { code: 'shape' })
})

test.each([null, '', 'x', 1.5, '1.5', true])('%j is not an integer', (value) => {
  expect(integerColumn.safeParse(value).success).toBe(false)
})

test('an integer may be a string, because the embedded backend writes a bigint as a string', () => {
  expect(['7', -7, '-7'].map((value) => integerColumn.parse(value))).toEqual([7, -7, -7])
})

test.each([
  ['a value', { state: 'made' }, 200, { value: { state: 'made' } }, 0],
  [
    'the code and the detail of a refusal',
    { code: 'P0001', message: 'too_many', details: '{"most":3}' },
    400,
    { code: 'too_many', detail: { most: 3 }, status: 400 },
    0,
  ],
  [
    'a refusal without a detail',
    { code: 'P0001', message: 'not_found', details: null },
    400,
    { code: 'not_found', detail: null, status: 400 },
    0,
  ],
  [
    'the unknown code after a message that is not a code',
    { code: '42501', message: 'permission denied for function', details: null },
    403,
    { code: 'unknown', detail: {}, status: 403 },
    1,
  ],
  [
    'the unknown code if the backend fails',
    { code: 'PGRST000', message: 'too_many' },
    503,
    { code: 'unknown', detail: {}, status: 503 },
    1,
  ],
  [
    'the unknown code for a value that the schema refuses',
    { state: 'x' },
    200,
    { code: 'unknown', detail: {}, status: 200 },
    1,
  ],
] as const)('a command returns %s', async (_, answer, status, outcome, errors) => {
  const { data, log } = setUp(answer, status)
  const schema = z.object({ state: z.literal('made') })
  expect(await data.command('complain', schema, { goal: 'g', reason: 'r', words: 'w' })).toEqual(outcome)
  expect(log.error).toHaveBeenCalledTimes(errors)
})
