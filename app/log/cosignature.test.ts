import { expect, test } from 'vitest'
import vectors from '../../public/ledger/tlog-vectors.json' with { type: 'json' }
import { LogError } from './bytes.ts'
import { cosign, parseWitnessKey, readCosignatures, witnessKeyOf } from './cosignature.ts'
import { openNote, parseVerifierKey } from './note.ts'

const { name, privateKey, vkey, otherVkey, cases } = vectors.cosignature
const { vkey: logVkey, text } = vectors.note
const unsigned = cases.find(({ cosigned }) => cosigned === 0)?.note ?? ''

test.each(cases)(
  'finds the same cosignatures in a note as torchwood does: $what',
  async ({ note, opens, cosigned }) => {
    const witnesses = [await parseWitnessKey(vkey), await parseWitnessKey(otherVkey)]
    const found = readCosignatures(note, witnesses)
    await (opens ? expect(found).resolves.toHaveLength(cosigned) : expect(found).rejects.toThrow(LogError))
    // Without the witnesses' keys, the witnesses' lines belong to unknown keys.
    expect(await readCosignatures(note, [])).toEqual([])
    expect(await openNote(note, [await parseVerifierKey(logVkey)])).toMatch(text)
  },
)

test('the verifier key is equal to the key that torchwood makes, and a written cosignature can be read back', async () => {
  const witness = await parseWitnessKey(vkey)
  expect(await witnessKeyOf({ name, privateKey })).toBe(vkey)
  const now = Math.floor(Date.now() / 1000)
  const lines = [now - 60, now, now - 90].map((time) => cosign({ name, privateKey }, text, time))
  const note = `${unsigned}${(await Promise.all(lines)).join('')}`
  expect(await readCosignatures(note, [witness])).toEqual([{ witness, time: now }])
})

test('a cosignature with a time of zero, or with a time more than five minutes in the future, is refused', async () => {
  const witness = await parseWitnessKey(vkey)
  const now = Math.floor(Date.now() / 1000)
  const read = async (time: number) =>
    readCosignatures(`${unsigned}${await cosign({ name, privateKey }, text, time)}`, [witness])
  expect(await read(now + 240)).toHaveLength(1)
  await expect(read(now + 400)).rejects.toThrow('time in the future')
  await expect(read(0)).rejects.toThrow('does not match the checkpoint')
})

test('a log key is not accepted as a witness key, and a witness key is not accepted as a log key', async () => {
  await expect(parseWitnessKey(logVkey)).rejects.toThrow(LogError)
  await expect(parseVerifierKey(vkey)).rejects.toThrow(LogError)
})
