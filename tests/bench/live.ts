/**
 * Measures the sockets of live pages: the memory of each socket, the time until all are notified, and the
 * effect on other visitors.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { signOrder } from '../../app/platform/server/operator-signature.ts'
import { type LiveSocket, openLive } from '../support/live-socket.ts'
import { type Backend, startBackend } from './backend.ts'
import type { Bench } from './bench.ts'
import { hasGenerator, sendLoad } from './load.ts'
import { startSite } from './site.ts'
import { median, ratios } from './statistics.ts'
import type { Worker } from './workerd.ts'

const secretKey = 'the secret key of the bench'
const variables = { SUPABASE_SECRET_KEY: secretKey }
const batch = 100

async function openMany(site: Worker, count: number): Promise<LiveSocket[]> {
  const sockets: LiveSocket[] = []
  while (sockets.length < count) {
    const addresses = Array.from({ length: Math.min(batch, count - sockets.length) }, (_, index) => {
      const client = sockets.length + index
      return `198.${client >> 16}.${(client >> 8) & 255}.${client & 255}`
    })
    sockets.push(...(await Promise.all(addresses.map((address) => openLive(site.url, { address })))))
  }
  const refused = sockets.filter(({ status }) => status !== 101)
  if (refused.length > 0) throw new Error(`${refused.length} sockets were refused: ${refused[0]?.status}`)
  await until(() => sockets.every(({ messages }) => messages.length > 0))
  return sockets
}

async function until(isTrue: () => boolean): Promise<void> {
  const startedAt = Date.now()
  while (!isTrue()) {
    if (Date.now() - startedAt > 60_000) throw new Error('not within a minute')
    await sleep(2)
  }
}

/** Returns the milliseconds from a command's notification until every socket has received its message. */
async function notify(site: Worker, backend: Backend, sockets: LiveSocket[]): Promise<number> {
  const before = sockets.map(({ messages }) => messages.length)
  backend.state += 1
  const startedAt = performance.now()
  const headers = { Authorization: await signOrder(secretKey, 'changed', Date.now()) }
  const { status } = await fetch(`${site.url}/live`, { method: 'POST', headers })
  if (status !== 204) throw new Error(`POST /live: ${status}`)
  await until(() => sockets.every(({ messages }, index) => messages.length > (before[index] ?? 0)))
  return performance.now() - startedAt
}

/** Measures the rate of cached pages with and without 2,000 sockets, in turn. */
async function measureOthers({ quick, open, report }: Bench<'live'>, backend: Backend) {
  if (!hasGenerator()) return
  const site = await open(startSite(backend, { variables }))
  const pages = ['/', '/transparency', '/cz-call'].map((path) => ({ path }))
  const rate = async () => {
    const load = await sendLoad({ url: site.url, pages, connections: 32, seconds: quick ? 3 : 5 })
    if (load.errors) throw new Error(`${load.errors} errors under load`)
    return load.rate
  }
  await notify(site, backend, [])
  await rate()
  const without: number[] = []
  const held: number[] = []
  for (let turn = 0; turn < (quick ? 3 : 7); turn++) {
    without.push(await rate())
    const sockets = await openMany(site, 2_000)
    held.push(await rate())
    for (const socket of sockets) socket.end()
    await sleep(1_000)
  }
  report('others', ratios(held, without), {
    note: `${Math.round(median(held))} and ${Math.round(median(without))} requests/s.`,
  })
}

export async function measureLive(bench: Bench<'live'>): Promise<void> {
  const { quick, open, report } = bench
  const backend = await open(startBackend('ES256'))
  await measureOthers(bench, backend)
  const site = await open(startSite(backend, { variables }))
  await notify(site, backend, [])
  const former = site.memory()
  const startedAt = performance.now()
  const count = 5_000
  const sockets = await openMany(site, count)
  report('memory', ((site.memory() - former) * 1024) / count, {
    note: `Opened in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`,
  })
  const times: number[] = []
  for (let turn = 0; turn < (quick ? 3 : 7); turn++) times.push(await notify(site, backend, sockets))
  report('notify', times)

  const spent = site.processorTime()
  for (const socket of sockets) socket.send('text', 'ping')
  await until(() => sockets.every(({ messages }) => messages.at(-1) === 'pong'))
  report('heartbeat', (site.processorTime() - spent) * 1000, {
    note: 'The platform responds; the object is not woken.',
  })
  for (const socket of sockets) socket.end()
}
