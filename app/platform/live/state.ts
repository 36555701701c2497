import * as z from 'zod/mini'

/** The row of the view live_state: a text for each kind, changed by each new row, status, act, withdrawal. */
export const liveState = z.object({
  ledger: z.string(),
  calls: z.string(),
  pools: z.string(),
  acts: z.string(),
  fundme: z.string(),
})

export type LiveState = z.infer<typeof liveState>
