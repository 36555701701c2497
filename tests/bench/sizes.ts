/** What is sent and what is loaded, in bytes. */
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { startBackend } from './backend.ts'
import { add } from './report.ts'
import { startBare, startSite } from './site.ts'
import { spread } from './statistics.ts'

const folder = 'build/server'
/** What only a few addresses need, told by what it says. */
const seldom: Record<string, RegExp> = {
  viem: /viem@\d/,
  'the QR encoder': /Data too long/,
}
const kib = (bytes: number) => `${(bytes / 1024).toFixed(0)} KiB`
const zipped = (text: string) => gzipSync(text, { level: 9 }).length

/** The files that `name` cannot start without: itself, and what it imports statically. */
function requestPath(name: string, found = new Map<string, string>()): Map<string, string> {
  if (found.has(name)) return found
  const text = readFileSync(`${folder}/${name}`, 'utf8')
  found.set(name, text)
  for (const [, imported = ''] of text.matchAll(/^import[^'"()]*['"](\.{1,2}\/[^'"]+)['"]/gm))
    requestPath(new URL(imported, `http://build/${name}`).pathname.slice(1), found)
  return found
}

export async function measureSizes(quick: boolean): Promise<void> {
  const onPath = requestPath('index.js')
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  )
  // The browser's own module is put there too, as an asset.
  const other = all.filter((name) => !onPath.has(name) && !name.includes('enhance'))
  const size = [...onPath.values()].reduce((sum, text) => sum + zipped(text), 0)
  const whole = size + other.reduce((sum, name) => sum + zipped(readFileSync(`${folder}/${name}`, 'utf8')), 0)
  const carried = Object.keys(seldom).filter((name) =>
    [...onPath.values()].some((text) => seldom[name]?.test(text)),
  )
  add({
    what: 'worker bundle, request path, gzip',
    measured: kib(size),
    aim: '≤ 260 KiB, viem and QR only where used',
    reached: size <= 260 * 1024 && carried.length === 0,
    note: `With what is loaded where it is used ${kib(whole)}.${carried.length ? ` On the request path: ${carried.join(', ')}.` : ''}`,
  })

  const backend = await startBackend('ES256')
  const startUps: number[] = []
  for (let i = 0; i < (quick ? 3 : 9); i++) {
    const site = await startSite(backend)
    const bare = await startBare(new Response('ok'))
    startUps.push(site.startUp - bare.startUp)
    await Promise.all([site.close(), bare.close()])
  }
  await backend.close()
  add({
    what: 'worker start-up: first answer after the bare worker’s, ms',
    measured: spread(startUps, 0),
    aim: 'printed',
  })
}
