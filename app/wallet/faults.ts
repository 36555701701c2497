import type { Notice } from '../forms/notice'

/** The response to a refused wallet sign-in or proof. `id` is unique, so that a second refusal shows a new toast. */
export interface RefusedWallet {
  id: string
  notice: Notice
}

/** The reasons why a wallet sign-in or proof failed, detected by the server or the browser. */
const sentences = {
  account: "Your wallet didn't share an account.",
  busy: 'Your wallet is already asking you something. Please check it.',
  declined: 'You cancelled in your wallet. Nothing was signed.',
  offline: 'Your wallet lost its connection. Please try again.',
  silent: 'Something went wrong in your wallet. Please try again.',
  unprepared: "We couldn't prepare the message. Please try again.",
  message: 'Your wallet signed a different message. Please try again.',
  domain: 'This message was signed for another site.',
  chain: 'This message was signed for another blockchain.',
  expired: 'This message has expired. Please sign a new one.',
  replayed: 'This message was already used. Please sign a new one.',
  signature: "The signature doesn't match this wallet address.",
  many: 'You can add up to ten wallets. Please remove one first.',
  unsaved: "We couldn't save the wallet. Please try again.",
} as const

export type WalletFault = keyof typeof sentences

export function walletNotice(fault: WalletFault): Notice {
  return { title: 'Error', text: sentences[fault], destructive: true }
}
