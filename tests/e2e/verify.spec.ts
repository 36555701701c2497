import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type ChainRow, faultsOf } from '../support/canonical.ts'
import { expect, expectAccessible, test } from './fixtures.ts'

test('the page says what the chain proves, and how to check it without the site', async ({
  page,
  sites,
  javaScriptEnabled,
}) => {
  await page.goto(`${sites.demo}/transparency`)
  await page.getByRole('link', { name: 'Check that for yourself' }).click()
  await expect(page).toHaveURL(/\/transparency\/verify$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Check the ledger' })).toBeVisible()
  const signature = page
    .getByRole('definition')
    .filter({ hasText: 'Whoever holds the key could cut rows off' })
  await expect(signature).toBeVisible()
  await expect(
    page.getByText('node verify-ledger.mjs chain.ndjson head.json --since kept.json'),
  ).toBeVisible()
  const button = page.getByRole('button', { name: 'Check the whole chain' })
  const instead = page.getByRole('link', { name: 'Without it, check with the program below' })
  await expect(javaScriptEnabled ? button : instead).toBeVisible()
  await expect(javaScriptEnabled ? instead : button).toHaveCount(0)
  for (const name of ['verify-ledger.mjs', 'the format', 'test vectors']) {
    const href = await page.getByRole('link', { name, exact: true }).getAttribute('href')
    expect((await page.request.get(`${sites.demo}${href}`)).status(), name).toBe(200)
  }
  await expectAccessible(page, javaScriptEnabled)
})

test('the program checks what the site gives away, as the page tells to', async ({ page, sites }) => {
  const folder = mkdtempSync(join(tmpdir(), 'goodblock-'))
  for (const path of [
    'verify-ledger.mjs',
    'transparency/head.json',
    'transparency/chain.ndjson',
    'transparency/heads.ndjson',
  ])
    writeFileSync(
      join(folder, basename(path)),
      await (await page.request.get(`${sites.demo}/${path}`)).body(),
    )
  const parameters = ['verify-ledger.mjs', 'chain.ndjson', 'head.json', '--since', 'heads.ndjson']
  const said = execFileSync(process.execPath, parameters, { cwd: folder, encoding: 'utf8' })
  expect(said).toMatch(/^The chain holds: \d+ rows/)
  expect(said).toMatch(/^Nothing up to row \d+ was changed since/m)
  rmSync(folder, { recursive: true })
})

test('an empty ledger has no head, and says so to a reader and to a program', async ({ page, sites }) => {
  await page.goto('/transparency/verify')
  await expect(page.getByText('No head has been signed yet.')).toBeVisible()
  const head = await page.request.get(`${sites.empty}/transparency/head.json`)
  expect([head.status(), await head.json()]).toEqual([
    404,
    { message: 'No head of this ledger has been signed yet.' },
  ])
  expect(await (await page.request.get(`${sites.empty}/transparency/heads.ndjson`)).text()).toBe('')
})

test('what the page shows is the head that is published, of the chain that is published', async ({
  page,
  sites,
}) => {
  const head = await page.request.get(`${sites.demo}/transparency/head.json`)
  const { seq, hash, public_key } = await head.json()
  await page.goto(`${sites.demo}/transparency/verify`)
  await expect(page.getByText(`rows 1 to ${seq}`)).toBeVisible()
  await expect(page.getByText(hash)).toBeVisible()
  await expect(page.getByText(public_key)).toBeVisible()

  const lines = await (await page.request.get(`${sites.demo}/transparency/chain.ndjson`)).text()
  const chain: ChainRow[] = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(faultsOf(chain)).toEqual([])
  expect(chain.find((row) => row.seq === seq)?.hash).toBe(hash)
  const archive = await (await page.request.get(`${sites.demo}/transparency/heads.ndjson`)).text()
  expect(archive.trim().split('\n')).toContain(JSON.stringify(await head.json()))

  for (const path of ['head.json', 'heads.ndjson', 'chain.ndjson']) {
    const address = `${sites.demo}/transparency/${path}`
    const { etag = '', 'access-control-allow-origin': open } = (await page.request.get(address)).headers()
    const again = await page.request.get(address, { headers: { 'If-None-Match': etag } })
    expect([path, again.status(), open]).toEqual([path, 304, '*'])
  }
})
