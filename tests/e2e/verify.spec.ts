import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { encodeText } from '../../app/log/bytes.ts'
import { LogTree } from '../support/log-tree.ts'
import { expect, expectAccessible, test } from './fixtures.ts'

test('the page says what the log proves, and how to check it', async ({ page, sites, javaScriptEnabled }) => {
  await page.goto(`${sites.demo}/transparency`)
  await page.getByRole('link', { name: 'Check it yourself' }).click()
  await expect(page).toHaveURL(/\/transparency\/verify$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Check the ledger' })).toBeVisible()
  await expect(
    page.getByRole('definition').filter({ hasText: 'Someone with our key could sign two different ones' }),
  ).toBeVisible()
  await expect(page.getByText('node verify-ledger.mjs log.ndjson checkpoint --vkey vkey')).toBeVisible()
  const button = page.getByRole('button', { name: 'Check the whole log' })
  const instead = page.getByRole('link', { name: 'Without it, check with the program below' })
  await expect(javaScriptEnabled ? button : instead).toBeVisible()
  await expect(javaScriptEnabled ? instead : button).toHaveCount(0)
  for (const name of ['verify-ledger.mjs', 'The format', 'test data', 'Download all checkpoints']) {
    const href = await page.getByRole('link', { name, exact: true }).getAttribute('href')
    expect((await page.request.get(`${sites.demo}${href}`)).status(), name).toBe(200)
  }
  await expectAccessible(page, javaScriptEnabled)
})

test('an empty log has no checkpoint, for readers and for programs', async ({ page, sites }) => {
  await page.goto('/transparency/verify')
  await expect(page.getByText('No checkpoint has been signed yet')).toBeVisible()
  const checkpoint = await page.request.get(`${sites.empty}/transparency/log/checkpoint`)
  expect([checkpoint.status(), await checkpoint.json()]).toEqual([
    404,
    { message: 'No checkpoint of this log has been signed yet.' },
  ])
  expect(await (await page.request.get(`${sites.empty}/transparency/log/checkpoints.ndjson`)).text()).toBe('')
})

test('the page shows the published checkpoint of the published log', async ({ page, sites }) => {
  const read = async (path: string) => (await page.request.get(`${sites.demo}/transparency/${path}`)).text()
  const [, size = '', root = ''] = (await read('log/checkpoint')).split('\n')
  const vkey = (await read('log/vkey')).trim()
  await page.goto(`${sites.demo}/transparency/verify`)
  await expect(
    page.getByText(`${Number(size).toLocaleString('en-US')} entries`, { exact: true }),
  ).toBeVisible()
  await expect(page.getByText(root)).toBeVisible()
  await expect(page.getByText(vkey)).toBeVisible()
  const tree = new LogTree((await read('log.ndjson')).trimEnd().split('\n').map(encodeText))
  expect(Buffer.from(tree.root(Number(size))).toString('base64')).toBe(root)

  for (const path of ['log.ndjson', 'log/checkpoints.ndjson', 'log/texts.ndjson']) {
    const address = `${sites.demo}/transparency/${path}`
    const { etag = '', 'access-control-allow-origin': open } = (await page.request.get(address)).headers()
    const again = await page.request.get(address, { headers: { 'If-None-Match': etag } })
    expect([path, again.status(), open]).toEqual([path, 304, '*'])
  }
})

test('the proof of a row is a file that the program accepts', async ({ page, sites, javaScriptEnabled }) => {
  await page.goto(`${sites.demo}/transparency/5#proof`)
  const proof = page.getByRole('region', { name: 'Has anyone changed this?' })
  await expect(proof.getByText(/in a log that can only grow/)).toBeVisible()
  await proof.getByText('Show the whole proof').click()
  await expect(proof.getByText('Leaf: SHA-256 of 00 and the entry')).toBeVisible()
  await expectAccessible(page, javaScriptEnabled)
  const href = await proof.getByRole('link', { name: 'Download the proof' }).getAttribute('href')
  const folder = mkdtempSync(join(tmpdir(), 'goodblock-'))
  for (const path of ['/verify-ledger.mjs', '/transparency/log/vkey', `${href}`])
    writeFileSync(join(folder, basename(path)), await (await page.request.get(`${sites.demo}${path}`)).body())
  const parameters = ['verify-ledger.mjs', '--row', 'proof', '--id', '5', '--vkey', 'vkey']
  const said = execFileSync(process.execPath, parameters, { cwd: folder, encoding: 'utf8' })
  expect(said).toMatch(/^The row is in the log: entry \d+ of the \d+/)
  rmSync(folder, { recursive: true })
})
