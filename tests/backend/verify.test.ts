import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { encodeBase64, encodeText } from '../../app/log/bytes.ts'
import { cosign, witnessKeyOf } from '../../app/log/cosignature.ts'
import { formatVerifierKey, verifierKeyOf } from '../../app/log/note.ts'
import { formatProof } from '../../app/log/proof.ts'
import { inclusionProof } from '../../app/log/tree.ts'
import vectors from '../../public/ledger/log-vectors.json' with { type: 'json' }
import tlog from '../../public/ledger/tlog-vectors.json' with { type: 'json' }
import { temporaryFolder } from '../support/data-folder.ts'
import { checkpointOf, exportOf, startLogSite } from '../support/log-site.ts'
import { LogTree } from '../support/log-tree.ts'

/** The end of a run: its exit status, and a part of its output. */
const says = (status: number, text: string) => ({ status, said: expect.stringContaining(text) })

const program = fileURLToPath(new URL('../../public/verify-ledger.mjs', import.meta.url))
const folder = temporaryFolder()
afterAll(() => folder.remove())

const { origin, vkey, private_key: key, entries } = vectors
const newKey = () =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
const toTree = (lines: string[]) => new LogTree(lines.map(encodeText))
const tree = toTree(entries)
const whole = exportOf(tree)
const [at6 = '', at9 = '', latest = ''] = vectors.checkpoints

/** Writes a file, and returns its path. */
function file(name: string, content: string | Uint8Array): string {
  const path = join(folder.path, name)
  writeFileSync(path, content)
  return path
}
const exportFile = (content: string | Uint8Array) => file('log.ndjson', content)
const checkpointFile = (note: string, name = 'checkpoint') => file(name, note)
const signed = (lines: string[], size?: number) => checkpointOf(toTree(lines), key, origin, size)

/** Runs the program in a separate folder, as a visitor would. */
function run(...parameters: string[]): Promise<{ status: number; said: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...parameters], { cwd: folder.path }, (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code) : 0, said: stdout + stderr })
    })
  })
}
/** Runs the program in this process. This is faster for the many cases of the vectors. */
async function runHere(...parameters: string[]): Promise<{ status: number; said: string }> {
  const { status, text } = await (await import(program)).run(parameters)
  return { status, said: text }
}
const checkHere = (content: string, note = latest, ...more: string[]) =>
  runHere(exportFile(content), checkpointFile(note), '--vkey', vkey, ...more)
const check = (content: string | Uint8Array, note = latest, ...more: string[]) =>
  run(exportFile(content), checkpointFile(note), '--vkey', vkey, ...more)

test('accepts the export and checkpoint of the test vectors', async () => {
  const { status, said } = await check(whole)
  expect(said).toBe(
    `OK: 14 entries checked. They match the root that ${origin} signed.
Keep this checkpoint. Next time, pass it with --since to see if anything was rewritten.
Not checked: the texts (--texts), the anchors (--anchors and --rpc), whether the payments took place, whether others see the same log.
`,
  )
  expect(status).toBe(0)
})

test.each(vectors.export_cases)('compares an export and a checkpoint: $what', async (one) => {
  const content = toExport(entries.slice(0, one.entries))
  const { status, said } = await checkHere(content, one.checkpoint)
  expect([status, said]).toEqual([one.exit, expect.any(String)])
  if (one.exit === 2) expect(said).toBe('The checkpoint covers no entry, so there is nothing to check.\n')
  if (one.exit !== 0) return
  expect(said.includes('Not signed yet')).toBe(one.unsigned !== 0)
  if (one.unsigned) expect(said).toContain(`Not signed yet: ${one.unsigned} entries after them.`)
})

test.each(vectors.act_cases)('compares acts with the entries before them: $what', async (one) => {
  const { status, said } = await checkHere(toExport(one.entries), one.checkpoint)
  expect([status, said]).toEqual([
    one.exit,
    expect.stringMatching(one.exit === 0 ? /^OK/ : /^Entry \d is (an act, and the entry before it|act \d)/),
  ])
})

test('counts an entry as signed if an older checkpoint covers it', async () => {
  const { status, said } = await checkHere(whole, at9, '--since', checkpointFile(latest, 'newer'))
  expect(said).not.toContain('Not signed yet')
  expect(status).toBe(0)
})

const textsFile = (lines: string[]) => file('texts.ndjson', lines.map((line) => `${line}\n`).join(''))

test.each(vectors.people_cases)('checks the operators of an act: $what', async (one) => {
  const { status, said } = await checkHere(toExport(one.entries), one.checkpoint)
  expect([status, said]).toEqual([one.exit, expect.any(String)])
  expect(said.includes('does not name the operators')).toBe(one.exit === 1)
  expect(said.includes(`names no operator: ${one.unnamed}.`)).toBe(one.unnamed > 0)
})

test.each<{ what: string; lines: string[]; exit: number; more?: string[] }>(vectors.text_cases)(
  'compares the texts with the entries: $what',
  async ({ lines, exit, more = [] }) => {
    const exported = toExport([...entries, ...more])
    const { status, said } = await checkHere(exported, latest, '--texts', textsFile(lines))
    expect([status, said]).toEqual([exit, expect.any(String)])
    expect(said.includes('The texts are those that were recorded')).toBe(exit === 0)
  },
)

test('counts the texts of posts on X separately, and accepts no other text as the text of a post on X', async () => {
  const statement = entries.map((entry) => JSON.parse(entry)).find(({ kind }) => kind === 'statement')
  const texts = vectors.texts.map((text) => ({ ...text, post_url: null as string | null }))
  const first = texts.find(({ hash }) => hash === statement.text_hash)
  const others = texts.filter((text) => text !== first)
  const hidden = (changes: object) => [
    { ...first, salt: null, text: null, withdrawn_at: null, ...changes },
    ...others,
  ]
  const checkTexts = (lines: object[]) =>
    checkHere(whole, latest, '--texts', textsFile(lines.map((line) => JSON.stringify(line))))
  const { status, said } = await checkTexts(hidden({ post_url: 'https://x.com/cz/status/1' }))
  expect([status, said]).toEqual([0, expect.stringContaining('recorded: 7, and 1 withdrawn.')])
  expect(said).toContain('Texts of posts of X, which are published there and not checked here: 1.')
  for (const wrong of [
    { post_url: null },
    { post_url: 'https://example.org/x.com/' },
    { post_url: 'https://x.com/cz/status/1', salt: first?.salt },
  ])
    expect((await checkTexts(hidden(wrong))).status).not.toBe(0)
})

test('counts texts, withdrawals, and hashes with neither a text nor a withdrawal', async () => {
  const lines = vectors.texts.map((text) => JSON.stringify(text))
  expect((await check(whole, latest, '--texts', textsFile(lines))).said).toContain(
    'The texts are those that were recorded: 8, and 1 withdrawn.',
  )
  expect((await check(whole, latest, '--texts', textsFile(lines.slice(2)))).said).toContain(
    'Hashes of signed entries without a text or a withdrawal: 2. The first is in entry 2.',
  )
  // The checkpoint of size 6 covers neither the statement nor the update, so their texts may be missing.
  expect(await check(whole, at6, '--texts', textsFile(lines.slice(0, 3)))).toMatchObject(
    says(0, 'Withdrawals that are not signed yet: 1.'),
  )
})

const replaced = (at: number, change: [string, string]) =>
  entries.map((entry, place) => (place === at ? entry.replace(...change) : entry))
const toExport = (lines: string[]) => exportOf(toTree(lines))

test.each<[what: string, content: string, why: RegExp]>([
  ['an entry deleted', toExport(entries.toSpliced(3, 1)), /The export ends after 13 entries/],
  ['the first entry deleted', toExport(entries.slice(1)), /The export ends after 13/],
  [
    'an entry inserted',
    toExport(entries.toSpliced(6, 0, entries[2] as string)),
    /first 14 entries .* are not/,
  ],
  [
    'two entries in another order',
    toExport(entries.toSpliced(4, 2, ...entries.slice(4, 6).reverse())),
    /are not/,
  ],
  [
    'an amount altered',
    toExport(replaced(1, ['1234.50', '9234.50'])),
    /are not those of the checkpoint of 14/,
  ],
  [
    'a hash of a note removed',
    toExport(replaced(2, [/"note_hash":".*?"/.exec(entries[2] ?? '')?.[0] ?? '', '"note_hash":null'])),
    /are not/,
  ],
  [
    'a character moved from one value to the next',
    toExport(replaced(1, ['"USDT","token_decimals":18', '"USDT18","token_decimals":1'])),
    /are not/,
  ],
  ['an account altered', toExport(replaced(3, ['"account":"animals"', '"account":"treasury"'])), /are not/],
  [
    'the last entry replaced by a copy of the first',
    toExport([...entries.slice(0, 13), entries[0] as string]),
    /are not/,
  ],
  [
    'a name that appears twice',
    whole.replace('"pool":null', '"pool":"education","pool":null'),
    /Entry 0 is not written/,
  ],
  [
    'another spelling of a number',
    whole.replace('"chain_id":56', '"chain_id":56.0'),
    /Entry 0 is not written/,
  ],
  ['a number in place of a text', whole.replace('"amount_usd":"1234.50"', '"amount_usd":1234.5'), /are not/],
  ['a field added', whole.replace('"kind"', '"extra":1,"kind"'), /are not/],
  ['half of a surrogate pair', whole.replace('�', '\\ud800'), /are not/],
  ['the end of the last line cut off', whole.slice(0, -1), /stopped halfway through an entry/],
  ['an empty line', whole.replace('\n', '\n\n'), /Entry 1 is not a JSON object/],
  ['a line without an end', `${whole}${'x'.repeat(70_000)}\n`, /longer than an entry may be/],
])('reports an altered export: %s', async (_, content, why) => {
  const { status, said } = await check(content)
  expect(said).toMatch(why)
  expect(status).toBe(1)
})

test('reports how many entries an older checkpoint still confirms', async () => {
  const rewritten = toExport(replaced(7, ['9.10', '9.20']))
  const { said } = await check(rewritten, latest, '--since', checkpointFile(at6, 'at6'))
  expect(said).toContain('moved after the first 6.')
})

test('an older checkpoint reveals that entries were cut off, even if a smaller checkpoint was signed over the rest', async () => {
  const left = entries.slice(0, 10)
  const smaller = await signed(left)
  expect((await check(toExport(left), smaller)).status).toBe(0)
  const { status, said } = await check(toExport(left), smaller, '--since', checkpointFile(latest, 'older'))
  expect(said).toMatch(/^The export ends after 10 entries, but the checkpoint of 14 \(.*older\) has 14\./)
  expect(status).toBe(1)
})

test('an older checkpoint reveals that history was rewritten and signed, even in an archive', async () => {
  const rewritten = replaced(3, ['9.00', '9.10'])
  const note = await signed(rewritten)
  expect((await check(toExport(rewritten), note)).status).toBe(0)
  const archive = file(
    'archive.ndjson',
    [at6, at9].map((one) => `${JSON.stringify({ note: one })}\n`).join(''),
  )
  for (const since of [checkpointFile(at6, 'older'), archive]) {
    const { status, said } = await check(toExport(rewritten), note, '--since', since)
    expect(said).toMatch(/^The first 6 entries of this export are not those of the checkpoint of 6/)
    expect(status).toBe(1)
  }
  const { status, said } = await check(whole, latest, '--since', archive)
  expect(said).toContain('It begins with the 9 entries of the checkpoint of 9')
  expect(status).toBe(0)
})

test('detects a signature over different data or by a different key, and a signature followed by junk', async () => {
  const stranger = newKey()
  const wrong = [
    latest.replace('\n14\n', '\n11\n'),
    latest.replace(/(.{43}=)/, encodeBase64(tree.root(6))),
    await checkpointOf(tree, stranger, origin),
    await checkpointOf(tree, key, 'other.example/log'),
    `${latest}junk\n`,
    latest.replace(/\n$/, ' junk\n'),
    latest.replace(/\n$/, ''),
    latest.replace('=\n\n', '=\r\n\n'),
    latest.split('\n\n')[0] ?? '',
  ]
  for (const note of wrong) {
    const { status, said } = await check(whole, note)
    expect([note, status, said]).toEqual([note, 1, expect.stringMatching(/checkpoint/)])
  }
  const both = await checkpointOf(tree, stranger, 'witness.example')
  const cosigned = `${latest}${both.slice(both.indexOf('—'))}`
  expect((await check(whole, cosigned)).status).toBe(0)
  const strangerKey = await verifierKeyOf({ name: origin, privateKey: stranger })
  expect(await run(exportFile(whole), checkpointFile(latest), '--vkey', strangerKey)).toMatchObject({
    status: 1,
  })
})

test('accepts exactly the notes that the Go implementation accepts', async () => {
  for (const { what, note, opens } of tlog.note.cases) {
    const { said } = await run(exportFile(whole), checkpointFile(note), '--vkey', tlog.note.vkey)
    // The export is of another log, so a note with a valid signature is rejected for its size.
    const isOpen = said.includes('The export ends after 14 entries, but the checkpoint of 1000')
    expect([what, isOpen]).toEqual([what, opens])
  }
})

test.each(tlog.cosignature.cases)(
  'verifies the signatures of witnesses with the same result as torchwood: $what',
  async (one) => {
    const keys = ['--vkey', tlog.note.vkey, '--witness', tlog.cosignature.vkey]
    const { said } = await runHere(exportFile(whole), checkpointFile(one.note), ...keys)
    // The export is of another log, as the program says only after it accepted the witnesses.
    const expected = !one.opens
      ? /^The cosignature of witness\.example\/w1 is wrong/
      : one.cosigned === 0
        ? /^None of the witnesses has cosigned/
        : /^The export ends after 14 entries/
    expect(said).toMatch(expected)
  },
)

test('counts the witnesses of an export, a row and a site, and exits with 1 below the quorum', async () => {
  const [one, two, late] = await Promise.all(
    ['a.example', 'b.example', 'c.example'].map(async (name) => {
      const witness = { name, privateKey: newKey() }
      return { witness, vkey: await witnessKeyOf(witness) }
    }),
  )
  if (!one || !two || !late) throw new Error('three witnesses are needed')
  const text = latest.slice(0, latest.indexOf('\n\n') + 1)
  const at = Date.parse('2026-11-20T12:31:00Z') / 1000
  const lines = await Promise.all([one, two].map(({ witness }) => cosign(witness, text, at)))
  const note = `${latest}${lines.join('')}`
  const site = await startLogSite({ tree, vkey, checkpoint: note })
  const proof = file('cosigned.tlog-proof', vectors.proof.replace(latest, note))
  const remember = ['--remember', join(folder.path, 'cosigned.json')]
  const checks = [
    [exportFile(whole), checkpointFile(note), '--vkey', vkey],
    ['--row', proof, '--vkey', vkey],
    [site.url, '--vkey', vkey, ...remember],
  ]
  for (const check of checks) {
    const witnesses = (...given: { vkey: string }[]) => given.flatMap((each) => ['--witness', each.vkey])
    const both = await runHere(...check, ...witnesses(one, two))
    expect([both.status, both.said]).toEqual([0, expect.stringMatching(/^(OK|The)/)])
    for (const name of ['a.example', 'b.example'])
      expect(both.said).toContain(`Cosigned by ${name} at 2026-11-20T12:31:00Z, by the clock of the witness.`)
    expect(both.said).not.toContain('whether others see the same log')
    expect(await runHere(...check, ...witnesses(one, late), '--quorum', '1')).toMatchObject({ status: 0 })
    expect(await runHere(...check, ...witnesses(one, two, late))).toEqual(
      says(1, 'Only 2 of 3 witnesses have cosigned'),
    )
    expect(await runHere(...check, ...witnesses(late))).toEqual(says(2, 'None of the witnesses has cosigned'))
    for (const quorum of ['0', '3', 'x'])
      expect((await runHere(...check, ...witnesses(one, two), '--quorum', quorum)).status).toBe(2)
  }
  const future = await cosign(one.witness, text, Math.floor(Date.now() / 1000) + 400)
  expect(await checkHere(whole, `${latest}${future}`, '--witness', one.vkey)).toEqual(
    says(1, 'time in the future'),
  )
  expect((await checkHere(whole, note, '--witness', vkey)).said).toContain(
    'is not the verifier key of a witness',
  )
  await site.close()
})

test('exits with 2 if something cannot be checked', async () => {
  const [log, note] = [exportFile(whole), checkpointFile(latest)]
  const weak = await formatVerifierKey(origin, new Uint8Array(32))
  const unchecked = [
    [],
    [log],
    [log, note],
    [join(folder.path, 'absent'), note, '--vkey', vkey],
    [log, join(folder.path, 'absent'), '--vkey', vkey],
    [file('empty', ''), note, '--vkey', vkey],
    [log, note, '--vkey'],
    [log, note, '--vkey', weak],
    [log, note, '--vkey', vkey.replace('goodblock', 'other')],
    [log, note, '--vkey', 'short'],
    [log, note, '--vkey', vkey, '--bogus'],
    ['--row', log, '--vkey', vkey],
    ['--row', file('empty', ''), '--vkey', vkey],
    ['http://127.0.0.1:1'],
    ['http://'],
    ['http://127.0.0.1:1', '--timeout', '0'],
    ['http://127.0.0.1:1', '--anchor-from', `0x${'a'.repeat(40)}`],
    // These options do not apply to this check.
    [log, note, '--vkey', vkey, '--whole'],
    [log, note, '--vkey', vkey, '--id', '5'],
    [log, note, '--vkey', vkey, '--rpc', 'http://127.0.0.1:1'],
    ['http://127.0.0.1:1', '--texts', log],
    ['--row', log, '--vkey', vkey, '--since', note],
  ]
  for (const parameters of unchecked)
    expect([parameters, await run(...parameters)]).toEqual([
      parameters,
      expect.objectContaining({ status: 2 }),
    ])
  expect(await run('--help')).toMatchObject(says(0, 'Exit status'))
})

test('checks one row with its proof, and shows the facts of the row', async () => {
  const proof = file('5.tlog-proof', vectors.proof)
  const { status, said } = await run('--row', proof, '--vkey', file('vkey', `${vkey}\n`), '--id', '5')
  expect(said).toMatch(
    /^The row is in the log: entry 4 of the 14 that goodblock\.example\/transparency\/log has/,
  )
  expect(said).toContain('amount_usd: 8.50')
  expect(said).toContain('Not checked: whether the payment took place')
  expect(status).toBe(0)
})

async function proofOf(entry: number, index: number, note = latest): Promise<string> {
  const path = await inclusionProof(index, 14, tree.readTiles)
  return formatProof({ entry: encodeText(entries[entry] ?? ''), index, path, note })
}

test('the proof of an act is reported as the proof of an entry, not of a row or a payment', async () => {
  const { status, said } = await runHere('--row', file('13', await proofOf(13, 13)), '--vkey', vkey)
  expect(said).toMatch(/^The entry is in the log: entry 13 of the 14 that /)
  expect(said).toContain('kind: act')
  expect(said).toContain('Not checked: whether what the entry says is true, ')
  expect(said).not.toContain('payment')
  expect(status).toBe(0)
})

test('detects a proof for a different row, and an altered proof', async () => {
  const good = await proofOf(4, 4)
  expect(good).toBe(vectors.proof)
  const wrong = [
    await proofOf(5, 4),
    await proofOf(4, 5),
    await proofOf(4, 4, at9),
    await proofOf(4, 4, await checkpointOf(tree, newKey(), origin)),
    good.replace(/\n.{43}=\n/, '\n'),
    good.replace('index 4', 'index 6'),
    good.replace('index 4', 'index 20'),
    `${good}junk\n`,
  ]
  for (const proof of wrong)
    expect([proof, await run('--row', file('bad', proof), '--vkey', vkey)]).toEqual([
      proof,
      expect.objectContaining({ status: 1 }),
    ])
  expect(await run('--row', file('good', good), '--vkey', vkey, '--id', '6')).toMatchObject(
    says(1, 'for another entry (transaction 5), not for row 6'),
  )
})

test('detects any changed byte of an export', async () => {
  const { checkExport } = await import(program)
  const wanted = { size: 14, root: Buffer.from(tree.root()), title: 'the checkpoint' }
  const bytes = Buffer.from(whole)
  expect(await checkExport([bytes], wanted)).toMatchObject({ size: 14 })
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }), async (at, by) => {
      const tampered = Buffer.from(bytes)
      tampered[at] = (tampered[at] ?? 0) ^ by
      await expect(checkExport([tampered], wanted)).rejects.toThrow()
    }),
    { numRuns: 1_000 },
  )
})

/** A larger log, so that proofs need tiles of two levels. */
const large = toTree(Array.from({ length: 1_000 }, (_, at) => JSON.stringify({ kind: 'other', id: at })))
const forked = toTree(
  Array.from({ length: 1_000 }, (_, at) => JSON.stringify({ kind: 'other', id: at === 100 ? -1 : at })),
)
const kept = join(folder.path, 'kept.json')
const visit = (url: string, ...more: string[]) => run(url, '--remember', kept, ...more)
const served = async (log: LogTree, size = log.size) => ({
  tree: log,
  vkey,
  checkpoint: await checkpointOf(log, key, origin, size),
})

test('remembers the checkpoint of a site, and proves later that the log of the site has only grown', async () => {
  rmSync(kept, { force: true })
  const site = await startLogSite(await served(large, 300))
  const first = await visit(site.url)
  expect(first.said).toContain(`The log has 300 entries, signed by ${origin}.`)
  expect(first.said).toContain('The key came from the site. Compare it')
  expect(first.status).toBe(0)

  site.serve(await served(large, 999))
  site.requests.length = 0
  const second = await visit(`${site.url}/transparency`)
  expect(second.said).toContain('It begins with the 300 entries of the checkpoint of 300')
  expect(second.status).toBe(0)
  // The program downloads neither the export nor every tile.
  expect(site.requests).not.toContain('log.ndjson')
  expect(site.requests).toContain('tile/0/003.p/231')
  expect(JSON.parse(readFileSync(kept, 'utf8')).note).toContain('\n999\n')

  site.serve(await served(large))
  const third = await visit(
    site.url,
    '--whole',
    '--since',
    file('old', await checkpointOf(large, key, origin, 257)),
  )
  expect(third.said).toContain('Every entry of the export is in it: 1000.')
  expect(third.said).toContain('It begins with the 257 entries')
  expect(third.status).toBe(0)
  await site.close()
})

test('the remembered checkpoint reveals a fork, a smaller log, a different key or a different log', async () => {
  rmSync(kept, { force: true })
  const site = await startLogSite(await served(large, 400))
  expect((await visit(site.url)).status).toBe(0)
  const before = readFileSync(kept, 'utf8')
  const stranger = newKey()
  const strangerKey = await verifierKeyOf({ name: origin, privateKey: stranger })
  const otherName = 'other.example/log'
  const attacks = [
    [await served(forked, 500), /^History was rewritten: .*Keep both/s],
    [await served(forked, 400), /^History was rewritten/],
    [await served(large, 399), /^The log has shrunk/],
    [
      { tree: large, vkey: strangerKey, checkpoint: await checkpointOf(large, stranger, origin) },
      /not signed with/,
    ],
    [{ ...(await served(large)), checkpoint: await checkpointOf(large, key, otherName) }, /not signed with/],
  ] as const
  for (const [log, why] of attacks) {
    site.serve(log)
    const { status, said } = await visit(site.url)
    expect([status, said]).toEqual([1, expect.stringMatching(why)])
    // The remembered checkpoint is evidence: a failed check never replaces it.
    expect(readFileSync(kept, 'utf8')).toBe(before)
  }
  await site.close()
})

test('detects a truncated tile, a false tile, and a tile of a different history', async () => {
  rmSync(kept, { force: true })
  const site = await startLogSite(await served(large, 400))
  expect((await visit(site.url)).status).toBe(0)
  const good = await served(large)
  const flip = (bytes: Uint8Array) => bytes.map((byte, at) => (at === 40 ? byte ^ 1 : byte))
  const alterations: [(path: string, bytes: Uint8Array) => Uint8Array | null, number][] = [
    [(path, bytes) => (path.startsWith('tile/1/') ? bytes.subarray(32) : bytes), 1],
    [(path, bytes) => (path.startsWith('tile/0/') ? bytes.subarray(0, -1) : bytes), 1],
    [(path, bytes) => (path === 'tile/0/003.p/232' ? flip(bytes) : bytes), 1],
    [(path, bytes) => (path === 'tile/0/001' ? flip(bytes) : bytes), 1],
    [(path, bytes) => (path === 'tile/1/000.p/3' ? (forked.tile(1, 0, 3) ?? bytes) : bytes), 1],
    [(path, bytes) => (path.startsWith('tile/') ? null : bytes), 2],
    [(path, bytes) => (path === 'checkpoint' ? null : bytes), 2],
  ]
  for (const [alter, status] of alterations) {
    site.serve({ ...good, alter })
    expect(await visit(site.url)).toMatchObject({ status })
  }
  site.serve(good)
  expect((await visit(site.url)).status).toBe(0)
  await site.close()
})

test('uses the full tile if a partial tile is missing', async () => {
  rmSync(kept, { force: true })
  const log = await served(large, 300)
  const alter = (path: string, bytes: Uint8Array) => (path.includes('.p/') ? null : bytes)
  const full = new LogTree(large.entries.slice(0, 1_000))
  const site = await startLogSite({ ...log, tree: full, alter })
  // No partial tile is served, and tile 1/000 is not full yet, so the check cannot succeed.
  expect((await visit(site.url)).status).toBe(2)
  site.serve({ ...log, alter: (path, bytes) => (path === 'tile/0/001.p/44' ? null : bytes) })
  expect((await visit(site.url)).status).toBe(0)
  await site.close()
})

/** The entries of the log, and five more entries that no checkpoint covers. */
const extended = toTree([
  ...large.entries.map((entry) => Buffer.from(entry).toString()),
  ...Array.from({ length: 5 }, (_, at) =>
    JSON.stringify({ kind: 'transaction', id: at, amount_usd: '1000000.00' }),
  ),
])

test('--whole does not report an entry as checked if no checkpoint covers it', async () => {
  rmSync(kept, { force: true })
  const site = await startLogSite({ ...(await served(large)), exported: extended })
  const unsigned = await visit(site.url, '--whole', '--wait', '0')
  expect(unsigned).toMatchObject(says(2, 'Not signed yet: 5 entries of the export, after the 1000 that'))
  expect(unsigned.said).not.toContain('Every entry')
  expect(existsSync(kept)).toBe(false)
  // Without --whole the program does not read the export, and the report says so.
  expect(await visit(site.url)).toMatchObject(says(0, 'Not checked: the entries (--whole)'))
  await site.close()
})

test('--whole waits for the checkpoint that covers the rest of the export, and compares the two', async () => {
  rmSync(kept, { force: true })
  const site = await startLogSite(await served(large))
  const visitLater = async (later: Parameters<typeof site.serve>[0]) => {
    const first = { ...(await served(large)), exported: extended }
    site.serve({
      ...first,
      answer: (path) => {
        // The site serves the export of the first log, and then the files of the later log.
        if (path === 'log.ndjson') setImmediate(() => site.serve(later))
        return false
      },
    })
    return visit(site.url, '--whole', '--wait', '1')
  }
  const signedLater = await visitLater(await served(extended))
  expect(signedLater).toMatchObject(says(0, 'Every entry of the export is in it: 1005.'))
  expect(JSON.parse(readFileSync(kept, 'utf8')).note).toContain('\n1005\n')

  rmSync(kept)
  const other = toTree([
    ...large.entries.map((entry) => Buffer.from(entry).toString()),
    ...Array.from({ length: 9 }, (_, at) => JSON.stringify({ kind: 'another', id: at })),
  ])
  expect(await visitLater(await served(other))).toMatchObject(
    says(1, 'The export is not the beginning of the log'),
  )
  expect(await visitLater(await served(forked))).toMatchObject(says(1, 'History was rewritten'))
  expect(existsSync(kept)).toBe(false)
  await site.close()
})

test('reports an empty log in the same way for a site and for its files', async () => {
  rmSync(kept, { force: true })
  const nothing = await served(large, 0)
  const site = await startLogSite(nothing)
  const sentence = 'The checkpoint covers no entry, so there is nothing to check.\n'
  expect(await visit(site.url, '--whole')).toEqual({ status: 2, said: sentence })
  const files = [exportFile(exportOf(large)), checkpointFile(nothing.checkpoint), '--vkey', vkey]
  expect(await run(...files)).toEqual({ status: 2, said: sentence })
  // The older checkpoint covers entries that the empty log lacks.
  const older = checkpointFile(await checkpointOf(large, key, origin, 300), 'older')
  for (const parameters of [[site.url, '--remember', kept, '--vkey', vkey], files])
    expect(await run(...parameters, '--since', older)).toMatchObject(says(1, 'The log has shrunk'))
  await site.close()
})

test('does not wait for an export or a response that never ends', async () => {
  rmSync(kept, { force: true })
  const line = '{"kind":"other"}\n'.repeat(20_000)
  const endless = (response: ServerResponse) => {
    const more = () => {
      while (!response.destroyed && response.write(line));
    }
    response.on('drain', more)
    more()
  }
  const answers: Record<string, [path: string, answer: (response: ServerResponse) => void, says: string]> = {
    'entries without an end': [
      'log.ndjson',
      (response) => {
        response.write(exportOf(large))
        endless(response)
      },
      'more than 10000 entries after those that were signed',
    ],
    'an export that stops': [
      'log.ndjson',
      (response) => {
        response.write('{"kind":')
      },
      'log.ndjson cannot be read: it stopped, or it is too slow',
    ],
    'an export of one byte at a time': [
      'log.ndjson',
      (response) => {
        const timer = setInterval(() => response.write(' '), 100)
        response.on('close', () => clearInterval(timer))
      },
      'it stopped, or it is too slow',
    ],
    'an export that never begins': ['log.ndjson', () => {}, 'it stopped, or it is too slow'],
    'a checkpoint that never ends': [
      'checkpoint',
      (response) => {
        response.write('goodblock')
      },
      'checkpoint cannot be read',
    ],
    'a tile that never begins': ['tile/1/000.p/3', () => {}, 'tile/1/000.p/3 cannot be read'],
    'an endless list of anchors': ['anchors.ndjson', endless, 'anchors.ndjson sent too much'],
  }
  const good = await served(large)
  const look = async ([what, [at, respond, says]]: (typeof cases)[number]) => {
    const site = await startLogSite({
      ...good,
      answer: (path, response) => {
        if (path === at) respond(response)
        return path === at
      },
    })
    const { status, said } = await visit(site.url, '--whole', '--timeout', '2')
    expect([what, status, said]).toEqual([what, 2, expect.stringContaining(says)])
    await site.close()
  }
  const cases = Object.entries(answers)
  const isEndless = ([what]: (typeof cases)[number]) => /endless|without an end/.test(what)
  // Responses that never end wait for their timeouts at the same time. A response that is read until it is
  // too large runs alone.
  await Promise.all(cases.filter((each) => !isEndless(each)).map(look))
  for (const each of cases.filter(isEndless)) await look(each)
  expect(existsSync(kept)).toBe(false)
})

test('looks up the transfers that a reorganisation removed', async () => {
  rmSync(kept, { force: true })
  const tx_hash = `0x${'7'.repeat(64)}`
  const removal = { kind: 'reorganisation', id: 1, recorded_at: '2027-03-01T00:00:00.000000Z', rules: 2 }
  const log = toTree([
    ...entries,
    JSON.stringify({ ...removal, chain_id: 56, tx_hash, ordinal: 0, gone: true }),
  ])
  const site = await startLogSite({ ...(await served(log)), anchors: [] })
  const look = () => visit(site.url, '--whole', '--rpc', `${site.url}/rpc`)
  expect(await look()).toMatchObject(says(0, 'Transfers that a reorganisation removed: 1.'))
  const mined = { hash: tx_hash, from: `0x${'1'.repeat(40)}`, nonce: 0, input: '0x' }
  site.setChain({ transactions: [{ ...mined, status: '0x1' }], sent: {} })
  expect(await look()).toMatchObject({
    status: 1,
    said: `Entry 14 says that a reorganisation removed a transfer, and ${new URL(site.url).host} has its transaction.\n`,
  })
  await site.close()
})

test('the key that a site sends is never used as the name of a local file', async () => {
  rmSync(kept, { force: true })
  const secret = file('secret', vkey)
  const site = await startLogSite({ ...(await served(large)), vkey: secret })
  expect(await visit(site.url)).toMatchObject(says(2, '/transparency/log/vkey is not the verifier key'))
  await site.close()
})

test.each(vectors.value_cases)(
  'escapes terminal control characters: prints $printed',
  async ({ value, printed }) => {
    const lines = [...entries, JSON.stringify({ kind: 'other', id: value, [value]: [value] })]
    const log = toTree(lines)
    const proof = formatProof({
      entry: encodeText(lines[14] ?? ''),
      index: 14,
      path: await inclusionProof(14, 15, log.readTiles),
      note: await signed(lines),
    })
    const row = await runHere('--row', file('odd', proof), '--vkey', vkey)
    expect(row.status).toBe(0)
    expect(row.said).toContain(`\n  id: ${printed}\n`)
    expect(row.said.split('\n')).toHaveLength(6)
    expect(await runHere('--row', file('odd', proof), '--vkey', vkey, '--id', '5')).toMatchObject({
      status: 1,
      said: `The proof is for another entry (other ${printed}), not for row 5.\n`,
    })
    const texts = vectors.texts.map((text, at) => JSON.stringify(at === 0 ? { ...text, text: value } : text))
    expect(await checkHere(whole, latest, '--texts', textsFile(texts))).toMatchObject({
      status: 1,
      said: expect.stringMatching(/was recorded:\n[^\n]+\n$/),
    })
  },
)

test('escapes the name of a key, and everything that an endpoint or a site sends', async () => {
  const name = 'a\u202e\u009bb.example/log'
  const odd = await verifierKeyOf({ name, privateKey: key })
  const note = await checkpointOf(tree, key, name)
  const printed = 'a\\u{202e}\\u{9b}b.example/log'
  const { status, said } = await run(exportFile(whole), checkpointFile(note), '--vkey', file('vkey', odd))
  expect(said).toContain(`the root that ${printed} signed`)
  expect(status).toBe(0)

  rmSync(kept, { force: true })
  const site = await startLogSite({
    ...(await served(large)),
    answer: (path, response) => {
      if (path !== 'oracle') return false
      response.end(JSON.stringify({ error: { message: 'no\n\u001b[2JOK: everything is in order' } }))
      return true
    },
  })
  const address = `0x${'ab'.repeat(20)}`
  expect(await visit(site.url, '--rpc', `${site.url}/transparency/oracle`, '--anchor-from', address)).toEqual(
    {
      status: 2,
      said: 'The endpoint did not respond to eth_getTransactionCount: no\\u{a}\\u{1b}[2JOK: everything is in order\n',
    },
  )
  await site.close()
})

test.each(vectors.anchor_cases)('looks up anchors: $what', async (one) => {
  rmSync(kept, { force: true })
  const site = await startLogSite({ tree, vkey, checkpoint: latest, anchors: one.list })
  site.setChain({ transactions: one.transactions, sent: one.sent as unknown as Record<string, number> })
  const lookUp = [
    '--rpc',
    `${site.url}/rpc`,
    ...one.anchor_from.flatMap((address) => ['--anchor-from', address]),
  ]
  const list = file('anchors.ndjson', one.list.map((anchor) => `${JSON.stringify(anchor)}\n`).join(''))
  const results = [
    await runHere(site.url, '--remember', kept, ...lookUp),
    await checkHere(whole, latest, '--anchors', list, ...lookUp),
  ]
  for (const { status, said } of results) {
    expect([status, said]).toEqual([one.exit, expect.any(String)])
    if (one.exit !== 0) expect(said).not.toContain('match the log')
    else {
      const host = new URL(site.url).host
      expect(said).toContain(
        `Anchors on the blockchain that match the log, according to ${host}: ${one.matching}.\n`,
      )
      expect(said.includes('Not checked: whether the list leaves out anchors')).toBe(
        one.anchor_from.length === 0,
      )
    }
  }
  expect(existsSync(kept)).toBe(one.exit === 0)
  await site.close()
})

test('finds an anchor by its block at an endpoint that forgot in which block it is', async () => {
  const [one] = vectors.anchor_cases
  if (!one) throw new Error('no case')
  const site = await startLogSite({ tree, vkey, checkpoint: latest })
  const sent = one.sent as unknown as Record<string, number>
  site.setChain({ transactions: one.transactions, sent, forgets: true })
  const lookUp = async (block_number: number | null) => {
    const lines = one.list.map((anchor) => `${JSON.stringify({ ...anchor, block_number })}\n`)
    return checkHere(
      whole,
      latest,
      '--anchors',
      file('anchors.ndjson', lines.join('')),
      '--rpc',
      `${site.url}/rpc`,
    )
  }
  expect(await lookUp(16)).toMatchObject(says(0, `: ${one.matching}.`))
  for (const other of [15, null])
    expect((await lookUp(other)).said).toContain('has no transaction in a block')
  await site.close()
})

test('says that the anchors were not looked up if no endpoint is given', async () => {
  const list = file('anchors.ndjson', `${JSON.stringify(vectors.anchor_cases[0]?.list[0])}\n`)
  const { status, said } = await check(whole, latest, '--anchors', list)
  expect(said).toContain('Anchors not looked up: 1.')
  expect(said).toContain('the anchors (--anchors and --rpc)')
  expect(status).toBe(0)
})

const hash64 = (digit: string) => `0x${digit.repeat(64)}`
const wallet = (digit: string) => `0x${digit.repeat(40)}`
/** An order of two operators that a row of the ledger paid. Each test forges one of these entries. */
const orderFacts = {
  ...{ number: 1, account: 'treasury', recipient: 'named', recipient_account: null, chain_id: 56 },
  ...{ from_address: wallet('1'), to_address: wallet('2'), token_address: wallet('3'), token_symbol: 'USDT' },
  ...{ token_decimals: 18, token_amount: '500', type: 'cost', pool: null, purpose_hash: 'a'.repeat(64) },
  ...{ statement: null, due_at: '2026-01-02T00:00:00.000000Z' },
}
const paidRow = {
  ...{ kind: 'transaction', id: 1, revision: 0, chain_id: 56, tx_hash: hash64('5'), ordinal: 0 },
  ...{ occurred_at: '2026-01-02T01:00:00.000000Z', direction: 'out', from_address: wallet('1') },
  ...{ to_address: wallet('2'), token_address: wallet('3'), token_amount: '500' },
}
const orderLog = {
  approved: {
    ...{ kind: 'order', id: 1, revision: 0, recorded_at: '2026-01-01T00:00:00.000000Z', state: 'announced' },
    ...{ tx_hash: null, ordinal: null },
    ...orderFacts,
  },
  act: {
    ...{ kind: 'act', id: 1, act: 'order', subject: '1', by: 'ada', second: 'bob', reason_hash: null },
    made: { kind: 'order', id: 1 },
  },
  row: paidRow,
  paid: {
    ...{ kind: 'order', id: 2, revision: 1, recorded_at: '2026-01-02T02:00:00.000000Z', state: 'paid' },
    ...{ tx_hash: paidRow.tx_hash, ordinal: 0 },
    ...orderFacts,
  },
}
const checkOrders = async (log: object[]) => {
  const lines = log.map((entry) => JSON.stringify(entry))
  return checkHere(toExport(lines), await signed(lines))
}

test('accepts an order that two operators approved and that a row paid, and counts the other payments', async () => {
  const other = { ...paidRow, id: 2, tx_hash: hash64('6'), token_amount: '7' }
  const { status, said } = await checkOrders([...Object.values(orderLog), other])
  expect([status, said]).toEqual([0, expect.stringContaining('wallet without an order: 1.')])
  expect((await checkOrders(Object.values(orderLog))).said).not.toContain('without an order')
})

test.each<[string, Partial<Record<keyof typeof orderLog, object | null>>, string]>([
  ['one operator approved', { act: { ...orderLog.act, second: null } }, 'does not name the operators'],
  [
    'the command line approved',
    { act: { ...orderLog.act, by: null, second: null } },
    'does not name the operators',
  ],
  ['no act made', { act: null }, 'the act that made it does not follow'],
  [
    'another wallet was paid',
    { paid: { ...orderLog.paid, to_address: wallet('9') } },
    'it is not as it was approved',
  ],
  ['no such row exists', { row: { ...paidRow, token_amount: '501' } }, 'the ledger has no such payment'],
  [
    'the row is older than the approval',
    { row: { ...paidRow, occurred_at: '2025-12-31T00:00:00.000000Z' } },
    'the ledger has no such payment',
  ],
  [
    'was due within an hour',
    { approved: { ...orderLog.approved, due_at: '2026-01-01T00:10:00.000000Z' } },
    'due within an hour',
  ],
  ['was never approved', { approved: null, act: null }, 'it was never approved'],
  ['left its path', { paid: { ...orderLog.paid, state: 'lost' } }, 'it cannot go from announced to lost'],
])('names an order in the log that %s', async (_, forged, sentence) => {
  const log = Object.values({ ...orderLog, ...forged }).filter((entry) => entry !== null)
  expect(await checkOrders(log)).toEqual(says(1, sentence))
})

test('accepts that an order that was lost is paid later, and no other end of it', async () => {
  const { approved, act, row, paid } = orderLog
  const sent = {
    ...paid,
    state: 'sent',
    tx_hash: null,
    ordinal: null,
    recorded_at: '2026-01-02T00:30:00.000000Z',
  }
  const lost = { ...sent, id: 3, revision: 2, state: 'lost', tx_hash: paid.tx_hash }
  const end = { ...paid, id: 4, revision: 3 }
  expect(await checkOrders([approved, act, sent, lost, row, end])).toMatchObject({ status: 0 })
  const failed = { ...end, state: 'failed', ordinal: null }
  expect((await checkOrders([approved, act, sent, lost, row, failed])).said).toContain(
    'cannot go from lost to failed',
  )
})

test('names an order that is paid twice, and one with the payment of another', async () => {
  const { approved, act, row, paid } = orderLog
  const again = { ...paid, id: 3, revision: 2 }
  expect((await checkOrders([approved, act, row, paid, again])).said).toContain('cannot go from paid to paid')
  const second = { ...approved, id: 3, number: 2 }
  const secondAct = { ...act, id: 2, subject: '2', made: { kind: 'order', id: 3 } }
  const secondPaid = { ...paid, id: 4, number: 2 }
  const log = [approved, act, second, secondAct, row, paid, secondPaid]
  expect((await checkOrders(log)).said).toContain('another order has its payment')
})

/** A standing order of two operators, and an order that it made. Each test forges one of these entries. */
const standingFacts = {
  ...{ number: 4, rule: 'call', account: 'donation-wallet', chain_id: 56, from_address: wallet('1') },
  ...{ token_address: wallet('3'), token_symbol: 'USDT', token_decimals: 18, order_limit: '500' },
  ...{ month_limit: '900', ends_at: '2026-06-01T00:00:00.000000Z', purpose_hash: 'a'.repeat(64) },
  ...{ source: 'https://news.example/feed', words_hash: 'b'.repeat(64), recipient: 'named' },
  ...{ recipient_account: null, to_address: wallet('2'), token_amount: '500', pool: null, every_days: 7 },
  ...{ percent: null, day: null },
}
const said = 'https://news.example/1'
const madeOrder = { ...orderLog.approved, account: 'donation-wallet', type: 'donation', statement: said }
const standingLog = {
  rule: {
    ...{ kind: 'standing-order', id: 1, revision: 0, recorded_at: '2025-12-01T00:00:00.000000Z' },
    ...{ state: 'active', ...standingFacts },
  },
  act: { ...orderLog.act, act: 'standing-order', subject: '4', made: { kind: 'standing-order', id: 1 } },
  order: madeOrder,
  payment: {
    ...{ kind: 'standing-payment', id: 1, recorded_at: madeOrder.recorded_at, order: 1, standing: 4 },
    occasion: said,
  },
}
const suspension = [
  { ...standingLog.rule, id: 2, revision: 1, recorded_at: '2026-01-01T02:00:00.000000Z', state: 'suspended' },
  {
    ...{ ...orderLog.act, id: 2, act: 'suspend', subject: '4', second: null },
    made: { kind: 'standing-order', id: 2 },
  },
]
const stoppedOrder = { ...madeOrder, id: 2, revision: 1, state: 'stopped' }

test('accepts an order of a standing order, and the suspension that stops it', async () => {
  const log = Object.values(standingLog)
  expect((await checkOrders(log)).status).toBe(0)
  expect(await checkOrders([...log, stoppedOrder, ...suspension])).toMatchObject({ status: 0 })
  expect((await checkOrders([...log, stoppedOrder])).said).toContain('the act that made it does not follow')
  expect((await checkOrders([...log, stoppedOrder, paidRow])).said).toContain('the act that stopped it')
})

test.each<[string, Partial<Record<keyof typeof standingLog, object | null>>, string]>([
  ['one operator made', { act: { ...standingLog.act, second: null } }, 'does not name the operators'],
  [
    'the command line made',
    { act: { ...standingLog.act, by: null, second: null } },
    'does not name the operators',
  ],
  ['no act made', { act: null }, 'the act that made it does not follow'],
  [
    'lasts for two years',
    { rule: { ...standingLog.rule, ends_at: '2028-01-01T00:00:00.000000Z' } },
    'it ends after more than a year',
  ],
  ['does not exist', { rule: null, act: null }, 'the standing order does not exist'],
  [
    'had ended',
    { rule: { ...standingLog.rule, ends_at: '2025-12-31T00:00:00.000000Z' } },
    'the standing order had ended',
  ],
  ['pays another recipient', { order: { ...madeOrder, to_address: wallet('9') } }, 'another recipient'],
  [
    'pays another amount',
    { order: { ...madeOrder, token_amount: '499' } },
    'another recipient or another amount',
  ],
  [
    'pays more than its limit',
    { order: { ...madeOrder, token_amount: '501' } },
    'above the limit of one order',
  ],
  ['pays from another wallet', { order: { ...madeOrder, from_address: wallet('8') } }, 'from another wallet'],
  [
    'answers another statement',
    { payment: { ...standingLog.payment, occasion: 'https://a.b' } },
    'another statement',
  ],
])('names an order of a standing order that %s', async (_, forged, sentence) => {
  const log = Object.values({ ...standingLog, ...forged }).filter((entry) => entry !== null)
  expect(await checkOrders(log)).toEqual(says(1, sentence))
})

test('names a second order of a standing order that it does not allow', async () => {
  const log = Object.values(standingLog)
  const again = (days: number, occasion: string, at = Date.parse('2026-01-01') + days * 86_400_000) => [
    {
      ...{ ...madeOrder, id: 2, number: 2, statement: occasion, recorded_at: new Date(at).toISOString() },
      due_at: new Date(at + 86_400_000).toISOString(),
    },
    { ...{ ...standingLog.payment, id: 2, order: 2, occasion }, recorded_at: new Date(at).toISOString() },
  ]
  const [order, payment] = again(31, 'https://news.example/2')
  expect((await checkOrders([...log, order ?? {}, payment ?? {}])).status).toBe(0)
  const faultOf = async (days: number, occasion: string) =>
    (await checkOrders([...log, ...again(days, occasion)])).said
  expect(await faultOf(31, said)).toContain('made one for this occasion before')
  expect(await faultOf(6, 'https://news.example/2')).toContain('the orders of 30 days are above its limit')
  const small = { month_limit: '1000' }
  const wide = [{ ...standingLog.rule, ...small }, standingLog.act, madeOrder, standingLog.payment]
  expect((await checkOrders([...wide, ...again(6, 'https://news.example/2')])).said).toContain(
    'in the 7 days before',
  )
  expect(
    (await checkOrders([...log, stoppedOrder, ...suspension, ...again(31, 'https://a.b')])).said,
  ).toContain('or it was suspended')
  expect((await checkOrders([...log, standingLog.payment])).said).toContain('a standing order made it later')
})

test('names a month that is divided twice or by another split, and an order of a month that was not', async () => {
  const { source: _, words_hash: __, ...facts } = standingFacts
  const rule = {
    ...{
      ...standingLog.rule,
      ...facts,
      rule: 'allocation',
      account: 'treasury',
      source: null,
      words_hash: null,
    },
    ...{ recipient: null, to_address: null, token_amount: null, every_days: null, percent: 500, day: 5 },
  }
  const month = {
    ...{
      kind: 'allocation',
      id: 1,
      recorded_at: '2026-01-01T00:00:00.000000Z',
      chain_id: 56,
      month: '2025-12',
    },
    ...{ standing: 4, split: 1, tax_usd: '9.00' },
  }
  const order = { ...orderLog.approved, recipient: 'pool', recipient_account: 'education', type: 'donation' }
  const payment = { ...standingLog.payment, occasion: '2025-12' }
  const split = {
    ...{ kind: 'split', id: 1, recorded_at: '2026-01-01T00:00:00.000000Z', from_month: '2026-01' },
    ...{ parts: { reserve: 1000 }, cause: `standing-order ${rule.number}` },
  }
  expect((await checkOrders([split, rule, standingLog.act, month, order, payment])).status).toBe(0)
  const second = { ...order, id: 2, number: 2, to_address: wallet('8') }
  const log = [split, rule, standingLog.act, month, order, payment]
  expect((await checkOrders([...log, second, { ...payment, id: 2, order: 2 }])).said).toContain(
    'the orders of 30 days are above its limit',
  )
  expect((await checkOrders([split, rule, standingLog.act, { ...month, split: 2 }])).said).toContain(
    'another split holds in its month',
  )
  expect((await checkOrders([split, rule, standingLog.act, order, payment])).said).toContain(
    'was not divided before',
  )
  expect((await checkOrders([split, rule, standingLog.act, month, { ...month, id: 2 }])).said).toContain(
    'its month was divided before',
  )
})
