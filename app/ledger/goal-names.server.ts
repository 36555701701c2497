import * as z from 'zod/mini'
import { integerColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'

const rowGoal = z.object({
  /** The id of the row. */
  id: integerColumn,
  /** The slug of the goal. */
  goal: z.string(),
  /** Null if the title is hidden or was withdrawn. */
  title: z.nullable(z.string()),
})

/** The goal that received the payment of a ledger row. */
export interface RowGoal {
  slug: string
  title: string | null
}

/** The types of rows that can be payments to a goal. */
const typesToGoals = ['goal-gift', 'dream', 'spending']

/**
 * Adds to each row the goal that received its payment, if any. Makes a call only if FundMe is open (`open`)
 * and a row can be a payment to a goal. If the goals cannot be read, returns the rows unchanged.
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

const titleRow = z.object({ slug: z.string(), title: z.nullable(z.string()) })

/** The titles of the public goals among these slugs, by slug; empty if they cannot be read. */
export async function readGoalTitles(
  data: Data,
  slugs: readonly string[],
): Promise<Record<string, string | null>> {
  if (slugs.length === 0) return {}
  const rows = await data.optional().rows('published_goals', titleRow, (query) => query.in('slug', slugs))
  return Object.fromEntries((rows ?? []).map(({ slug, title }) => [slug, title]))
}
