import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { warmUp, withoutRows } from './warm-up.server'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a route is warmed up once, while its first render waits', async () => {
  const run = vi.fn(async () => {
    throw new Error('a page needs its rows')
  })
  const waiting = new Promise(() => {})
  await Promise.all([warmUp('slow', waiting, run), warmUp('slow', waiting, run), vi.runAllTimersAsync()])
  expect(run).toHaveBeenCalledTimes(1)
})

test('a route is not warmed up if its render ends early, even with an error', async () => {
  const run = vi.fn(async () => {})
  await Promise.all([
    warmUp('quick', Promise.resolve(), run),
    warmUp('failing', Promise.reject(new Error('no page')), run),
    vi.runAllTimersAsync(),
  ])
  expect(run).not.toHaveBeenCalled()
})

test('the backend of a warm-up has no rows', async () => {
  expect(await (await withoutRows.fetch('https://backend.example/rest/v1/pools')).json()).toEqual([])
})
