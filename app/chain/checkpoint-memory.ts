import * as z from 'zod'

/** The highest checkpoint that was ever signed. */
const checkpoint = z.object({ size: z.number().int().positive(), root: z.string() })
type RememberedCheckpoint = z.infer<typeof checkpoint>

/**
 * Where the highest signed checkpoint is kept outside the database, so that a restored backup is noticed: a KV namespace
 * (binding CHECKPOINTS). In `npm start` that is a folder beside the data folder.
 */
export interface CheckpointMemory {
  read(log: string): Promise<RememberedCheckpoint | null>
  write(log: string, checkpoint: RememberedCheckpoint): Promise<void>
}

interface KeyValueStore {
  get(key: string): Promise<string | null>
  put(key: string, value: string): Promise<void>
}

/** The memory of the worker's environment, or null where no namespace is bound. Throws where its value is malformed. */
export function checkpointMemory(env: Record<string, unknown>): CheckpointMemory | null {
  const store = env.CHECKPOINTS as KeyValueStore | undefined
  if (!store) return null
  return {
    read: async (log) => {
      const text = await store.get(log)
      return text === null ? null : checkpoint.parse(JSON.parse(text))
    },
    write: (log, { size, root }) => store.put(log, JSON.stringify({ size, root })),
  }
}
