import { expect, test } from 'vitest'
import { drawFrom } from '../../tests/support/draw.ts'
import { mayMove, type OrderState, orderStates, shownState } from './states'

test('in every history, an order is paid again only after it was sent again, and nothing follows a stop', () => {
  const draw = drawFrom(1)
  for (let round = 0; round < 2_000; round++) {
    let state: OrderState = 'announced'
    const seen: OrderState[] = [state]
    for (let step = 0; step < 12; step++) {
      const wanted = orderStates[Math.floor(draw() * orderStates.length)] ?? 'announced'
      if (!mayMove(state, wanted)) continue
      state = wanted
      seen.push(state)
    }
    for (const [at, each] of seen.entries())
      if (each === 'paid' && seen[at + 1]) expect(seen[at + 1]).toBe('sent')
    for (const end of ['stopped', 'expired', 'mismatched'] as const)
      expect([-1, seen.length - 1]).toContain(seen.indexOf(end))
    if (seen.includes('stopped') || seen.includes('expired')) expect(seen).not.toContain('sent')
  }
})

test('an order is due from the end of its notice', () => {
  const dueAt = new Date(1_000)
  expect(shownState({ state: 'announced', dueAt }, 999)).toBe('announced')
  expect(shownState({ state: 'announced', dueAt }, 1_000)).toBe('due')
  expect(shownState({ state: 'stopped', dueAt }, 2_000)).toBe('stopped')
})
