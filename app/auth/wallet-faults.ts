import type { Notice } from '../forms/notice'

/** The response to a refused wallet sign-in. `id` is unique, so that a second refusal shows a new toast. */
export interface RefusedWallet {
  id: string
  notice: Notice
}

/** The reasons why a wallet sign-in failed, detected by the server or the browser. */
const sentences = {
  account: 'Your wallet has given no account.',
  busy: 'Your wallet is asking already. Please look there.',
  declined: 'You have declined in your wallet. Nothing was signed.',
  silent: 'Your wallet did not answer as expected.',
  unprepared: 'There is no message to sign at the moment. Please try again.',
  message: 'This is not the message that your wallet was asked to sign.',
  domain: 'This message was signed for another site.',
  chain: 'This message was signed for another chain.',
  expired: 'This message has expired. Please sign a new one.',
  replayed: 'This message has been used already. Please sign a new one.',
  signature: 'The signature does not belong to this wallet address.',
} as const

export type WalletFault = keyof typeof sentences

export function walletNotice(fault: WalletFault): Notice {
  return { title: 'Error', text: sentences[fault], destructive: true }
}
