import * as z from 'zod/mini'
import type { Bindings } from '../platform/server/env.server.ts'

/** The newest checkpoint that was signed. */
const checkpoint = z.object({ size: z.int().check(z.positive()), root: z.string() })
type RememberedCheckpoint = z.infer<typeof checkpoint>

/**
 * Stores the newest signed checkpoint outside the database, in a KV namespace (binding CHECKPOINTS), so that
 * the job detects a restored backup. `npm start` stores that namespace in a folder beside the data folder.
 */
export interface CheckpointMemory {
  read(log: string): Promise<RememberedCheckpoint | null>
  write(log: string, checkpoint: RememberedCheckpoint): Promise<void>
}

/** The memory in the environment; null if no namespace is bound. `read` throws for a malformed value. */
export function checkpointMemory({ CHECKPOINTS: store }: Bindings): CheckpointMemory | null {
  if (!store) return null
  return {
    read: async (log) => {
      const text = await store.get(log)
      return text === null ? null : checkpoint.parse(JSON.parse(text))
    },
    write: (log, { size, root }) => store.put(log, JSON.stringify({ size, root })),
  }
}
