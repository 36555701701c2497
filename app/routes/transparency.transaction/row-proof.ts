import { LogError } from '../../log/bytes.ts'
import { parseCheckpoint } from '../../log/checkpoint.ts'
import { hashLeaf, verifyInclusion } from '../../log/merkle.ts'
import { openNote, parseNote, parseVerifierKey } from '../../log/note.ts'
import { parseProof } from '../../log/proof.ts'

/** The members of a transaction's entry that the checks read or show. */
export interface Facts {
  kind: string
  id: number
  amount_usd: string | null
  token_amount: string | null
  token_symbol: string | null
  token_address: string | null
  from_address: string
  to_address: string
  tx_hash: string
}

/**
 * Checks the proof that the page of a row contains. Returns the facts of the row's entry, and the result in words.
 * Throws a LogError if the proof is wrong or is for another row.
 */
export async function checkRow({
  checkRow: file = '',
  vkey = '',
  row = '',
}: DOMStringMap): Promise<[Facts, string]> {
  const { entry, index, path, note } = parseProof(file)
  const facts: Facts = JSON.parse(new TextDecoder().decode(entry))
  const checkpoint = parseCheckpoint(parseNote(note).text)
  if (!(await verifyInclusion(await hashLeaf(entry), index, checkpoint.size, path, checkpoint.root)))
    throw new LogError("This row isn't in the log we signed.")
  if (facts.kind !== 'transaction' || `${facts.id}` !== row)
    throw new LogError('The proof is for another row.')
  let signed = `Signed by ${checkpoint.origin}.`
  try {
    const key = await parseVerifierKey(vkey)
    await openNote(note, [key])
    if (key.name !== checkpoint.origin) throw new LogError('The checkpoint is from another log.')
  } catch (error) {
    if ((error as Error).name !== 'NotSupportedError') throw error
    signed =
      "Not checked: the signature, because your browser doesn't support Ed25519. verify-ledger.mjs checks it."
  }
  const { amount_usd: dollars, token_amount: amount, token_symbol: symbol } = facts
  const worth = dollars ? `$${dollars}` : amount ? `${amount} base units of ${symbol}` : 'unknown amount'
  return [
    facts,
    `All good. This payment is entry ${index} of the ${checkpoint.size} that we signed: ${worth}, from ${facts.from_address} to ${facts.to_address}, transaction ${facts.tx_hash}. ${signed}`,
  ]
}

/**
 * Runs `check` now, for the press that loaded the module, and at each later press of the button of this kind
 * (check-row-button.ts). Shows the result of `check`, or why it failed, above the buttons.
 */
export function onPress(kind: string, check: (data: DOMStringMap) => Promise<string>): void {
  const place = document.querySelector<HTMLElement>('[data-check-row]')
  const result = place?.querySelector('[role=status]')
  if (!place || !result) return
  const show = async () => {
    let colours = 'border-good bg-good-wash'
    try {
      result.textContent = await check(place.dataset)
    } catch (error) {
      const isWrong = error instanceof LogError
      colours = isWrong ? 'border-bad bg-bad-wash' : 'border-edge bg-plain-wash'
      result.textContent = isWrong
        ? `Something is wrong. ${error.message}`
        : "We couldn't finish the check. Please try again."
    }
    result.className = `mb-4 rounded-block border-l-4 p-4 wrap-anywhere ${colours}`
  }
  place.querySelector(`[data-kind=${kind}]`)?.addEventListener('click', show)
  show()
}
