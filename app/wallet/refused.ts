/** A payment error with a sentence for the visitor. No payment was sent, unless the sentence says so. */
export class WalletRefused extends Error {}
