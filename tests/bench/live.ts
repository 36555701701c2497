/** Sockets of live pages: the memory of each, the time until all are notified, and what they cost other visitors. */
import { signOrder } from '../../app/server/operator-signature.ts'
import { type LiveSocket, openLive } from '../support/live-socket.ts'
import { type Backend, startBackend } from './backend.ts'
import { sendLoad } from './load.ts'
import { add } from './report.ts'
import { startSite } from './site.ts'
import { median, spread } from './statistics.ts'
import type { Worker } from './workerd.ts'

const secretKey = 'the secret key of the bench'
const held = 2_000
const batch = 100

async function openMany(site: Worker, count: number, opened: LiveSocket[] = []): Promise<LiveSocket[]> {
  while (opened.length < count) {
    const addresses = Array.from({ length: Math.min(batch, count - opened.length) }, (_, index) => {
      const client = opened.length + index
      return `198.${client >> 16}.${(client >> 8) & 255}.${client & 255}`
    })
    opened.push(...(await Promise.all(addresses.map((address) => openLive(site.url, { address })))))
  }
  const refused = opened.filter(({ status }) => status !== 101)
  if (refused.length > 0) throw new Error(`${refused.length} sockets were refused: ${refused[0]?.status}`)
  await until(() => opened.every(({ messages }) => messages.length > 0))
  return opened
}

async function until(isTrue: () => boolean): Promise<void> {
  const startedAt = Date.now()
  while (!isTrue()) {
    if (Date.now() - startedAt > 60_000) throw new Error('not within a minute')
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

/** Milliseconds from the notification by a command until every socket has received its message. */
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

export async function measureLive(quick: boolean): Promise<void> {
  const count = quick ? 2_000 : 5_000
  const backend = await startBackend('ES256')
  const site = await startSite(backend, { variables: { SUPABASE_SECRET_KEY: secretKey } })
  const run = async () => {
    const load = await sendLoad({
      url: site.url,
      pages: [{ path: '/' }, { path: '/transparency' }, { path: '/cz-call' }],
      connections: 32,
      seconds: quick ? 3 : 5,
    })
    if (load.errors) throw new Error(`${load.errors} errors under load`)
    return load.rate
  }
  await notify(site, backend, [])
  await run()

  // Alternately, so that other work on the machine affects both.
  const ratios: number[] = []
  const rates: number[][] = [[], []]
  let sockets: LiveSocket[] = []
  for (let turn = 0; turn < (quick ? 3 : 7); turn++) {
    const without = await run()
    sockets = await openMany(site, held)
    const withSockets = await run()
    for (const socket of sockets) socket.end()
    rates[0]?.push(without)
    rates[1]?.push(withSockets)
    ratios.push(withSockets / without)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
  add({
    what: `public pages from the cache, requests/s with ${held.toLocaleString('en-US')} sockets held ÷ without`,
    measured: spread(ratios),
    aim: '≥ 0.9',
    reached: median(ratios) >= 0.9,
    note: `${Math.round(median(rates[1] ?? []))} and ${Math.round(median(rates[0] ?? []))} requests/s.`,
  })

  const fresh = await startSite(backend, { variables: { SUPABASE_SECRET_KEY: secretKey } })
  await notify(fresh, backend, [])
  const former = fresh.memory()
  const startedAt = performance.now()
  sockets = await openMany(fresh, count)
  const opening = performance.now() - startedAt
  const each = ((fresh.memory() - former) * 1024) / count
  add({
    what: `${count.toLocaleString('en-US')} sockets held: memory of workerd for each`,
    measured: `${each.toFixed(0)} KiB`,
    aim: 'printed',
    note: `Opened in ${(opening / 1000).toFixed(1)} s.`,
  })
  const times: number[] = []
  for (let turn = 0; turn < (quick ? 3 : 7); turn++) times.push(await notify(fresh, backend, sockets))
  add({ what: 'the same: time until all are notified, ms', measured: spread(times, 0), aim: 'printed' })

  const spent = fresh.processorTime()
  for (const socket of sockets) socket.send('text', 'ping')
  await until(() => sockets.every(({ messages }) => messages.at(-1) === 'pong'))
  add({
    what: 'the same: processor time of a heartbeat of each, ms in all',
    measured: ((fresh.processorTime() - spent) * 1000).toFixed(0),
    aim: 'printed',
    note: 'Answered by the platform; the object is not woken.',
  })
  for (const socket of sockets) socket.end()
  await Promise.all([site.close(), fresh.close(), backend.close()])
}
