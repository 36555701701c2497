/**
 * The results of checking a row against the chain: the only list in TypeScript. The constraint
 * transaction_checks_status_known in supabase/migrations names the same values; change both together.
 */
export const statuses = ['pending', 'verified', 'mismatch', 'reorganised', 'unreachable'] as const

export type Status = (typeof statuses)[number]

/**
 * The words for a status, the same in rows, filters, cards, files and the payment confirmation. 'pending' includes the
 * rows that are not final and the rows that were never checked. A payment is 'verified' on chain; only statements are
 * 'confirmed'.
 */
export const statusWords: Record<Status, string> = {
  verified: 'Verified on chain',
  pending: 'Waiting',
  mismatch: "Doesn't match the blockchain",
  reorganised: 'No longer on the blockchain',
  unreachable: "Couldn't reach the blockchain",
}
