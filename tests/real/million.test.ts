import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SiteWithBackend, startSiteWithBackend } from '../support/site.ts'
import { transaction } from '../support/temporary-backend.ts'

/** `ROWS=1000000 npm run test:real -- tests/real/million` fills the ledger for minutes. */
const rowCount = Number(process.env.ROWS ?? 5_000)
const rowsPerAppend = 500
const files = [
  ...['/transparency.csv', '/transparency.json', '/transparency.ndjson', '/transparency.atom'],
  ...['/transparency.feed.json', '/transparency/log.ndjson', '/transparency/log/texts.ndjson'],
  ...['/transparency.csv?month=2025-03', '/transparency?page=3', '/transparency?q=test', '/healthz'],
]

let site: SiteWithBackend
let slowest = 0
beforeAll(async () => {
  site = await startSiteWithBackend()
  for (let at = 0; at < rowCount; at += rowsPerAppend) {
    const rows = Array.from({ length: rowsPerAppend }, (_, index) => {
      const day = `${1 + (((at + index) >> 5) % 28)}`.padStart(2, '0')
      const month = `${1 + (((at + index) >> 9) % 12)}`.padStart(2, '0')
      return transaction({ occurred_at: `2025-${month}-${day}T12:00:00Z`, amount_usd: 1 })
    })
    const began = performance.now()
    await site.backend.sql('select public.append_ledger($1)', [JSON.stringify(rows)])
    slowest = Math.max(slowest, performance.now() - began)
  }
  await site.backend.sql('analyze')
}, 3_600_000)
afterAll(() => site.close())

test('every page, file and feed is served within the limits of the roles, however long the ledger is', async () => {
  const sitemap = await (await fetch(`${site.url}/sitemap.xml`)).text()
  const pages = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc = '']) => new URL(loc).pathname)
  expect(pages.length).toBeGreaterThan(10)
  // The pages in other languages read the same rows.
  const paths = [...new Set([...pages.filter((path) => !/^\/(zh|tr|es|ar)(\/|$)/.test(path)), ...files])]
  const times: [ms: number, path: string, status: number, bytes: number][] = []
  for (const path of paths) {
    const began = performance.now()
    const response = await fetch(site.url + path, { signal: AbortSignal.timeout(600_000) })
    let bytes = 0
    for await (const chunk of response.body ?? []) bytes += chunk.length
    times.push([Math.round(performance.now() - began), path, response.status, bytes])
  }
  console.log(`${rowCount} rows, slowest append ${Math.round(slowest)} ms`)
  for (const line of times.toSorted(([a], [b]) => b - a).slice(0, 15)) console.log(line.join(' '))
  expect(times.filter(([, , status]) => status !== 200)).toEqual([])
  expect(site.log.filter((line) => line.includes('57014'))).toEqual([])
}, 3_600_000)
