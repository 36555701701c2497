import { globSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { build } from '../../scripts/build.ts'

/**
 * Miniflare, which serves `npm start`, applies the MF-* headers of any client. A deployment is the worker
 * without miniflare, so these tests call the worker directly.
 */

let worker: { fetch(request: Request, env: object, execution: object): Promise<Response> }
beforeAll(async () => {
  await build()
  worker = (await import(pathToFileURL('build/server/index.js').href)).default
})

const env = {
  SITE_URL: 'https://goodblock.example',
  CONTACT_EMAIL: 'hello@goodblock.example',
  SUPABASE_URL: 'http://127.0.0.1:9',
  SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_test',
}
const ask = (headers: Record<string, string> = {}, method = 'GET') =>
  worker.fetch(new Request('https://goodblock.example/about', { method, headers }), env, {
    waitUntil: () => {},
  })

test('the worker returns the same page for any MF-* headers', async () => {
  const page = await (await ask()).text()
  expect(page).toContain('<h1')
  for (const header of [
    'MF-Original-URL',
    'MF-Route-Override',
    'MF-CF-Blob',
    'MF-Disable-Pretty-Error',
    'MF-Proxy-Shared-Secret',
    'MF-Custom-Service',
    'MF-Original-Hostname',
  ]) {
    const response = await ask({ [header]: 'https://evil.example/dashboard' })
    expect([response.status, await response.text()], header).toEqual([200, page])
  }
})

test('the worker rejects OPTIONS with its own error page', async () => {
  const response = await ask({}, 'OPTIONS')
  expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD'])
  expect(response.headers.get('X-Request-Id')).toBeTruthy()
})

test('no module of the worker reads an MF-* header', () => {
  for (const path of [...globSync('app/**/*.{ts,tsx}'), ...globSync('build/server/**/*.js')])
    expect(readFileSync(path, 'utf8'), path).not.toMatch(/['"`]mf-/i)
})
