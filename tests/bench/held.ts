/** A thousand open connections that continuously request pages of every kind. */
import { startBackend } from './backend.ts'
import { sendLoad } from './load.ts'
import { add } from './report.ts'
import { signIn, startSite } from './site.ts'
import { median } from './statistics.ts'

const publicPages = ['/', '/cz-call', '/voting', '/voting/education', '/giveback', '/transparency', '/about']

export async function measureHeld(quick: boolean): Promise<void> {
  const backend = await startBackend('ES256')
  // The platform limits an isolate to 128 MiB. Without a limit V8 collects garbage late, and uses more memory.
  const site = await startSite(backend, { heap: 96 })
  const cookie = await signIn(site)
  const pages = [
    ...publicPages.map((path) => ({ path })),
    // Each of the 20 filters is a page of its own in the cache.
    ...Array.from({ length: 40 }, (_, day) => ({
      path: `/transparency?from=2026-01-${10 + (day % 20)}&x=${day}`,
    })),
    { path: '/', cookie },
    { path: '/dashboard', cookie },
    { path: '/auth' },
  ]
  const seconds = quick ? 12 : 40
  const memory: number[] = []
  const sampler = setInterval(() => memory.push(site.memory()), 500)
  const load = await sendLoad({ url: site.url, pages, connections: 1000, seconds })
  clearInterval(sampler)
  const part = (from: number, to: number) =>
    median(memory.slice(Math.floor(memory.length * from), Math.floor(memory.length * to)))
  const [early, late] = [part(1 / 3, 2 / 3), part(2 / 3, 1)]
  add({
    what: `1,000 connections held, mixed pages, ${seconds} s: errors`,
    measured: `${load.errors} of ${load.requests + load.errors}`,
    aim: '0',
    reached: load.errors === 0,
    note: `${Math.round(load.rate)} requests/s, p50 ${load.p50.toFixed(0)} ms, p99 ${load.p99.toFixed(0)} ms.`,
  })
  add({
    what: 'the same: memory of workerd, last third over the middle one',
    measured: `${(late / early).toFixed(2)} (${early.toFixed(0)} MiB, ${late.toFixed(0)} MiB)`,
    aim: 'flat: ≤ 1.05',
    reached: late / early <= 1.05,
    note: `Greatest ${Math.max(...memory).toFixed(0)} MiB.`,
  })
  await site.close()
  await backend.close()
}
