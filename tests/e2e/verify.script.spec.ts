import type { Page, Route } from '@playwright/test'
import { encodeText } from '../../app/log/bytes.ts'
import { formatProof } from '../../app/log/proof.ts'
import { parseTilePath } from '../../app/log/tile.ts'
import { inclusionProof } from '../../app/log/tree.ts'
import vectors from '../../public/ledger/log-vectors.json' with { type: 'json' }
import { checkpointOf, exportOf } from '../support/log-site.ts'
import { LogTree } from '../support/log-tree.ts'
import { expect, test } from './fixtures.ts'

const { entries, vkey, origin, private_key: key } = vectors
const tree = new LogTree(entries.map(encodeText))
const whole = exportOf(tree)
const [, at9 = '', latest = ''] = vectors.checkpoints

/** Makes the site respond with this export and this checkpoint. */
async function serve(page: Page, content: string, checkpoint: string | null = latest, log = tree) {
  await page.route('**/transparency/log.ndjson', (route) => route.fulfill({ body: content }))
  await page.route('**/transparency/log/checkpoint', (route) =>
    route.fulfill(checkpoint === null ? { status: 404 } : { body: checkpoint }),
  )
  await page.route('**/transparency/log/vkey', (route) => route.fulfill({ body: `${vkey}\n` }))
  await page.route('**/transparency/log/tile/**', (route) => {
    const tile = parseTilePath(new URL(route.request().url()).pathname.replace('/transparency/log/', ''))
    const bytes = tile && tile.level !== 'entries' ? log.tile(tile.level, tile.index, tile.width) : null
    return route.fulfill(bytes ? { body: Buffer.from(bytes) } : { status: 404 })
  })
}

/**
 * Makes a chain endpoint respond with the transaction of the row on the page. `change` sets facts of the
 * transaction that differ from the row. After `forget`, the endpoint does not find it by its hash. `calls` lists each method with its parameters.
 */
async function serveChain(page: Page) {
  const calls: string[] = []
  let changed: Record<string, string> = {}
  let isForgotten = false
  await page.route('https://rpc.example/**', async (route) => {
    const headers = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' }
    if (route.request().method() === 'OPTIONS') return route.fulfill({ headers })
    const { method, params } = route.request().postDataJSON()
    calls.push(`${method} ${params.join()}`)
    const proof = (await page.locator('[data-check-row]').getAttribute('data-check-row')) ?? ''
    const entry = JSON.parse(Buffer.from(/^extra (.+)$/m.exec(proof)?.[1] ?? '', 'base64').toString())
    const facts = { ...entry, ...changed }
    const word = (address: string) => `0x${address.slice(2).padStart(64, '0')}`
    const value = `0x${BigInt(facts.token_amount).toString(16).padStart(64, '0')}`
    const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
    const log = {
      address: facts.token_address,
      topics: [transfer, word(facts.from_address), word(facts.to_address)],
      data: value,
      logIndex: '0x3',
    }
    // Some endpoints return wallet addresses with capital letters as a checksum.
    const wallets = {
      from: facts.from_address.replace(/[a-f]/g, (letter: string) => letter.toUpperCase()),
      to: facts.to_address,
    }
    const receipt = {
      ...wallets,
      transactionHash: entry.tx_hash,
      status: '0x1',
      blockNumber: '0x10',
      transactionIndex: '0x2',
      logs: facts.token_address ? [log] : [],
    }
    const other = { ...receipt, transactionHash: `0x${'8'.repeat(64)}`, logs: [] }
    const results: Record<string, unknown> = {
      eth_getTransactionReceipt: isForgotten ? null : receipt,
      eth_getTransactionByHash: isForgotten ? null : { ...wallets, value },
      eth_getBlockReceipts: [other, receipt],
      eth_getTransactionByBlockNumberAndIndex: { ...wallets, value },
    }
    const result = results[method]
    return route.fulfill({ headers, json: { jsonrpc: '2.0', id: 1, result } })
  })
  const change = (facts: Record<string, string>) => {
    changed = facts
  }
  const forget = () => {
    isForgotten = true
  }
  return { calls, change, forget }
}

test.describe('hashing in the page needs JavaScript: without it the page refers to the program', () => {
  const check = async (page: Page) => {
    await page.getByRole('button', { name: 'Check the whole log' }).click()
    return page.locator('[data-check-ledger]').getByRole('status')
  }
  const keep = (page: Page, content: string) =>
    page
      .getByLabel('A checkpoint you saved (optional)')
      .setInputFiles({ name: 'kept.txt', mimeType: 'text/plain', buffer: Buffer.from(content) })

  test('accepts the log of the demonstration, as extending a kept checkpoint', async ({ page, sites }) => {
    await page.goto(`${sites.demo}/transparency/verify`)
    const archive = await (await page.request.get(`${sites.demo}/transparency/log/checkpoints.ndjson`)).text()
    const first = JSON.parse(archive.split('\n')[0] ?? '')
    await keep(page, first.note)
    const result = await check(page)
    await expect(result).toContainText(
      /^It matches\. Your browser checked [\d,]+ entries, and they have the fingerprint that we signed as /,
    )
    await expect(result).toContainText('since the checkpoint you saved.')
    await expect(page.getByRole('button', { name: 'Check the whole log' })).toBeFocused()
  })

  test('accepts the test vectors, and says what was not checked', async ({ page, sites }) => {
    await serve(page, whole)
    await page.goto(`${sites.demo}/transparency/verify`)
    await expect(await check(page)).toContainText(
      'Not checked: whether anything was rewritten before we signed this checkpoint, the notes (what the money was for) and the links, whether the payments took place and whether others see the same log.',
    )
    await keep(page, at9)
    await expect(await check(page)).toContainText('It matches. Your browser checked 14 entries')
    await expect(await check(page)).toContainText(
      'Not checked: the notes (what the money was for) and the links,',
    )
  })

  const altered = whole.replace('9.10', '9.20')
  test('compares a download with a checkpoint, and acts with earlier entries', async ({ page, sites }) => {
    for (const { what, exit, unsigned, checkpoint, ...one } of vectors.export_cases) {
      await serve(page, exportOf(new LogTree(entries.slice(0, one.entries).map(encodeText))), checkpoint)
      await page.goto(`${sites.demo}/transparency/verify`)
      const result = await check(page)
      if (exit === 0)
        await expect(result, what).toContainText(/^It matches\. Your browser checked \d+ entries/)
      else if (exit === 1) await expect(result, what).toContainText('Rows are missing')
      else
        await expect(result, what).toHaveText('The checkpoint covers no entry, so there is nothing to check.')
      await expect(result, what).toHaveClass(
        { 0: /border-good/, 1: /border-bad/, 2: /border-edge/ }[exit] ?? /never/,
      )
      if (unsigned)
        await expect(result, what).toContainText(`Not signed yet: ${unsigned} entries after that.`)
      else await expect(result, what).not.toContainText('Not signed yet')
      await page.unrouteAll()
    }
    for (const { what, entries, checkpoint, exit } of vectors.act_cases) {
      await serve(page, exportOf(new LogTree(entries.map(encodeText))), checkpoint)
      const words = exit === 0 ? /^It matches/ : /^(Entry \d is an act without its effect|Acts are missing)/
      await expect(await check(page), what).toContainText(words)
    }
  })

  test('a tile that is missing, is refused or fails to load is not reported as a fault of the log, but a truncated tile is reported as a fault', async ({
    page,
    sites,
  }) => {
    const unavailable = "We can't load the log right now. Please try again in a minute."
    for (const [respond, says] of [
      [(route: Route) => route.fulfill({ status: 404 }), unavailable],
      [(route: Route) => route.fulfill({ status: 503 }), unavailable],
      [(route: Route) => route.abort(), 'Connection lost. Please check again.'],
    ] as const) {
      await page.unrouteAll()
      await serve(page, whole)
      await page.route('**/transparency/log/tile/**', respond)
      await page.goto(`${sites.demo}/transparency/verify`)
      await keep(page, at9)
      const result = await check(page)
      await expect(result).toHaveText(says)
      await expect(result).toHaveClass(/border-edge/)
    }
    const result = page.locator('[data-check-ledger]').getByRole('status')
    await page.route('**/transparency/log/tile/**', (route) => route.fulfill({ body: Buffer.alloc(31) }))
    await expect(await check(page)).toContainText('A tile does not have the length of its width.')
    await expect(result).toHaveClass(/border-bad/)
  })

  test('stops reading a download that never ends', async ({ page, sites }) => {
    await serve(page, whole + '{"kind":"other"}\n'.repeat(10_001))
    await page.goto(`${sites.demo}/transparency/verify`)
    const result = await check(page)
    await expect(result).toHaveText('The download has too many entries that are not signed. We stopped.')
    await expect(result).toHaveClass(/border-edge/)
  })

  const cases: [what: string, content: string, checkpoint: string | null, says: string][] = [
    ['an altered entry', altered, latest, "the first 14 entries don't match the signed checkpoint"],
    ['a deleted entry', whole.replace(`${entries[6]}\n`, ''), latest, 'the download has 13 entries'],
    ['half an entry', whole.slice(0, -30), latest, 'The download stopped halfway through a row.'],
    ['a forged checkpoint', whole, latest.replace('\n14\n', '\n11\n'), 'does not match the text'],
    ['no checkpoint', whole, null, 'This site publishes no checkpoint yet'],
  ]
  test(`reports these faults: ${cases.map(([what]) => what).join(', ')}`, async ({ page, sites }) => {
    for (const [what, content, checkpoint, says] of cases) {
      await serve(page, content, checkpoint)
      await page.goto(`${sites.demo}/transparency/verify`)
      await expect(await check(page), what).toContainText(says)
      await page.unrouteAll()
    }
  })

  test('a kept checkpoint reveals that history was rewritten and signed', async ({ page, sites }) => {
    const forked = new LogTree(altered.trimEnd().split('\n').map(encodeText))
    await serve(page, altered, await checkpointOf(forked, key, origin), forked)
    await page.goto(`${sites.demo}/transparency/verify`)
    await expect(await check(page)).toContainText('It matches. Your browser checked 14 entries')
    await keep(page, at9)
    await expect(await check(page)).toContainText('The past was rewritten')
    await keep(page, 'nothing')
    await expect(await check(page)).toContainText("We can't use kept.txt. This is not a signed note.")
  })

  test('a long check can be cancelled', async ({ page, sites }) => {
    await serve(page, '')
    await page.route('**/transparency/log.ndjson', () => {})
    await page.goto(`${sites.demo}/transparency/verify`)
    const result = await check(page)
    await expect(page.getByRole('progressbar', { name: 'Entries checked' })).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(result).toContainText('Cancelled.')
    await expect(page.getByRole('button', { name: 'Check the whole log' })).toBeFocused()
  })

  const row = (page: Page) => page.locator('[data-check-row]')

  test('the page of a row checks the proof of the row and sends no request', async ({ page, sites }) => {
    await page.goto(`${sites.demo}/transparency/5#proof`)
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.getByRole('button', { name: 'Check this payment' }).click()
    await expect(row(page).getByRole('status')).toContainText(
      /^It matches\. By its fingerprint, this payment is entry \d+ of \d+ in our signed log: /,
    )
    await expect(row(page).getByRole('status')).toContainText('Signed by')
    // The browser itself, not the script, requests the page's icon.
    expect(requests.filter((url) => !/\/assets\/check-row-|\/favicon\.svg$/.test(url))).toEqual([])
    // The check of one row is fast, because the page contains the proof.
    const time = await page.evaluate(async () => {
      const place = document.querySelector('[data-check-row]') as HTMLElement
      const status = place.querySelector('[role=status]') as HTMLElement
      const times: number[] = []
      // The fastest of 15 checks, because other processes slow single ones on a busy machine.
      while (times.length < 15) {
        status.textContent = ''
        const from = performance.now()
        place.querySelector('button')?.click()
        while (!status.textContent) await new Promise((resolve) => setTimeout(resolve))
        times.push(performance.now() - from)
      }
      return Math.min(...times)
    })
    expect(time).toBeLessThan(50)
  })

  test("a row's page detects another entry's proof, a false hash and signature", async ({ page, sites }) => {
    await page.goto(`${sites.demo}/transparency/5#proof`)
    await page.getByRole('button', { name: 'Check this payment' }).click()
    await expect(row(page).getByRole('status')).toContainText(
      'It matches. By its fingerprint, this payment is',
    )
    const change = async (name: 'checkRow' | 'vkey' | 'row', from: string, to: string) => {
      await row(page).evaluate(
        (place, [name, from, to]) => {
          const { dataset } = place as HTMLElement
          dataset[name] = dataset[name]?.replace(from, to)
        },
        [name, from, to] as const,
      )
      await page.getByRole('button', { name: 'Check this payment' }).click()
    }
    await change('row', '5', '6')
    await expect(row(page).getByRole('status')).toContainText('The proof is for another row.')
    await change('row', '6', '5')
    await expect(row(page).getByRole('status')).toContainText(
      'It matches. By its fingerprint, this payment is',
    )
    await change('vkey', '+', 'x+')
    await expect(row(page).getByRole('status')).toContainText('Something is wrong.')
    await change('vkey', 'x+', '+')
    await change('checkRow', 'index ', 'index 1')
    await expect(row(page).getByRole('status')).toContainText(
      "Something is wrong. The proof doesn't show that this row is in the log.",
    )
  })

  test('the page states which endpoint the second button calls and that the endpoint will see the IP address, and calls the endpoint only after the button is pressed', async ({
    page,
    sites,
  }) => {
    const { calls, change } = await serveChain(page)
    const status = row(page).getByRole('status')
    await page.goto(`${sites.demo}/transparency/5#proof`)
    await expect(row(page)).toContainText(
      'This asks rpc.example for the transaction. They will see your IP address.',
    )
    await page.getByRole('button', { name: 'Check this payment' }).click()
    await expect(status).toContainText('It matches. By its fingerprint, this payment is')
    expect(calls).toEqual([])

    const ask = page.getByRole('button', { name: 'Check the blockchain too' })
    await ask.click()
    await expect(status).toContainText(
      'According to rpc.example, the transaction contains this transfer, in block 16.',
    )
    expect(calls[0]).toMatch(/^eth_getTransactionReceipt 0x[0-9a-f]{64}$/)

    change({ token_amount: '7' })
    await ask.click()
    await expect(status).toContainText(
      "Something is wrong. According to rpc.example, the transaction doesn't contain",
    )

    await page.unroute('https://rpc.example/**')
    await page.route('https://rpc.example/**', (route) => route.abort())
    await ask.click()
    await expect(status).toContainText("rpc.example didn't respond, or not with a transaction.")
    await expect(status).toContainText('Not checked here: whether the blockchain has the payment')
    await expect(status).not.toContainText('It matches')
    await expect(status).toHaveClass(/border-edge/)
  })

  test('the page reports only what an endpoint stated', async ({ page, sites }) => {
    await serveChain(page)
    await page.goto(`${sites.demo}/transparency/5#proof`)
    const ask = page.getByRole('button', { name: 'Check the blockchain too' })
    const status = row(page).getByRole('status')
    const headers = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' }
    const answers: [answer: object, says: string][] = [
      [{ result: null }, "rpc.example doesn't have this transaction in a block."],
      [{ error: { code: -32005, message: 'limit exceeded' } }, "rpc.example didn't respond, or not with"],
      [{ result: 'yes' }, "rpc.example didn't respond, or not with"],
      [{ result: { status: '0x1', blockNumber: '0x10' } }, "rpc.example didn't respond, or not with"],
    ]
    for (const [answer, says] of answers) {
      await page.unroute('https://rpc.example/**')
      await page.route('https://rpc.example/**', (route) =>
        route.fulfill({ headers, json: { jsonrpc: '2.0', id: 1, ...answer } }),
      )
      await ask.click()
      await expect(status, JSON.stringify(answer)).toContainText(says)
      await expect(status).toHaveClass(/border-edge/)
      await expect(status).not.toContainText('It matches')
    }
  })

  test('the second button checks the transfer of its row: none counts twice', async ({ page, sites }) => {
    await page.goto(`${sites.demo}/transparency/5#proof`)
    const status = row(page).getByRole('status')
    const headers = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' }
    let transaction: object = {}
    await page.route('https://rpc.example/**', (route) =>
      route.fulfill({ headers, json: { jsonrpc: '2.0', id: 1, result: transaction } }),
    )
    /** Shows the check of a row with these facts, signed, against this transaction. */
    const ask = async (claim: object, found: object) => {
      const entry = { kind: 'transaction', id: 5, amount_usd: null, token_symbol: 'T', ...claim }
      const log = new LogTree([encodeText(JSON.stringify({ ...entry, tx_hash: `0x${'1'.repeat(64)}` }))])
      const proof = formatProof({
        entry: log.entries[0] as Uint8Array<ArrayBuffer>,
        index: 0,
        path: await inclusionProof(0, 1, log.readTiles),
        note: await checkpointOf(log, key, origin),
      })
      const place = { blockNumber: '0x10', transactionIndex: '0x0' }
      transaction = { transactionHash: `0x${'1'.repeat(64)}`, ...place, ...found }
      await row(page).evaluate((place, dataset) => Object.assign((place as HTMLElement).dataset, dataset), {
        checkRow: proof,
        vkey,
        row: '5',
      })
      await status.evaluate((element) => element.replaceChildren())
      await page.getByRole('button', { name: 'Check the blockchain too' }).click()
    }
    for (const { what, row: claim, transaction: found, contains } of vectors.transfer_cases) {
      await ask(claim, found)
      await expect(status, what).toContainText(
        contains
          ? 'the transaction contains this transfer, in block 16.'
          : 'Something is wrong. According to',
      )
    }
    // No endpoint shows the coins that a contract moved, so nothing says that these were.
    const coins = {
      ordinal: 950_000,
      token_address: null,
      token_amount: '3000',
      from_address: `0x${'1'.repeat(40)}`,
    }
    await ask({ ...coins, to_address: `0x${'2'.repeat(40)}` }, { status: '0x1', logs: [] })
    await expect(status).toContainText(
      "rpc.example has this transaction in block 16, but doesn't show which coins contracts moved in it.",
    )
    await expect(status).toContainText('Not checked here: whether the blockchain has the payment')
    await expect(status).not.toContainText('It matches')
    await expect(status).toHaveClass(/border-edge/)
  })

  test('for a coin, the second button compares sender, recipient and amount', async ({ page, sites }) => {
    const { calls, change, forget } = await serveChain(page)
    const rows = await (await page.request.get(`${sites.demo}/transparency.json?type=cost`)).json()
    const { id } = rows.transactions.find(({ token_address }: { token_address: unknown }) => !token_address)
    await page.goto(`${sites.demo}/transparency/${id}#proof`)
    const ask = page.getByRole('button', { name: 'Check the blockchain too' })
    const status = row(page).getByRole('status')
    await ask.click()
    await expect(status).toContainText('the transaction contains this transfer, in block 16.')
    const differences: Record<string, string>[] = [
      { from_address: `0x${'7'.repeat(40)}` },
      { to_address: `0x${'7'.repeat(40)}` },
      { token_amount: '7' },
    ]
    for (const changed of differences) {
      change(changed)
      await ask.click()
      await expect(status, JSON.stringify(changed)).toContainText(
        "the transaction doesn't contain this transfer",
      )
      change({})
      await ask.click()
      await expect(status).toContainText('the transaction contains this transfer')
    }
    // An endpoint that has forgotten in which block the transaction is knows the block.
    forget()
    calls.length = 0
    change({ token_amount: '7' })
    await ask.click()
    await expect(status).toContainText("the transaction doesn't contain this transfer")
    change({})
    await ask.click()
    await expect(status).toContainText('the transaction contains this transfer, in block 16.')
    expect(calls.slice(0, 3)).toEqual([
      expect.stringMatching(/^eth_getTransactionReceipt 0x/),
      expect.stringMatching(/^eth_getBlockReceipts 0x[0-9a-f]+$/),
      'eth_getTransactionByBlockNumberAndIndex 0x10,0x2',
    ])
  })

  test('a browser without Ed25519 shows what was not checked', async ({ page, sites }) => {
    await page.addInitScript(() => {
      const missing = () => Promise.reject(new DOMException('Ed25519', 'NotSupportedError'))
      Object.defineProperty(crypto.subtle, 'importKey', { value: missing })
    })
    await page.goto(`${sites.demo}/transparency/5#proof`)
    await page.getByRole('button', { name: 'Check this payment' }).click()
    await expect(row(page).getByRole('status')).toContainText('Not checked: the signature')
    await expect(row(page).getByRole('status')).not.toContainText('It matches')
    await expect(row(page).getByRole('status')).not.toContainText('Signed by')
    await serve(page, whole)
    await page.goto(`${sites.demo}/transparency/verify`)
    const result = await check(page)
    await expect(result).toContainText(
      'Your browser checked 14 entries, and they have the fingerprint in the checkpoint.',
    )
    await expect(result).toContainText('Not checked: the signature')
    await expect(result).not.toContainText('It matches')
  })
})
