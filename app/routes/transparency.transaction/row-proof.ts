import { LogError } from '../../log/bytes.ts'
import { parseCheckpoint } from '../../log/checkpoint.ts'
import { hashLeaf, verifyInclusion } from '../../log/merkle.ts'
import { openNote, parseNote, parseVerifierKey } from '../../log/note.ts'
import { parseProof } from '../../log/proof.ts'

/** The members of a transaction's entry that the checks read or show. */
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

/** A row whose entry is in the log of the checkpoint. */
interface CheckedRow {
  facts: Facts
  /** What was checked, in words. */
  found: string
  /** False if this browser cannot check the signature. */
  isSigned: boolean
}

/** Checks the proof that the page of a row contains. Throws a LogError if the proof is wrong or is for another row. */
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
  const { amount_usd: dollars, token_amount: amount, token_symbol: symbol } = facts
  const worth = dollars ? `$${dollars}` : amount ? `${amount} base units of ${symbol}` : 'unknown amount'
  const found = `This payment is entry ${index} of ${size}: ${worth}, from ${facts.from_address} to ${facts.to_address}, transaction ${facts.tx_hash}.`
  try {
    const key = await parseVerifierKey(vkey)
    await openNote(note, [key])
    if (key.name !== origin) throw new LogError('The checkpoint is from another log.')
    return { facts, found: `${found} Signed by ${origin}.`, isSigned: true }
  } catch (error) {
    if ((error as Error).name !== 'NotSupportedError') throw error
    const unsigned =
      "Not checked: the signature, because your browser doesn't support Ed25519. verify-ledger.mjs checks it."
    return { facts, found: `${found} ${unsigned}`, isSigned: false }
  }
}

/**
 * Runs `check` now, for the press that loaded the module, and at each later press of the button of this kind
 * (check-row-button.ts). Shows the result above the buttons: the words of `check` and whether all that the button checks
 * was checked, or why it failed.
 */
export function onPress(kind: string, check: (data: DOMStringMap) => Promise<[string, boolean]>): void {
  const place = document.querySelector<HTMLElement>('[data-check-row]')
  const result = place?.querySelector('[role=status]')
  if (!place || !result) return
  const show = async () => {
    let colours = 'border-edge bg-plain-wash'
    try {
      const [text, isGood] = await check(place.dataset)
      if (isGood) colours = 'border-good bg-good-wash'
      result.textContent = isGood ? `All good. ${text}` : text
    } catch (error) {
      const isWrong = error instanceof LogError
      if (isWrong) colours = 'border-bad bg-bad-wash'
      result.textContent = isWrong
        ? `Something is wrong. ${error.message}`
        : "We couldn't finish the check. Please try again."
    }
    result.className = `mb-4 rounded-block border-s-4 p-4 wrap-anywhere ${colours}`
  }
  place.querySelector(`[data-kind=${kind}]`)?.addEventListener('click', show)
  show()
}
