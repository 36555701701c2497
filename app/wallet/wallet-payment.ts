/** Pays a gift with a wallet of this browser. The payment confirmation is the next page. */
import { say } from '../platform/locales/say'
import { switchChain } from './chain'
import type { paymentSentences } from './payment-sentences'
import { type Provider, type Rejection, rejectionOf, requestAccount } from './provider'
import { WalletRefused } from './refused'
import { keepGift } from './sent-gift'
import { sendCall, simulate, type Transfer } from './transfer'

/** Milliseconds after which the page says that the wallet has not responded. */
const patience = 30_000

/** A payment, with the page's amount, cause and chain: '20 USDT', 'Education', 'BNB Smart Chain'. */
export interface Gift {
  transfer: Transfer
  amount: string
  cause: string
  chain: number
  chainName: string
  /** The only account that may pay; undefined if any may. */
  from?: string | undefined
  /** The path of the page that the payment confirmation belongs to; undefined for this page. */
  after?: string | undefined
}

/** One click on a wallet's button. */
interface Attempt {
  /** Aborted when the visitor presses a button again. */
  signal: AbortSignal
  show(text: string): void
  /** Disables the buttons, or enables them again. */
  setBusy(busy: boolean): void
}

/** Sends the gift and opens its confirmation, or shows why not. An aborted attempt does nothing more. */
export async function pay(provider: Provider, gift: Gift, attempt: Attempt): Promise<void> {
  const { transfer, amount, cause, chain, chainName } = gift
  const { signal, setBusy } = attempt
  let sending = false
  const show = (text: string) => {
    if (!signal.aborted) attempt.show(text)
  }
  const late = setTimeout(() => {
    show(say<typeof paymentSentences>(sending ? 'lateSending' : 'late'))
    // A second press is safe as long as no wallet was asked to send.
    if (!sending && !signal.aborted) setBusy(false)
  }, patience)
  try {
    show(say<typeof paymentSentences>('give', { amount, cause }))
    const from = await requestAccount(provider)
    if (!from) throw new WalletRefused(say<typeof paymentSentences>('noAccount'))
    if (gift.from && from.toLowerCase() !== gift.from.toLowerCase())
      throw new WalletRefused(say<typeof paymentSentences>('otherAccount', { account: gift.from }))
    await switchChain(provider, chain, chainName)
    show(say<typeof paymentSentences>('checking'))
    const call = await simulate(provider, from, transfer)
    signal.throwIfAborted()
    sending = true
    setBusy(true)
    show(say<typeof paymentSentences>('ready', { amount, cause }))
    const hash = await sendCall(provider, call)
    if (transfer.approves) show(say<typeof paymentSentences>('approved'))
    else {
      keepGift(hash, { amount, cause, sentAt: Date.now() })
      location.assign(`${gift.after ?? location.pathname}/${hash}`)
    }
  } catch (error) {
    show(error instanceof WalletRefused ? error.message : rejectionSentence(rejectionOf(error), sending))
  }
  clearTimeout(late)
}

/** `sending`: the wallet was asked to send, so the payment may have been sent. */
function rejectionSentence(rejection: Rejection, sending: boolean): string {
  if (rejection === 'declined') return say<typeof paymentSentences>('cancelled')
  if (rejection === 'busy') return say<typeof paymentSentences>('busy')
  if (rejection === 'offline') return say<typeof paymentSentences>(sending ? 'offlineSending' : 'offline')
  return say<typeof paymentSentences>(sending ? 'silentSending' : 'silent')
}
