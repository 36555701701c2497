/** A thousand open connections that continuously request pages of every kind. */
import { startBackend } from './backend.ts'
import type { Bench } from './bench.ts'
import { hasGenerator, sendLoad } from './load.ts'
import { signIn, startSite } from './site.ts'
import { median } from './statistics.ts'

const publicPages = ['/', '/cz-call', '/voting', '/voting/education', '/giveback', '/transparency', '/about']

export async function measureHeld({ quick, open, report }: Bench<'held'>): Promise<void> {
  if (!hasGenerator()) return
  const backend = await open(startBackend('ES256'))
  // The platform limits an isolate to 128 MiB. Without a limit V8 collects garbage late and uses more memory.
  const site = await open(startSite(backend, { heap: 96 }))
  const cookie = await signIn(site)
  const pages = [
    ...publicPages.map((path) => ({ path })),
    // Each of the 20 filters is a separate page in the cache.
    ...Array.from({ length: 40 }, (_, day) => ({
      path: `/transparency?from=2026-01-${10 + (day % 20)}&x=${day}`,
    })),
    { path: '/', cookie },
    { path: '/dashboard', cookie },
    { path: '/auth' },
  ]
  const memory: number[] = []
  const sampler = setInterval(() => memory.push(site.memory()), 500)
  const load = await sendLoad({ url: site.url, pages, connections: 1000, seconds: quick ? 12 : 40 })
  clearInterval(sampler)
  const third = (from: number) =>
    median(memory.slice(Math.floor((memory.length * from) / 3), Math.floor((memory.length * (from + 1)) / 3)))
  report('errors', (100 * load.errors) / (load.requests + load.errors), {
    note: `${load.errors} of ${load.requests + load.errors}; ${Math.round(load.rate)} requests/s.`,
  })
  report('memory', third(2) / third(1), {
    note: `${third(1).toFixed(0)} MiB and ${third(2).toFixed(0)} MiB, at most ${Math.max(...memory).toFixed(0)} MiB.`,
  })
}
