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

interface Receipt {
  blockNumber: string
  status: string
}

/**
 * A sentence with the state that a wallet reports. `needed`: the confirmations that make a transfer final.
 */
async function stateOf(provider: Provider, transaction: string, needed: number): Promise<string> {
  const receipt = (await provider.request({
    method: 'eth_getTransactionReceipt',
    params: [transaction],
  })) as Receipt | null
  if (!receipt) return say<typeof progressSentences>('notThere')
  if (Number(receipt.status) === 0) {
    showHeading(say<typeof progressSentences>('refusedHeading'), '')
    announce(say<typeof progressSentences>('refused'))
    return say<typeof progressSentences>('refusedState')
  }
  const block = Number(receipt.blockNumber)
  announce(say<typeof progressSentences>('inBlock'))
  const head = Number(await provider.request({ method: 'eth_blockNumber' }))
  const depth = Math.min(needed, Math.max(1, head - block + 1))
  return say<typeof progressSentences>('state', { block: `${block}`, depth: `${depth}`, needed: `${needed}` })
}

/**
 * Follows the transaction with the first wallet that is on the same blockchain. A final transaction has no
 * `place`.
 */
export function follow(place: HTMLElement): void {
  const { transaction = '', chain, confirmations } = place.dataset
  let wallets: Wallet[] = []
  const look = async () => {
    for (const { provider } of wallets) {
      if (!(await isOnChain(provider, Number(chain)))) continue
      place.textContent = await stateOf(provider, transaction, Number(confirmations))
      place.hidden = false
      return
    }
  }
  const again = () => {
    if (!place.isConnected) return
    look().catch(() => {})
    setTimeout(again, pause)
  }
  findWallets((all) => {
    wallets = all
  })
  again()
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
