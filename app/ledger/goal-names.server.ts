import * as z from 'zod'
import { integerColumn } from '../server/columns.server'
import type { Data } from '../server/data.server'

const rowGoal = z.object({
  /** The id of the row. */
  id: integerColumn,
  /** Its slug. */
  goal: z.string(),
  /** Null if it is hidden or was withdrawn. */
  title: z.string().nullable(),
})

/** The goal that a row paid. */
export interface RowGoal {
  slug: string
  title: string | null
}

/** The types of the rows that may have paid a goal. */
const typesToGoals = ['goal-gift', 'dream']

/**
 * The rows, each with the goal that it paid, if it paid one. Makes a call only if one of them may have, and `open` says
 * that FundMe is. If the goals cannot be read, the rows are returned without them.
 */
export async function withGoals<Row extends { id: number; type: string }>(
  data: Data,
  rows: Row[],
  open: boolean,
): Promise<(Row & { goal?: RowGoal })[]> {
  const ids = rows.flatMap(({ id, type }) => (typesToGoals.includes(type) ? [id] : []))
  if (!open || ids.length === 0) return rows
  const found = await data.optional().rows('published_row_goals', rowGoal, (query) => query.in('id', ids))
  const goals = new Map(found?.map(({ id, goal, title }) => [id, { slug: goal, title }]))
  return rows.map((row) => {
    const goal = goals.get(row.id)
    return goal ? { ...row, goal } : row
  })
}
