import { vi } from 'vitest'

/** A log that writes nothing. Each event is passed to `say`; `info`, `warn` and `error` record their calls. */
export function newLog(say: (event: string) => void = () => {}) {
  return { requestId: 'r', failed: false, info: vi.fn(say), warn: vi.fn(say), error: vi.fn(say) }
}
