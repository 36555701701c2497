/** Shows the result of a check of a row, in the language of the page. */
import { sayWrong } from '~/ledger/fault.ts'
import { LogError } from '~/log/bytes.ts'
import { formatsTag, gap, say } from '~/platform/locales/say.ts'
import type { checkSentences } from './check-sentences'
import type { CheckedRow, Facts } from './row-proof.ts'

/** The sentence about the checked row. */
export function describeRow({ facts, index, size, origin, isSigned }: CheckedRow): string {
  const found = say<typeof checkSentences>('found', {
    index: `${index}`,
    size: `${size}`,
    worth: worthOf(facts),
    from: facts.from_address,
    to: facts.to_address,
    transaction: facts.tx_hash,
  })
  const signature = say<typeof checkSentences>(isSigned ? 'signed' : 'unsigned', { origin })
  return `${found}${gap()}${signature}`
}

function worthOf({ amount_usd: dollars, token_amount: amount, token_symbol: symbol }: Facts): string {
  const format = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const
  if (dollars) return new Intl.NumberFormat(formatsTag(), format).format(Number(dollars))
  if (!amount) return say<typeof checkSentences>('unknownAmount')
  return say<typeof checkSentences>('baseUnits', { amount, symbol: symbol ?? '' })
}

/**
 * Runs `check` now, because a press of the button loaded this module, and again each time a button of this
 * kind is pressed (check-row-button.ts). Shows the result above the buttons: the text that `check` returns
 * and whether all parts were checked, or why the check failed.
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
      result.textContent = isGood ? `${say<typeof checkSentences>('allGood')}${gap()}${text}` : text
    } catch (error) {
      const isWrong = error instanceof LogError
      if (isWrong) colours = 'border-bad bg-bad-wash'
      result.textContent = isWrong ? sayWrong(error) : say<typeof checkSentences>('notFinished')
    }
    result.className = `mb-4 rounded-block border-s-4 p-4 wrap-anywhere ${colours}`
  }
  place.querySelector(`[data-kind=${kind}]`)?.addEventListener('click', show)
  show()
}
