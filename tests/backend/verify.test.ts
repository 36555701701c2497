import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { type Head, signHead } from '../../app/ledger/head.server.ts'
import vectors from '../../public/ledger/vectors.json' with { type: 'json' }
import { type ChainRow, hashOf, toLines } from '../support/canonical.ts'
import { temporaryFolder } from '../support/data-folder.ts'

const program = fileURLToPath(new URL('../../public/verify-ledger.mjs', import.meta.url))
const folder = temporaryFolder()
afterAll(() => folder.remove())

const rows = vectors.rows.map(({ row }) => row as ChainRow)
const { head, private_key: secret } = vectors.head
const lines = rows.map((row) => JSON.stringify(row))
const whole = toLines(rows)

/** The file's path, for the command line. */
function file(name: string, content: string | Uint8Array): string {
  const path = join(folder.path, name)
  writeFileSync(path, content)
  return path
}
const chainFile = (content: string | Uint8Array) => file('chain.ndjson', content)
const headFile = (content: object, name = 'head.json') => file(name, JSON.stringify(content))

interface Outcome {
  status: number
  said: string
}

/** Runs the program as anybody would. */
function run(...parameters: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...parameters], (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code) : 0, said: stdout + stderr })
    })
  })
}

/** The chain of these facts as somebody would make it who writes history anew. */
function rechained(facts: ChainRow[]): ChainRow[] {
  let previous_hash = '0'.repeat(64)
  return facts.map((row, at) => {
    const linked = { ...row, seq: at + 1, previous_hash }
    previous_hash = hashOf(linked)
    return { ...linked, hash: previous_hash }
  })
}

const headOf = (chain: ChainRow[], key = secret): Promise<Head> =>
  signHead(key, chain.length, chain.at(-1)?.hash ?? '', new Date('2025-06-01T00:00:00Z'))

test('it finds that the vectors hold, and says who signed them', async () => {
  const { status, said } = await run(chainFile(whole), headFile(head), '--key', head.public_key)
  expect(said).toBe(
    `The chain holds: 12 rows, each with the hash of its facts and of the row before it.
Its end is ${head.hash}.
The head holds: row 12 was signed at ${head.signed_at} by ${head.public_key}.
To find out later whether history was written anew, keep this head for --since.
`,
  )
  expect(status).toBe(0)
})

test('it says what a head does not cover, and what is not proven by a key that came with it', async () => {
  const early = await headOf(rows.slice(0, 9))
  const { status, said } = await run(chainFile(whole), headFile(early))
  expect(said).toContain('Not signed yet: 3 rows after it.')
  expect(said).toContain('Compare it with one that you got elsewhere')
  expect(status).toBe(0)
  expect((await run(chainFile(''))).said).toContain('The chain holds: 0 rows')
})

const changed = (row: number, change: Partial<ChainRow>) =>
  toLines(rows.map((facts, at) => (at + 1 === row ? ({ ...facts, ...change } as ChainRow) : facts)))
const swapped = rows.map((_, at) => lines[at === 4 ? 5 : at === 5 ? 4 : at])

test.each<[what: string, content: string, row: number, why: RegExp]>([
  ['a row deleted', toLines(rows.toSpliced(3, 1)), 4, /its place is 5\. Rows are missing/],
  ['the first row deleted', toLines(rows.slice(1)), 1, /its place is 2/],
  ['a row inserted', toLines(rows.toSpliced(6, 0, rows[2] as ChainRow)), 7, /its place is 3/],
  ['two rows in another order', `${swapped.join('\n')}\n`, 5, /its place is 6/],
  ['an amount altered', changed(2, { amount_usd: '9234.50' }), 2, /its facts have/],
  ['a note removed', changed(4, { note: null }), 4, /its facts have/],
  [
    'a fact moved to its neighbour',
    changed(2, { rate_source: null, token_symbol: 'USDTx' }),
    2,
    /its facts have/,
  ],
  [
    'an amount altered and its hash computed anew',
    changed(2, { amount_usd: '9.00', hash: hashOf({ ...(rows[1] as ChainRow), amount_usd: '9.00' }) }),
    3,
    /it follows a row with the hash/,
  ],
  [
    'a row numbered anew',
    toLines(rows.toSpliced(3, 1).map((row, at) => ({ ...row, seq: at + 1 }))),
    4,
    /it follows/,
  ],
  ['a name that stands twice', whole.replace('"note":null', '"note":"shown","note":null'), 1, /not spelled/],
  ['another spelling of a number', whole.replace('"chain_id":56', '"chain_id":56.0'), 1, /not spelled/],
  [
    'a number for a text',
    whole.replace('"amount_usd":"1234.50"', '"amount_usd":1234.5'),
    2,
    /amount_usd is not text/,
  ],
  ['a column too many', whole.replace('"type"', '"extra":1,"type"'), 1, /its columns are not/],
  ['a character that is none', whole.replace('\ufffd', '\\ud800'), 8, /note is not text/],
  ['the end of the last line cut off', whole.slice(0, -1), 12, /on a line of its own/],
  ['an empty line', whole.replace('\n', '\n\n'), 2, /on a line of its own/],
])('%s is found', async (_, content, row, why) => {
  const { status, said } = await run(chainFile(content))
  expect(said).toMatch(new RegExp(`^Row ${row} does not hold: `))
  expect(said).toMatch(why)
  expect(status).toBe(1)
})

test('rows cut off the end are found by the head', async () => {
  const { status, said } = await run(chainFile(toLines(rows.slice(0, 10))), headFile(head))
  expect(said).toMatch(
    /^The chain ends at row 10, but the head signed at .* names row 12\.\nRows were cut off/,
  )
  expect(status).toBe(1)
})

test('rows cut off, and a head signed over what is left, are found by an older head', async () => {
  const left = rows.slice(0, 10)
  const chain = chainFile(toLines(left))
  const now = headFile(await headOf(left))
  expect((await run(chain, now)).status).toBe(0)
  const { status, said } = await run(chain, now, '--since', headFile(head, 'older.json'))
  expect(said).toMatch(/^The chain ends at row 10, but .*older\.json\) names row 12/)
  expect(status).toBe(1)
})

test('history written anew and signed is found by an older head, in an archive too', async () => {
  const older = await headOf(rows.slice(0, 6))
  const rewritten = rechained(rows.map((row) => (row.seq === 4 ? { ...row, amount_usd: '9.10' } : row)))
  const chain = chainFile(toLines(rewritten))
  const now = headFile(await headOf(rewritten))
  expect((await run(chain, now)).status).toBe(0)

  const archive = file('heads.ndjson', `${[older, head].map((one) => JSON.stringify(one)).join('\n')}\n`)
  for (const since of [headFile(older, 'older.json'), archive]) {
    const { status, said } = await run(chain, now, '--since', since)
    expect(said).toMatch(/^Row 6 is not the one that the head signed at .* names: history was written anew\./)
    expect(status).toBe(1)
  }
  const { status, said } = await run(chainFile(whole), headFile(head), '--since', archive)
  expect(said).toContain(`Nothing up to row 6 was changed since ${older.signed_at}.`)
  expect(status).toBe(0)
})

test('a signature that is not over this head, or not by the pinned key, is found', async () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const stranger = await headOf(rows, privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'))
  const chain = chainFile(whole)
  const forged = [
    { ...head, seq: 11 },
    { ...head, hash: rows[0]?.hash },
    { ...head, signed_at: '2020-01-01T00:00:00.000Z' },
    { ...head, public_key: stranger.public_key },
    { ...head, signature: stranger.signature },
    { ...head, signature: 'nonsense' },
    { ...head, public_key: '' },
  ]
  for (const one of forged) {
    const { status, said } = await run(chain, headFile(one))
    expect(said).toMatch(/^The signature of the head signed at .* does not hold\./)
    expect(status).toBe(1)
  }
  expect(await run(chain, headFile(stranger))).toMatchObject({ status: 0 })
  expect(await run(chain, headFile(stranger), '--key', head.public_key)).toMatchObject({
    status: 1,
    said: expect.stringContaining('which --key does not name'),
  })
  expect((await run(chain, headFile(head), '--since', headFile(stranger, 'older.json'))).said).toContain(
    'signed with 2 different keys',
  )
})

test('what cannot be checked is told apart from what does not hold', async () => {
  const chain = chainFile(whole)
  const unchecked = [
    [],
    [join(folder.path, 'absent')],
    [chain, join(folder.path, 'absent')],
    [chain, headFile({ message: 'No head of this ledger has been signed yet.' })],
    [chain, headFile({ ...head, seq: 0 })],
    [chain, '--since'],
    [chain, '--key', 'short'],
    [chain, '--bogus'],
  ]
  for (const parameters of unchecked) expect(await run(...parameters)).toMatchObject({ status: 2 })
  expect(await run('--help')).toMatchObject({ status: 0, said: expect.stringContaining('Exit status') })
})

test('any octet of any row that becomes another one is found, in that row or the next', async () => {
  const { checkRow, linesOf } = await import(program)
  /** The first row that does not hold of these lines, which follow `former`. */
  const firstFault = async (octets: Uint8Array, former: Pick<ChainRow, 'seq' | 'hash'>) => {
    let last = former
    try {
      for await (const line of linesOf([octets])) last = checkRow(line, last)
    } catch {
      return last.seq + 1
    }
    return null
  }
  const pairs = rows.map((row, at) => ({
    seq: row.seq,
    former: rows[at - 1] ?? { seq: 0, hash: '0'.repeat(64) },
    octets: Buffer.from(toLines(rows.slice(at, at + 2))),
    length: Buffer.from(toLines([row])).length,
  }))
  for (const { octets, former } of pairs) expect(await firstFault(octets, former)).toBe(null)

  const change = fc.record({
    pair: fc.constantFrom(...pairs),
    place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    by: fc.integer({ min: 1, max: 255 }),
  })
  await fc.assert(
    fc.asyncProperty(change, async ({ pair, place, by }) => {
      const tampered = Buffer.from(pair.octets)
      const at = Math.floor(place * pair.length)
      tampered[at] = (tampered[at] ?? 0) ^ by
      expect([pair.seq, pair.seq + 1]).toContain(await firstFault(tampered, pair.former))
    }),
    { numRuns: 3_000 },
  )
})
