import { expect, test, vi } from 'vitest'
import * as z from 'zod'
import { newLog } from '../../tests/support/log.ts'
import { readRows } from './read-rows.server.ts'

function setUp(answer: { data: unknown; error: { code?: string } | null }) {
  const retry = vi.fn(() => Promise.resolve(answer))
  const log = newLog()
  return { query: { retry }, log, read: () => readRows({ retry }, z.array(z.number()), log, 'x.not-loaded') }
}

test('turns off the retries of the client', async () => {
  const { query, read } = setUp({ data: [1], error: null })
  expect(await read()).toEqual([1])
  expect(query.retry).toHaveBeenCalledExactlyOnceWith(false)
})

test('returns null and logs the code when the backend fails', async () => {
  const { log, read } = setUp({ data: [1], error: { code: 'PGRST000' } })
  expect(await read()).toBeNull()
  expect(log.error).toHaveBeenCalledExactlyOnceWith('x.not-loaded', { code: 'PGRST000', reason: 'backend' })
})

test('returns null and logs the reason when the rows have another shape', async () => {
  const { log, read } = setUp({ data: ['1'], error: null })
  expect(await read()).toBeNull()
  expect(log.error).toHaveBeenCalledExactlyOnceWith('x.not-loaded', { code: undefined, reason: 'shape' })
})
