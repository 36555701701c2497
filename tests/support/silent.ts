import { afterEach, beforeEach, expect, vi } from 'vitest'

// Makes a test fail after an unexpected error or warning on the console, so that warnings do not accumulate.
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
