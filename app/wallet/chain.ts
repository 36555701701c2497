import { say } from '../locales/say'
import type { paymentSentences } from './payment-sentences'
import { type Provider, quantity, rejectionOf } from './provider'
import { Refused } from './refused'

export async function isOnChain(provider: Provider, chainId: number): Promise<boolean> {
  return Number(await provider.request({ method: 'eth_chainId' })) === chainId
}

/**
 * Makes the wallet use the chain with this id and name. Throws Refused if the wallet stays on a different
 * chain, and the wallet's own error if the person declines.
 */
export async function switchChain(provider: Provider, chainId: number, name: string): Promise<void> {
  if (await isOnChain(provider, chainId)) return
  try {
    const chain = { chainId: quantity(BigInt(chainId)) }
    await provider.request({ method: 'wallet_switchEthereumChain', params: [chain] })
  } catch (error) {
    if (rejectionOf(error) !== 'silent') throw error
    throw new Refused(say<typeof paymentSentences>('cannotSwitch', { network: name }))
  }
  if (!(await isOnChain(provider, chainId)))
    throw new Refused(say<typeof paymentSentences>('otherNetwork', { network: name }))
}
