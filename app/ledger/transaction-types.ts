/**
 * The types of a ledger row, as pages name them: the only list in TypeScript. The constraint
 * transactions_type_known in supabase/migrations has the same values; change both together.
 */
export const transactionTypes = {
  donation: 'Donation',
  gift: 'Gift',
  spending: 'Spending',
  cost: 'Cost',
  tax: 'Trading tax',
  dream: 'Community dream',
  move: 'Between our wallets',
  other: 'Not explained yet',
} as const

export type TransactionType = keyof typeof transactionTypes
