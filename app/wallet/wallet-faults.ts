import { msg } from '@lingui/core/macro'
import type { Notice } from '../platform/forms/notice'
import type { I18n } from '../platform/locales/i18n'

/** The response to a refused sign-in or proof. `id` is unique, so that each refusal shows a toast. */
export interface RefusedWallet {
  id: string
  notice: Notice
}

/** The sentences for why a wallet sign-in or proof failed, as the server or the browser finds. */
const sentences = {
  account: msg`Your wallet didn't share an account.`,
  busy: msg`Your wallet is already asking you something. Please check it.`,
  declined: msg`You cancelled in your wallet. Nothing was signed.`,
  offline: msg`Your wallet lost its connection. Please try again.`,
  late: msg`Your wallet hasn't answered yet. Open it and look for a question, or press the button again.`,
  silent: msg`Something went wrong in your wallet. Please try again.`,
  unprepared: msg`We couldn't prepare the message. Please try again.`,
  message: msg`Your wallet signed a different message. Please try again.`,
  domain: msg`This message was signed for another site.`,
  chain: msg`This message was signed for another blockchain.`,
  expired: msg`This message has expired. Please sign a new one.`,
  replayed: msg`This message was already used. Please sign a new one.`,
  signature: msg`The signature doesn't match this wallet address.`,
  many: msg`You can add up to ten wallets. Please remove one first.`,
  unsaved: msg`We couldn't save the wallet. Please try again.`,
} as const

export type WalletFault = keyof typeof sentences

export function walletNotice(fault: WalletFault, i18n: I18n): Notice {
  return { title: i18n._(msg`Error`), text: i18n._(sentences[fault]), destructive: true }
}
