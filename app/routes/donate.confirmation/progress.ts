/** The script of a payment's confirmation: shows the state of the transaction on the chain until it is final. */
import { findWallets, type Wallet } from '~/wallet/browser'
import { isOnChain } from '~/wallet/chain'
import type { Provider } from '~/wallet/provider'

/** Milliseconds between two requests for the state. */
const pause = 4_000

interface Receipt {
  blockNumber: string
  status: string
}

/** The state as a wallet reports it, as a sentence. `needed`: the confirmations after which a transfer is final. */
async function stateOf(provider: Provider, transaction: string, needed: number): Promise<string> {
  const receipt = (await provider.request({
    method: 'eth_getTransactionReceipt',
    params: [transaction],
  })) as Receipt | null
  if (!receipt) return "This transaction isn't on the blockchain yet."
  if (Number(receipt.status) === 0)
    return 'The network refused this transaction. Nothing was donated. You paid only the fee.'
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

const place = document.querySelector<HTMLElement>('[data-transaction]')
if (place) follow(place)
