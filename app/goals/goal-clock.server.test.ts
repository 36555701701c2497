import { expect, test } from 'vitest'
import { clockOf } from '../platform/server/goal-clock.server'
import { asOfGoalClock, overdueAsOfGoalClock } from './goal-clock.server'

const day = 24 * 60 * 60_000
const lastDay = Date.UTC(2025, 10, 1)
const demo = { CLOCK_RATE: 1, CLOCK_START: 0, DEMO: true, DEMO_DAY: lastDay }
const endedBefore = (days: number) => ({ endedAt: new Date(lastDay - days * day) })

test('in the demonstration, the operator list and the goal pages agree on which goals are overdue', () => {
  const queue = { count: 2, items: [endedBefore(91), endedBefore(17)] }
  const overdue = overdueAsOfGoalClock(queue, demo)
  expect(overdue).toEqual({ count: 1, items: [endedBefore(91)] })
  for (const goal of queue.items) {
    const shown = asOfGoalClock({ ...goal, stage: 'ended', isOverdue: true }, demo)
    expect(shown.isOverdue).toBe(overdue.items.includes(goal))
  }
})

test('outside the demonstration, the database decides which goals are overdue', () => {
  const site = { ...demo, DEMO: false }
  const queue = { count: 1, items: [endedBefore(17)] }
  expect(overdueAsOfGoalClock(queue, site)).toBe(queue)
  expect(asOfGoalClock({ ...endedBefore(17), stage: 'ended', isOverdue: true }, site).isOverdue).toBe(true)
})

test('a goal that operators of the demonstration open for 14 days has 14 days left, and the goals of its data have the days of their time', () => {
  const now = Date.now()
  const opened = { endsAt: new Date(now + 14 * day) }
  expect(Math.round((opened.endsAt.getTime() - clockOf(opened, demo)) / day)).toBe(14)
  expect(clockOf({ endsAt: new Date(lastDay + 20 * day) }, demo)).toBe(lastDay)
  expect(clockOf(opened, { ...demo, DEMO: false })).toBeGreaterThanOrEqual(now)
})
