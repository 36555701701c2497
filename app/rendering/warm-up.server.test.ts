import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WatchedBackend, warmUp } from './warm-up.server'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const load = async () => {}
const never = () => new Promise<Response>(() => {})

test('a route is warmed up once, while its first render waits', async () => {
  const run = vi.fn(async () => {
    throw new Error('a page needs its rows')
  })
  const [backend, other] = [new WatchedBackend(never), new WatchedBackend(never)]
  const both = Promise.all([warmUp('slow', backend, load, run), warmUp('slow', other, load, run)])
  await vi.runAllTimersAsync()
  expect(run).not.toHaveBeenCalled()
  backend.fetch('https://backend.example')
  await Promise.all([both, vi.runAllTimersAsync()])
  expect(run).toHaveBeenCalledTimes(1)
})

test('a route is not warmed up if the backend answers early, even with an error', async () => {
  const run = vi.fn(async () => {})
  const quick = new WatchedBackend(async () => new Response('[]'))
  const failing = new WatchedBackend(() => Promise.reject(new Error('no backend')))
  const ends = [warmUp('quick', quick, load, run), warmUp('failing', failing, load, run)]
  expect(await (await quick.fetch('https://backend.example')).text()).toBe('[]')
  await expect(failing.fetch('https://backend.example')).rejects.toThrow('no backend')
  await Promise.all([...ends, vi.runAllTimersAsync()])
  expect(run).not.toHaveBeenCalled()
})
