import { vi } from 'vitest'

/** A log that writes nothing: calls `say` with each event, and `info`, `warn`, `error` record theirs. */
export function newLog(say: (event: string) => void = () => {}) {
  return { requestId: 'r', failed: false, info: vi.fn(say), warn: vi.fn(say), error: vi.fn(say) }
}
