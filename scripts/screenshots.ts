/**
 * `npm run screenshots`: makes the pictures of the README in docs/pictures. They show Home and /transparency
 * of the demonstration in both themes. Prints the size of each picture. The pages run without JavaScript, so
 * that no text depends on the time of the run.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import './demo-day.ts'
import { chromium } from '@playwright/test'
import { variablesOfDemo } from '../supabase/embedded/demo-chain.ts'
import { startEmbedded } from '../supabase/embedded/embedded.ts'
import { browserOptions, installBrowser } from './browser.ts'
import { build } from './build.ts'
import { freePort } from './free-port.ts'
import { serve } from './serve.ts'

const folder = 'docs/pictures'
const pages = { home: '/', transparency: '/transparency' }
const themes = ['light', 'dark'] as const
/** Maximum size of a picture in bytes. */
const limit = 250_000

installBrowser()
await build()
const dataDir = mkdtempSync(join(tmpdir(), 'goodblock-screenshots-'))
const port = await freePort()
const siteUrl = `http://127.0.0.1:${port}`
const backend = await startEmbedded({ dataDir, port: 0, mailPort: 0, siteUrl, demo: true, log: () => {} })
const site = await serve({
  port,
  print: () => {},
  variables: {
    SITE_URL: siteUrl,
    SUPABASE_URL: backend.url,
    SUPABASE_PUBLISHABLE_KEY: backend.publishableKey,
    ...variablesOfDemo(backend.url),
  },
})
const browser = await chromium.launch(browserOptions())
mkdirSync(folder, { recursive: true })
let isTooLarge = false
for (const theme of themes) {
  const context = await browser.newContext({
    baseURL: siteUrl,
    viewport: { width: 1280, height: 900 },
    colorScheme: theme,
    javaScriptEnabled: false,
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'UTC',
  })
  const page = await context.newPage()
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(path, { waitUntil: 'networkidle' })
    // The page shows the fallback font until the display font is loaded.
    await page.evaluate(async () => {
      await document.fonts.ready
    })
    const picture = await page.screenshot()
    const file = `${folder}/${name}-${theme}.png`
    writeFileSync(file, picture)
    if (picture.length > limit) isTooLarge = true
    console.log(`${file}  ${Math.round(picture.length / 1000)} kB`)
  }
}
await browser.close()
await site.close()
await backend.close()
rmSync(dataDir, { recursive: true, force: true })
if (isTooLarge) console.error(`A picture has more than ${limit / 1000} kB.`)
process.exit(isTooLarge ? 1 : 0)
