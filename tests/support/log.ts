import { vi } from 'vitest'

/**
 * A log that writes nothing. It calls `say` with each event; `info`, `warn` and `error` record their calls.
 */
export function newLog(say: (event: string) => void = () => {}) {
  return { requestId: 'r', failed: false, info: vi.fn(say), warn: vi.fn(say), error: vi.fn(say) }
}
