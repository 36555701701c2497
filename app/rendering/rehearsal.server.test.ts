import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rehearse, withoutRows } from './rehearsal.server'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a route is rehearsed once, while its first render waits', async () => {
  const run = vi.fn(async () => {
    throw new Error('a page needs its rows')
  })
  const waiting = new Promise(() => {})
  await Promise.all([rehearse('slow', waiting, run), rehearse('slow', waiting, run), vi.runAllTimersAsync()])
  expect(run).toHaveBeenCalledTimes(1)
})

test('a route is not rehearsed if its render ends early, even with an error', async () => {
  const run = vi.fn(async () => {})
  await Promise.all([
    rehearse('quick', Promise.resolve(), run),
    rehearse('failing', Promise.reject(new Error('no page')), run),
    vi.runAllTimersAsync(),
  ])
  expect(run).not.toHaveBeenCalled()
})

test('the backend of a rehearsal has no rows', async () => {
  expect(await (await withoutRows.fetch('https://backend.example/rest/v1/pools')).json()).toEqual([])
})
