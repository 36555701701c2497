/** An error of a payment whose message is a sentence for the visitor. Nothing was sent, unless it says otherwise. */
export class Refused extends Error {}
