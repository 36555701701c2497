/** The types of payments from and to our own wallets. Pages translate the names by `key`. */
export const ownTypes = {
  donation: /* i18n */ 'Donation',
  gift: /* i18n */ 'Gift',
  spending: /* i18n */ 'Spending',
  cost: /* i18n */ 'Cost',
  tax: /* i18n */ 'Trading tax',
  dream: /* i18n */ 'Community dream',
  move: /* i18n */ 'Between our wallets',
  exchange: /* i18n */ 'Exchange',
  returned: /* i18n */ 'Came back',
  other: /* i18n */ 'Not explained yet',
} as const

/**
 * The types of a ledger row with their names on pages. This is the only list of them in TypeScript. The
 * constraint transactions_type_known in supabase/migrations has the same values; change both together.
 */
export const transactionTypes = { ...ownTypes, 'goal-gift': /* i18n */ 'Gift to a goal' } as const

export type TransactionType = keyof typeof transactionTypes

/** Types that give and spend none of our money: listed on request (`?rows=all`) or by a filter. */
export const technicalTypes = ['tax', 'move', 'exchange', 'goal-gift'] as const satisfies TransactionType[]
