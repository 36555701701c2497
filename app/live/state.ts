import * as z from 'zod'

/** The row of the view live_state: one text for each kind. A new row, status or act, or a withdrawal, changes the text. */
export const liveState = z.object({
  ledger: z.string(),
  calls: z.string(),
  pools: z.string(),
  acts: z.string(),
  fundme: z.string(),
})

export type LiveState = z.infer<typeof liveState>
