/** The script of a payment's confirmation: shows the state of the transaction on the chain until it is final. */
import { findWallets, type Wallet } from '~/wallet/browser'
import { isOnChain } from '~/wallet/chain'
import type { Provider } from '~/wallet/provider'
import { forgetGift, readGift } from '~/wallet/sent-gift'

/** Milliseconds from the sending until the page says what may have happened. */
const lateAfter = 10 * 60_000
/** Milliseconds between two requests for the state. */
const pause = 4_000

interface Receipt {
  blockNumber: string
  status: string
}

/** Replaces the heading of the page. */
function state(heading: string): void {
  const place = document.querySelector('[data-thanks]')
  if (place) place.textContent = heading
}

/** The state as a wallet reports it, as a sentence. `needed`: the confirmations after which a transfer is final. */
async function stateOf(provider: Provider, transaction: string, needed: number): Promise<string> {
  const receipt = (await provider.request({
    method: 'eth_getTransactionReceipt',
    params: [transaction],
  })) as Receipt | null
  if (!receipt) return "This transaction isn't on the blockchain yet."
  if (Number(receipt.status) === 0) {
    state('The network refused this payment')
    return 'The network refused this transaction. Nothing was donated. You paid only the fee.'
  }
  const block = Number(receipt.blockNumber)
  const head = Number(await provider.request({ method: 'eth_blockNumber' }))
  const depth = Math.min(needed, Math.max(1, head - block + 1))
  return `On the blockchain, in block ${block}: ${depth} of ${needed} confirmations.`
}

/** Follows the transaction with the first wallet that is on its chain. A final transaction has no `place`. */
function follow(place: HTMLElement): void {
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
    look().catch(() => {})
    setTimeout(again, pause)
  }
  findWallets((all) => {
    wallets = all
  })
  again()
}

/**
 * States the gift as this browser sent it, until the ledger has its transaction. Hides what may have happened until the
 * payment is late.
 */
function thank(hash: string): void {
  const late = document.querySelector<HTMLElement>('[data-late]')
  if (!late) {
    forgetGift(hash)
    return
  }
  const gift = readGift(hash)
  if (gift) state(`Thank you. Your ${gift.amount} is on its way to ${gift.cause}.`)
  const wait = (gift?.sentAt ?? openedAt(hash)) + lateAfter - Date.now()
  if (wait <= 0) return
  late.hidden = true
  setTimeout(() => {
    late.hidden = false
  }, wait)
}

/** When this tab first opened the page, which reloads by itself. */
function openedAt(hash: string): number {
  try {
    const known = sessionStorage.getItem(hash)
    if (known) return Number(known)
    sessionStorage.setItem(hash, `${Date.now()}`)
  } catch {}
  return Date.now()
}

const place = document.querySelector<HTMLElement>('[data-transaction]')
if (place) {
  thank(place.dataset.transaction ?? '')
  follow(place)
}
