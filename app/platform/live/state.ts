import * as z from 'zod/mini'

/**
 * The row of the view live_state: one text for each kind. A kind's text changes with each new row, status,
 * act or withdrawal.
 */
export const liveState = z.object({
  ledger: z.string(),
  calls: z.string(),
  pools: z.string(),
  acts: z.string(),
  fundme: z.string(),
})

export type LiveState = z.infer<typeof liveState>
