/** Requests without a page, which are the same with and without JavaScript: one mode is enough. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from './fixtures.ts'

test('the commands on the page let the program check the site and its files', async ({ request, sites }) => {
  const folder = mkdtempSync(join(tmpdir(), 'goodblock-'))
  const paths = ['log/checkpoint', 'log/vkey', 'log/texts.ndjson', 'log/checkpoints.ndjson', 'log.ndjson']
  for (const path of ['verify-ledger.mjs', ...paths.map((path) => `transparency/${path}`)])
    writeFileSync(join(folder, basename(path)), await (await request.get(`${sites.demo}/${path}`)).body())
  const run = (...parameters: string[]) =>
    execFileSync(process.execPath, ['verify-ledger.mjs', ...parameters], { cwd: folder, encoding: 'utf8' })
  const said = run(
    'log.ndjson',
    'checkpoint',
    '--vkey',
    'vkey',
    '--texts',
    'texts.ndjson',
    '--since',
    'checkpoints.ndjson',
  )
  expect(said).toMatch(/^OK: \d+ entries checked\. They match the root/)
  expect(said).toMatch(/^It begins with the \d+ entries of the checkpoint of \d+/m)
  expect(said).toMatch(/^The texts are those that were recorded: \d+, and \d+ withdrawn\./m)
  expect(run(sites.demo)).toMatch(/^The log has \d+ entries, signed by/)
  expect(run(sites.demo)).toContain('It begins with the')
  expect(run(sites.demo, '--whole')).toMatch(/^Every entry of the export is in it: \d+\.$/m)
  writeFileSync(
    join(folder, '5.tlog-proof'),
    await (await request.get(`${sites.demo}/transparency/5/proof`)).body(),
  )
  expect(run('--row', '5.tlog-proof', '--id', '5', '--vkey', 'vkey')).toMatch(
    /^The row is in the log: entry \d+ of/,
  )
  rmSync(folder, { recursive: true })
})

test('a page without the framework has no inline script and no style attribute', async ({ request }) => {
  for (const path of ['/', '/cz-call', '/voting', '/giveback', '/transparency', '/about']) {
    const html = await (await request.get(path)).text()
    const scripts = [...html.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag)
    expect(
      scripts.filter((tag) => !tag.includes(' src=') && !tag.includes('application/ld+json')),
      path,
    ).toEqual([])
    expect(html.match(/\sstyle="/g), path).toBeNull()
  }
})

test('the scripts of a hydrated page are in the body, and nothing follows', async ({ request, sites }) => {
  for (const url of ['/auth', '/auth/forgot', `${sites.demo}/auth?mode=sign-up`]) {
    const html = await (await request.get(url)).text()
    expect(html.match(/<\/body>/g), url).toHaveLength(1)
    expect(html, url).toMatch(/streamController\.close\(\);<\/script><\/body><\/html>$/)
  }
})

test('no hash in the demonstration links to the block explorer', async ({ request, sites }) => {
  for (const path of ['/', '/cz-call', '/voting', '/transparency/wallets', '/transparency/137']) {
    const html = await (await request.get(sites.demo + path)).text()
    expect(html, path).not.toMatch(/href="[^"]*\/(tx|address|token)\/0x/)
    expect(html, path).toContain('Demo: all figures')
  }
})
