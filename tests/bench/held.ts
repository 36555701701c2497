/** A thousand open connections that continuously request pages of every kind. */
import { startBackend } from './backend.ts'
import type { Bench } from './bench.ts'
import { hasGenerator, type Load, sendLoad } from './load.ts'
import { signIn, startSite } from './site.ts'
import { format, median } from './statistics.ts'
import { startWorkerd, type Worker } from './workerd.ts'

/** Responds with a text after as many steps of work as the path says. */
const bareWorker = `export default { fetch(request) {
  let sum = 0
  for (let left = Number(new URL(request.url).pathname.slice(1)); left > 0; left--) sum += left % 7
  return new Response('x'.repeat(20_000) + sum)
} }`

/** The processor time of a response of `bareWorker`, in seconds. */
async function costOf({ url, processorTime }: Worker, steps: number): Promise<number> {
  const spent = processorTime()
  const { requests } = await sendLoad({ url, pages: [{ path: `/${steps}` }], connections: 32, seconds: 3 })
  return (processorTime() - spent) / requests
}

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
  const order = { pages, connections: 1000, seconds: quick ? 12 : 40 }
  const spent = site.processorTime()
  const load = await sendLoad({ url: site.url, ...order })
  clearInterval(sampler)
  const cost = (site.processorTime() - spent) / load.requests
  const third = (from: number) =>
    median(memory.slice(Math.floor((memory.length * from) / 3), Math.floor((memory.length * (from + 1)) / 3)))
  report('errors', (100 * load.errors) / (load.requests + load.errors), {
    note: `${load.errors} of ${load.requests + load.errors}; ${Math.round(load.rate)} requests/s.`,
  })
  // workerd itself lets some connections wait while it serves others, as soon as a response takes some work.
  const bare = await open(startWorkerd({ modules: { 'index.js': bareWorker } }))
  const steps = Math.round((100_000 * cost) / (await costOf(bare, 100_000)))
  const others = await sendLoad({ url: bare.url, ...order, pages: [{ path: `/${steps}` }] })
  const waiting = ({ unanswered, requests }: Load) => (100 * unanswered) / (requests + unanswered)
  report('waits', waiting(load), {
    note: `A worker that only computes as long for each response: ${format(waiting(others))} %.`,
  })
  report('memory', third(2) / third(1), {
    note: `${third(1).toFixed(0)} MiB and ${third(2).toFixed(0)} MiB, at most ${Math.max(...memory).toFixed(0)} MiB.`,
  })
}
