import { afterEach, beforeEach, expect, vi } from 'vitest'

// A warning that no test expected is a failure: otherwise they pile up until nobody reads them.
const spies: ReturnType<typeof vi.spyOn>[] = []

beforeEach(() => {
  for (const method of ['error', 'warn'] as const) spies.push(vi.spyOn(console, method))
})

afterEach(() => {
  for (const spy of spies.splice(0)) {
    const said = spy.mock.calls
    spy.mockRestore()
    expect(said).toEqual([])
  }
})
