import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { takeTurns } from '../../supabase/embedded/turns.ts'

test('work is done one piece at a time, in order, and a failure holds up nobody', async () => {
  const takeTurn = takeTurns()
  const log: string[] = []
  const work = (name: string) => async () => {
    log.push(`${name} begins`)
    await sleep(2)
    log.push(`${name} ends`)
    if (name === 'b') throw new Error('b failed')
    return name
  }
  const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => takeTurn(work(name))))
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  expect(results).toMatchObject([{ value: 'a' }, { reason: new Error('b failed') }, { value: 'c' }])
})

test('work inside a turn does not wait for its own end', async () => {
  const takeTurn = takeTurns()
  expect(await takeTurn(async () => `outer ${await takeTurn(async () => 'inner')}`)).toBe('outer inner')
})
