/**
 * `npm run lighthouse`: audits the pages of scripts/public-pages.ts in the production build with Lighthouse's
 * mobile preset, on an empty site and on the demonstration. Prints a table, and exits with 1 if a page misses
 * a target. `npm run lighthouse -- / /about` audits only the named pages. The site is served over TLS and
 * HTTP/2, as on the platform.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { variablesOfDemo } from '../supabase/embedded/demo-chain.ts'
import { startEmbedded } from '../supabase/embedded/embedded.ts'
import { browserOptions, installBrowser } from './browser.ts'
import { build } from './build.ts'
import { freePort } from './free-port.ts'
import { acceptsCertificate, startHttp2Front } from './http2-front.ts'
import { publicPages } from './public-pages.ts'
import { serve } from './serve.ts'

const named = process.argv.slice(2)
const pages = named.length ? named : publicPages
/** The largest allowed ratio of largest to first contentful paint, both as Lighthouse simulates. */
const paintAim = 1.1
const aims = { accessibility: 100, 'best-practices': 100, seo: 100, performance: 98 }

async function audit(demo: boolean, debuggingPort: number): Promise<boolean> {
  const dataDir = mkdtempSync(join(tmpdir(), 'goodblock-lighthouse-'))
  const port = await freePort()
  const front = await startHttp2Front(() => `http://127.0.0.1:${port}`)
  const { url } = front
  const backend = await startEmbedded({ dataDir, port: 0, mailPort: 0, siteUrl: url, demo })
  const site = await serve({
    port,
    origin: url,
    print: () => {},
    variables: {
      SITE_URL: url,
      SUPABASE_URL: backend.url,
      SUPABASE_PUBLISHABLE_KEY: backend.publishableKey,
      ...(demo && variablesOfDemo(backend.url)),
    },
  })
  let reached = true
  console.log(
    `\n| ${demo ? 'demonstration' : 'empty'} | ${Object.keys(aims).join(' | ')} | largest over first paint |\n|---|---|---|---|---|---|`,
  )
  for (const page of pages) {
    const audited = () =>
      lighthouse(url + page, { port: debuggingPort, logLevel: 'error', onlyCategories: Object.keys(aims) })
    const once = await audited()
    // Repeat the audit once if it measured nothing.
    const result = once?.lhr.categories.performance?.score ? once : await audited()
    const scores = Object.entries(aims).map(([category, aim]) => {
      const score = Math.round((result?.lhr.categories[category]?.score ?? 0) * 100)
      if (score >= aim) return `${score}`
      reached = false
      const failed = result?.lhr.categories[category]?.auditRefs.filter(
        ({ id, weight }) => weight > 0 && (result.lhr.audits[id]?.score ?? 1) < 0.9,
      )
      return `**${score}** (${failed?.map(({ id }) => id).join(', ')})`
    })
    const paint = (id: string) => result?.lhr.audits[id]?.numericValue ?? Number.NaN
    const [first, largest] = [paint('first-contentful-paint'), paint('largest-contentful-paint')]
    const isLate = !(largest / first <= paintAim)
    if (isLate) reached = false
    const ratio = isLate ? `**${(largest / first).toFixed(2)}**` : (largest / first).toFixed(2)
    console.log(
      `| ${page} | ${scores.join(' | ')} | ${ratio} (${largest.toFixed(0)} ms, ${first.toFixed(0)} ms) |`,
    )
  }
  await front.close()
  await site.close()
  await backend.close()
  rmSync(dataDir, { recursive: true, force: true })
  return reached
}

installBrowser()
await build()
const debuggingPort = await freePort()
const browser = await chromium.launch(
  browserOptions(acceptsCertificate, `--remote-debugging-port=${debuggingPort}`),
)
const reached = [await audit(false, debuggingPort), await audit(true, debuggingPort)]
await browser.close()
process.exit(reached.every(Boolean) ? 0 : 1)
