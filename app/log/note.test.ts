import { expect, test } from 'vitest'
import vectors from '../../public/ledger/tlog-vectors.json' with { type: 'json' }
import { decodeBase64, encodeBase64, LogError } from './bytes.ts'
import { openCheckpoint, parseCheckpoint, signCheckpoint } from './checkpoint.ts'
import { formatVerifierKey, openNote, parseNote, parseVerifierKey, signNote, verifierKeyOf } from './note.ts'
import { formatProof, parseProof } from './proof.ts'

const { name, privateKey, vkey, witnessVkey, text, cases } = vectors.note
const signed = cases[0]?.note ?? ''
const [, size = '', root = ''] = text.split('\n')

test('the signed note and the verifier key are equal to those of the Go implementation', async () => {
  expect(await signNote(text, { name, privateKey })).toBe(signed)
  expect(await verifierKeyOf({ name, privateKey })).toBe(vkey)
  expect(await signCheckpoint(privateKey, name, Number(size), root)).toBe(signed)
})

test.each(cases)(
  'opens exactly the notes that the Go implementation opens: $what',
  async ({ note, opens }) => {
    const opened = openNote(note, [await parseVerifierKey(vkey)])
    await (opens ? expect(opened).resolves.toBe(text) : expect(opened).rejects.toThrow(LogError))
  },
)

test('the example from the signed-note specification is valid, and becomes invalid if one letter changes', async () => {
  const key = await parseVerifierKey('example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k')
  const note = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`
  expect(await openNote(note, [key])).toBe('This is an example message.\n')
  await expect(openNote(note.replace('example', 'examples'), [key])).rejects.toThrow(
    'does not match the text',
  )
})

test('the examples in the specifications of signed-note and tlog-checkpoint are read, with their empty lines and witnesses', () => {
  const poem = `Ognuno sta solo sul cuor della terra
trafitto da un raggio di sole:

ed è subito sera.

— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=
`
  expect(parseNote(poem)).toMatchObject({
    text: expect.stringMatching(/^Ognuno.*sole:\n\ned è subito sera\.\n$/s),
    signatures: [{ name: 'quasimodo.example/salvatore', keyId: '367ba04b' }],
  })
  const checkpoint = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
`
  const note = parseNote(checkpoint)
  expect(note.signatures.map((signature) => signature.name)).toEqual([
    'example.com/behind-the-sofa',
    'witness.example.com/w1',
  ])
  expect(parseCheckpoint(note.text)).toMatchObject({
    origin: 'example.com/behind-the-sofa',
    size: 20_852_163,
  })
})

test.each(['', 'not base64!', btoa('not a key')])(
  'the invalid key %j is refused, and the message does not contain the key',
  async (key) => {
    await expect(signNote(text, { name, privateKey: key })).rejects.toThrow(
      /^The signing key is not an Ed25519 private key \(PKCS8 DER in base64\)\.$/,
    )
  },
)

test.each([
  ...['00', '01', `ec${'ff'.repeat(30)}7f`, `ed${'ff'.repeat(30)}7f`, `ee${'ff'.repeat(30)}ff`],
  ...['26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', `00${'00'.repeat(30)}80`],
  ...['c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa', `f5${'ff'.repeat(30)}7f`],
])('the weak key %s is refused', async (hex) => {
  const key = new Uint8Array(32)
  key.set(Buffer.from(hex, 'hex'))
  await expect(parseVerifierKey(await formatVerifierKey(name, key))).rejects.toThrow('small order')
})

test('a verifier key with a different ID, name, type or spelling is refused', async () => {
  const [, id = '', key = ''] = /\+(\w{8})\+(.+)$/.exec(vkey) ?? []
  const wrong = [vkey.replace(name, 'other.example'), vkey.replace(id, '00000000'), `${vkey}\n`, '']
  wrong.push(`${name}+${id}+${key.replace(/^A/, 'B')}`, `${name}+${id.toUpperCase()}f+${key}`)
  for (const one of wrong) await expect(parseVerifierKey(one)).rejects.toThrow(LogError)
})

test('only the canonical spelling of base64 is decoded', () => {
  expect(decodeBase64('AAE=')).toEqual(new Uint8Array([0, 1]))
  const bundle = new Uint8Array(200_000)
  expect(decodeBase64(encodeBase64(bundle))).toHaveLength(bundle.length)
  for (const other of ['AAF=', 'AAE', 'A A E =', 'AAE=\n', '_-==', 'AAE=='])
    expect(decodeBase64(other)).toBeNull()
})

test('a checkpoint opens only for the log that it belongs to, and only with a log key', async () => {
  const [log, witness] = await Promise.all([parseVerifierKey(vkey), parseVerifierKey(witnessVkey)])
  expect(await openCheckpoint(cases[1]?.note ?? '', [log], name)).toMatchObject({ size: 1000 })
  await expect(openCheckpoint(signed, [log], 'other.example/log')).rejects.toThrow('belongs to another log')
  await expect(openCheckpoint(signed, [witness], name)).rejects.toThrow('None of the keys')
})

test.each([
  ...['', 'a\n', 'a\n1\n', `a\n01\n${root}\n`, `a\n-1\n${root}\n`, `a\n1e3\n${root}\n`, `\n1\n${root}\n`],
  ...[`a\n1\n${root}`, `a\n1\n${root.slice(4)}\n`, `a\n1\n${root}\n\n`, `a\n9007199254740993\n${root}\n`],
])('the checkpoint %j is refused', (bad) => expect(() => parseCheckpoint(bad)).toThrow(LogError))

test('a written proof can be read back, and any other text is refused', () => {
  const hash = new Uint8Array(32).fill(3)
  const proof = { entry: new Uint8Array([1, 2]), index: 5, path: [hash, hash], note: signed }
  const written = formatProof(proof)
  expect(written).toMatch(/^c2sp\.org\/tlog-proof@v1\nextra AQI=\nindex 5\n(AwMD.{40}\n){2}\nexample/)
  expect(parseProof(written)).toEqual(proof)
  const empty = { ...proof, path: [] }
  expect(parseProof(formatProof(empty))).toEqual(empty)
  for (const bad of ['', written.replace('@v1', '@v2'), written.replace('index 5', 'index 05'), signed])
    expect(() => parseProof(bad)).toThrow(LogError)
  expect(() => parseProof(written.replace('AwMD', 'AwM'))).toThrow('hash of the proof')
})
