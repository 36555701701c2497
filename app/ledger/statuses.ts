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
  verified: /* i18n */ 'Verified on chain',
  pending: /* i18n */ 'Waiting',
  mismatch: /* i18n */ "Doesn't match the blockchain",
  reorganised: /* i18n */ 'No longer on the blockchain',
  unreachable: /* i18n */ "Couldn't reach the blockchain",
}
