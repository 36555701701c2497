import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createQueue } from '../../supabase/embedded/queue.ts'

test('runs one piece of work at a time, in order, and continues after a failure', async () => {
  const queue = createQueue()
  const log: string[] = []
  const work = (name: string) => async () => {
    log.push(`${name} begins`)
    await sleep(2)
    log.push(`${name} ends`)
    if (name === 'b') throw new Error('b failed')
    return name
  }
  const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => queue(work(name))))
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  expect(results).toMatchObject([{ value: 'a' }, { reason: new Error('b failed') }, { value: 'c' }])
})

test('immediately runs work that is queued from inside other work', async () => {
  const queue = createQueue()
  expect(await queue(async () => `outer ${await queue(async () => 'inner')}`)).toBe('outer inner')
})
