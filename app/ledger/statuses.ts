/**
 * The results of checking a row against the blockchain. This is the only list of them in TypeScript. The
 * constraint transaction_checks_status_known in supabase/migrations has the same values; change both
 * together.
 */
export const statuses = ['pending', 'verified', 'mismatch', 'reorganised', 'unreachable'] as const

export type Status = (typeof statuses)[number]

/**
 * The word for each status in rows, filters, cards, files and the payment confirmation. 'pending' includes
 * rows that are not final and rows that were never checked. A payment is 'verified' on the blockchain; only a
 * statement is 'confirmed'. In notes about sums, 'pending' and 'unreachable' are 'not verified yet', and
 * 'mismatch' and 'reorganised' are 'doesn't match'.
 */
export const statusWords: Record<Status, string> = {
  verified: /* i18n */ 'Verified on chain',
  pending: /* i18n */ 'Waiting',
  mismatch: /* i18n */ "Doesn't match the blockchain",
  reorganised: /* i18n */ 'No longer on the blockchain',
  unreachable: /* i18n */ "Couldn't reach the blockchain",
}
