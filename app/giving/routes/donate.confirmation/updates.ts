/**
 * Updates a payment confirmation, from a wallet of this browser and from our ledger, until the payment is
 * final.
 */
import { addCopyButtons } from '~/platform/enhance/copying'
import { loadPage } from '~/platform/enhance/load-page'
import { addLocalTimes } from '~/platform/enhance/local-times'
import { say } from '~/platform/locales/say'
import { findWallets, type Wallet } from '~/wallet/browser'
import { isOnChain } from '~/wallet/chain'
import type { Provider } from '~/wallet/provider'
import { forgetGift } from '~/wallet/sent-gift'
import { addPrintButtons, announce, showHeading } from './payment-page'
import type { progressSentences } from './progress-sentences'

/** Milliseconds between two requests for the state of the transaction. */
const pause = 4_000

/** A number of JSON-RPC. Null for what else wallets answer: null, nothing, an empty text. */
function numberIn(answer: unknown): number | null {
  return typeof answer === 'string' && /^0x[\da-f]+$/i.test(answer) ? Number(answer) : null
}

/**
 * A sentence with the state that a wallet reports. `needed`: the confirmations that make a transfer final. Null if
 * the wallet is on another blockchain.
 */
async function stateOf(
  provider: Provider,
  { transaction = '', chain, confirmations }: DOMStringMap,
): Promise<string | null> {
  if (!(await isOnChain(provider, Number(chain)))) return null
  const needed = Number(confirmations)
  const receipt = (await provider.request({
    method: 'eth_getTransactionReceipt',
    params: [transaction],
  })) as Record<'blockNumber' | 'status', unknown> | null
  const block = numberIn(receipt?.blockNumber)
  if (block === null) return say<typeof progressSentences>('notThere')
  if (numberIn(receipt?.status) === 0) {
    showHeading(say<typeof progressSentences>('refusedHeading'), '')
    announce(say<typeof progressSentences>('refused'))
    return say<typeof progressSentences>('refusedState')
  }
  announce(say<typeof progressSentences>('inBlock'))
  const head = numberIn(await provider.request({ method: 'eth_blockNumber' })) ?? block
  const depth = Math.min(needed, Math.max(1, head - block + 1))
  return say<typeof progressSentences>('state', { block: `${block}`, depth: `${depth}`, needed: `${needed}` })
}

/**
 * Follows the transaction with the first wallet that is on the same blockchain and answers in time. A final
 * transaction has no `place`.
 */
export function follow(place: HTMLElement): void {
  let wallets: Wallet[] = []
  const tooLong = () => new Promise<null>((resolve) => setTimeout(resolve, pause, null))
  const again = async () => {
    if (!place.isConnected) return
    for (const { provider } of wallets) {
      const state = await Promise.race([stateOf(provider, place.dataset), tooLong()]).catch(() => null)
      if (state === null) continue
      place.textContent = state
      place.hidden = false
      break
    }
    setTimeout(again, pause)
  }
  findWallets((all) => {
    wallets = all
  })
  void again()
}

/**
 * Reloads the page every `seconds` seconds. Shows and announces a new stage. Stops when the result is final.
 */
export function poll(seconds: number): void {
  setTimeout(async () => {
    const newer = await loadPage(location.href).catch(() => null)
    const [shown, next] = [document, newer].map((page) => page?.querySelector<HTMLElement>('[data-payment]'))
    if (shown && next && next.dataset.payment !== shown.dataset.payment) {
      const part = document.importNode(next, true)
      shown.replaceWith(part)
      addCopyButtons(part)
      addLocalTimes()
      addPrintButtons()
      announce(next.dataset.payment ?? '')
    }
    if (newer && !newer.querySelector('[data-polls]')) {
      forgetGift(location.pathname.split('/').at(-1) ?? '')
      document.querySelector('[data-updating]')?.remove()
    } else poll(seconds)
  }, seconds * 1000)
}
