import { findChain } from '../platform/chains'
import { say } from '../platform/locales/say'
import type { paymentSentences } from './payment-sentences'
import { type Provider, quantity, rejectionOf } from './provider'
import { WalletRefused } from './refused'

export async function isOnChain(provider: Provider, chainId: number): Promise<boolean> {
  return Number(await provider.request({ method: 'eth_chainId' })) === chainId
}

/**
 * Makes the wallet use the chain with this id and name. Asks a wallet that cannot switch to add the chain
 * first: wallets that do not know a chain answer with different codes, or with words only. Throws WalletRefused if
 * the wallet stays on a different chain, and the wallet's own error if the person declines.
 */
export async function switchChain(provider: Provider, chainId: number, name: string): Promise<void> {
  if (await isOnChain(provider, chainId)) return
  const chain = { chainId: quantity(BigInt(chainId)) }
  /** Returns false if the wallet cannot do it. */
  const ask = async (method: string, params: object) => {
    try {
      await provider.request({ method, params: [params] })
      return true
    } catch (error) {
      if (rejectionOf(error) !== 'silent') throw error
      return false
    }
  }
  const change = () => ask('wallet_switchEthereumChain', chain)
  if (!(await change())) {
    const known = findChain(chainId)
    const added =
      known &&
      (await ask('wallet_addEthereumChain', {
        ...chain,
        chainName: name,
        nativeCurrency: { name: known.coin, symbol: known.coin, decimals: 18 },
        rpcUrls: [known.walletUrl],
        blockExplorerUrls: [known.explorer],
      }))
    // Some wallets switch to a chain that they add, others do not.
    const isThere = added && ((await isOnChain(provider, chainId)) || (await change()))
    if (!isThere) throw new WalletRefused(say<typeof paymentSentences>('cannotSwitch', { network: name }))
  }
  if (!(await isOnChain(provider, chainId)))
    throw new WalletRefused(say<typeof paymentSentences>('otherNetwork', { network: name }))
}
