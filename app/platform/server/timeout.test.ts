import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sleep, within } from './timeout.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('work that ends in time returns its result, and no timer is left', async () => {
  expect(await within(Promise.resolve('done'), 1_000)).toBe('done')
  await expect(within(Promise.reject(new Error('failed')), 1_000)).rejects.toThrow('failed')
  expect(vi.getTimerCount()).toBe(0)
})

test('after the timeout, the result is null and the work continues', async () => {
  let isDone = false
  const work = sleep(2_000).then(() => {
    isDone = true
  })
  const result = within(work, 1_000)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await result).toBeNull()
  expect(isDone).toBe(false)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(isDone).toBe(true)
})
