import * as z from 'zod/mini'
import { integerColumn, timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import { stageColumn } from './columns.server'

/** A public state of a goal. Revision 0 is the approval. */
const changeRow = z.object({
  id: integerColumn,
  revision: integerColumn,
  stage: stageColumn,
  frozen: z.boolean(),
  hidden: z.boolean(),
  changedBy: z.enum(['member', 'operator', 'schedule', 'deletion']),
  recordedAt: timestampColumn,
  /** The index of the change's entry in the log. */
  logIndex: integerColumn,
  /** Why the member ended the goal early; null if no reason was given or the reason was withdrawn. */
  reason: z.nullable(z.string()),
  reasonHash: z.nullable(z.string()),
})
export type GoalChange = z.infer<typeof changeRow>

/** Maximum number of changes on a goal's page. */
const maxChanges = 200

/** The public states of a goal, newest first; null if the states cannot be read. */
export function listGoalChanges(data: Data, slug: string): Promise<GoalChange[] | null> {
  return data.rows('published_goal_changes', changeRow, (query) =>
    query.eq('slug', slug).order('revision', { ascending: false }).limit(maxChanges),
  )
}
