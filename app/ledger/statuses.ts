/**
 * The results of checking a row against the chain: the only list in TypeScript. The constraint
 * transaction_checks_status_known in supabase/migrations names the same values; change both together.
 */
export const statuses = ['pending', 'verified', 'mismatch', 'reorganised', 'unreachable'] as const

export type Status = (typeof statuses)[number]
