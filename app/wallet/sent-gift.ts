/** A gift of this browser, as its confirmation says: '20 USDT', 'Education'. `sentAt`: milliseconds. */
interface SentGift {
  amount: string
  cause: string
  sentAt: number
}

const keyOf = (hash: string) => `gift-${hash.toLowerCase()}`

/**
 * Stores a gift for its payment confirmation, until the ledger has the transaction. If the browser forbids
 * storage, the payment confirmation shows no amount.
 */
export function keepGift(hash: string, gift: SentGift): void {
  try {
    localStorage.setItem(keyOf(hash), JSON.stringify(gift))
  } catch {}
}

export function readGift(hash: string): SentGift | null {
  try {
    return JSON.parse(localStorage.getItem(keyOf(hash)) ?? 'null')
  } catch {
    return null
  }
}

export function forgetGift(hash: string): void {
  try {
    localStorage.removeItem(keyOf(hash))
  } catch {}
}
