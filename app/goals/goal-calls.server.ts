import * as z from 'zod/mini'
import { integerColumn } from '../platform/server/columns.server'
import type { CommandRefused, Data } from '../platform/server/data.server'

/** What the functions return. Without it nothing is known to be done. */
const moved = z.object({ stage: z.string() })
/** The number is null if the update waits for an operator. */
const posted = z.object({ number: z.nullable(integerColumn) })

/** Submits the version of a draft that the member saw. Returns null, or the refusal. */
export function submitGoal(data: Data, goal: string, version: number): Promise<CommandRefused | null> {
  return refusalOf(data.command('submit_goal', moved, { goal, version }))
}

/** Makes a submitted goal a draft again. */
export function takeBackGoal(data: Data, goal: string): Promise<CommandRefused | null> {
  return refusalOf(data.command('take_back_goal', moved, { goal }))
}

/** Ends an open goal early: with a public reason, or a frozen one without. */
export function endGoal(data: Data, goal: string, reason: string | null): Promise<CommandRefused | null> {
  return refusalOf(data.command('end_goal', moved, { goal, reason }))
}

export interface NewUpdate {
  words: string
  /** The links, one on each line. */
  links: string
  /** The link of the update's picture (ledger/update-picture.ts). */
  picture: string | null
  is_report: boolean
}

/** Publishes an update or the final report of a goal. Says whether it waits for an operator, or returns the refusal. */
export async function postGoalUpdate(
  data: Data,
  goal: string,
  update: NewUpdate,
): Promise<CommandRefused | { waits: boolean }> {
  const done = await data.command('post_goal_update', posted, { goal, ...update })
  return 'code' in done ? done : { waits: done.value.number === null }
}

async function refusalOf(
  answer: Promise<{ value: unknown } | CommandRefused>,
): Promise<CommandRefused | null> {
  const done = await answer
  return 'code' in done ? done : null
}
