import type { Page } from '@playwright/test'
import vectors from '../../public/ledger/vectors.json' with { type: 'json' }
import { type ChainRow, toLines } from '../support/canonical.ts'
import { expect, test } from './fixtures.ts'

const rows = vectors.rows.map(({ row }) => row as ChainRow)
const { head } = vectors.head
const older = { ...head, seq: 11, hash: rows[10]?.hash }

/** Has the site answer with this chain and this head. */
async function serve(page: Page, chain: string, signed: object | null = head) {
  await page.route('**/transparency/chain.ndjson', (route) => route.fulfill({ body: chain }))
  await page.route('**/transparency/head.json', (route) =>
    signed ? route.fulfill({ json: signed }) : route.fulfill({ status: 404, json: {} }),
  )
}

test.describe('hashing in the page needs script: without it the page tells how to check with a program', () => {
  const check = async (page: Page) => {
    await page.getByRole('button', { name: 'Check the whole chain' }).click()
    return page.locator('[data-check-ledger]').getByRole('status')
  }

  test('the demonstration’s chain holds, and a head that was kept still stands', async ({ page, sites }) => {
    await page.goto(`${sites.demo}/transparency/verify`)
    const kept = await (await page.request.get(`${sites.demo}/transparency/heads.ndjson`)).text()
    const first = kept.split('\n')[0] ?? ''
    await page
      .getByLabel('A head that you kept (optional)')
      .setInputFiles({ name: 'kept.json', mimeType: 'application/json', buffer: Buffer.from(first) })
    const result = await check(page)
    await expect(result).toContainText(/^It holds: \d+ rows, each with the hash of its facts/)
    await expect(result).toContainText(/Row \d+ was signed on/)
    await expect(result).toContainText(`Nothing up to row ${JSON.parse(first).seq} was changed since`)
    await expect(page.getByRole('button', { name: 'Check the whole chain' })).toBeFocused()
  })

  test('the vectors hold', async ({ page }) => {
    await serve(page, toLines(rows))
    await page.goto('/transparency/verify')
    await expect(await check(page)).toContainText('It holds: 12 rows')
  })

  const altered = rows.map((row) => (row.seq === 4 ? { ...row, amount_usd: '9.10' } : row))
  const twice = toLines(rows).replace('"note":null', '"note":"shown","note":null')
  const cases: [what: string, chain: string, signed: object | null, says: string][] = [
    [
      'an altered row',
      toLines(altered),
      head,
      'Row 4 does not hold: its facts have another hash than it says.',
    ],
    ['a deleted row', toLines(rows.toSpliced(6, 1)), head, 'Row 7 does not hold: its place is 8.'],
    ['a name that stands twice', twice, head, 'Row 1 does not hold: it is not written as the ledger writes'],
    ['half a row', toLines(rows).slice(0, -30), head, 'The chain ends in the middle of a row.'],
    ['rows cut off', toLines(rows.slice(0, 10)), head, 'The chain ends at row 10, but the head signed on'],
    ['a forged head', toLines(rows), { ...head, seq: 3 }, 'The signature of the head signed on'],
    ['no head', toLines(rows), null, 'No head has been signed yet.'],
  ]
  for (const [what, chain, signed, says] of cases)
    test(`${what} is told`, async ({ page }) => {
      await serve(page, chain, signed)
      await page.goto('/transparency/verify')
      await expect(await check(page)).toContainText(says)
    })

  test('a head that was kept is checked as any other, and what is none is refused', async ({ page }) => {
    await serve(page, toLines(rows))
    await page.goto('/transparency/verify')
    const keep = (content: string) =>
      page
        .getByLabel('A head that you kept (optional)')
        .setInputFiles({ name: 'kept.json', mimeType: 'application/json', buffer: Buffer.from(content) })
    await keep(JSON.stringify(older))
    await expect(await check(page)).toContainText('The signature of the head signed on')
    await keep('nothing')
    await expect(await check(page)).toContainText('kept.json is not a signed head.')
  })

  test('a check that takes long can be cancelled', async ({ page }) => {
    await serve(page, '')
    await page.route('**/transparency/chain.ndjson', () => {})
    await page.goto('/transparency/verify')
    const result = await check(page)
    await expect(page.getByRole('progressbar', { name: 'Rows checked' })).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(result).toContainText('Cancelled.')
    await expect(page.getByRole('button', { name: 'Check the whole chain' })).toBeFocused()
  })
})
