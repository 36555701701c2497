/**
 * A payment error whose message is a sentence for the visitor. No payment was sent, unless the sentence
 * states otherwise.
 */
export class WalletRefused extends Error {}
