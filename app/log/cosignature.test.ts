import { expect, test } from 'vitest'
import vectors from '../../public/ledger/tlog-vectors.json' with { type: 'json' }
import { LogError } from './bytes.ts'
import { cosign, parseWitnessKey, readCosignatures, witnessKeyOf } from './cosignature.ts'
import { openNote, parseVerifierKey } from './note.ts'

const { name, privateKey, vkey, otherVkey, cases } = vectors.cosignature
const { vkey: logVkey, text } = vectors.note
const unsigned = cases.find(({ cosigned }) => cosigned === 0)?.note ?? ''

test.each(cases)(
  'reads the cosignatures of a note as torchwood does: $what',
  async ({ note, opens, cosigned }) => {
    const witnesses = [await parseWitnessKey(vkey), await parseWitnessKey(otherVkey)]
    const found = readCosignatures(note, witnesses)
    await (opens ? expect(found).resolves.toHaveLength(cosigned) : expect(found).rejects.toThrow(LogError))
    // Without the keys of the witnesses, their lines are those of unknown keys.
    expect(await readCosignatures(note, [])).toEqual([])
    expect(await openNote(note, [await parseVerifierKey(logVkey)])).toMatch(text)
  },
)

test('writes the verifier key that torchwood writes, and a line that it would open', async () => {
  const witness = await parseWitnessKey(vkey)
  expect(await witnessKeyOf({ name, privateKey })).toBe(vkey)
  const now = Math.floor(Date.now() / 1000)
  const lines = [now - 60, now, now - 90].map((time) => cosign({ name, privateKey }, text, time))
  const note = `${unsigned}${(await Promise.all(lines)).join('')}`
  expect(await readCosignatures(note, [witness])).toEqual([{ witness, time: now }])
})

test('refuses a time of zero, and one that is more than five minutes ahead', async () => {
  const witness = await parseWitnessKey(vkey)
  const now = Math.floor(Date.now() / 1000)
  const read = async (time: number) =>
    readCosignatures(`${unsigned}${await cosign({ name, privateKey }, text, time)}`, [witness])
  expect(await read(now + 240)).toHaveLength(1)
  await expect(read(now + 400)).rejects.toThrow('time in the future')
  await expect(read(0)).rejects.toThrow('does not match the checkpoint')
})

test('accepts no key of a log as the key of a witness, and no key of a witness as that of a log', async () => {
  await expect(parseWitnessKey(logVkey)).rejects.toThrow(LogError)
  await expect(parseVerifierKey(vkey)).rejects.toThrow(LogError)
})
