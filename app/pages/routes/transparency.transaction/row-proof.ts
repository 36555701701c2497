import { LogError } from '../../../log/bytes.ts'
import { parseCheckpoint } from '../../../log/checkpoint.ts'
import { hashLeaf, verifyInclusion } from '../../../log/merkle.ts'
import { openNote, parseNote, parseVerifierKey } from '../../../log/note.ts'
import { parseProof } from '../../../log/proof.ts'

/** The members of an entry about a transaction that the checks read or show. */
export interface Facts {
  kind: string
  id: number
  ordinal: number
  amount_usd: string | null
  token_amount: string | null
  token_symbol: string | null
  token_address: string | null
  from_address: string
  to_address: string
  tx_hash: string
}

/** A row whose entry the checkpoint covers. */
export interface CheckedRow {
  facts: Facts
  index: number
  /** The number of entries that the checkpoint covers. */
  size: number
  /** The name of the log. */
  origin: string
  /** False if this browser cannot check the signature. */
  isSigned: boolean
}

/** Checks the proof on a row's page. LogError if it is wrong or belongs to a different row. */
export async function checkRow({
  checkRow: file = '',
  vkey = '',
  row = '',
}: DOMStringMap): Promise<CheckedRow> {
  const { entry, index, path, note } = parseProof(file)
  const facts: Facts = JSON.parse(new TextDecoder().decode(entry))
  const { origin, size, root } = parseCheckpoint(parseNote(note).text)
  if (!(await verifyInclusion(await hashLeaf(entry), index, size, path, root)))
    throw new LogError("The proof doesn't show that this row is in the log.")
  if (facts.kind !== 'transaction' || `${facts.id}` !== row)
    throw new LogError('The proof is for another row.')
  const checked = { facts, index, size, origin }
  try {
    const key = await parseVerifierKey(vkey)
    await openNote(note, [key])
    if (key.name !== origin) throw new LogError('The checkpoint is from another log.')
    return { ...checked, isSigned: true }
  } catch (error) {
    if ((error as Error).name !== 'NotSupportedError') throw error
    return { ...checked, isSigned: false }
  }
}
