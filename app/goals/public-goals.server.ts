import * as z from 'zod/mini'
import { isGoalSlug } from '../platform/goal-slug'
import { integerColumn, moneyColumn, timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import { goalColumns, picturePathColumn } from './columns.server'
import { readPlan } from './plan'

/** An approved goal as everyone reads it, in cents. A hidden or withdrawn text is null. */
const publicGoalRow = z.pipe(
  z.object({
    ...goalColumns,
    slug: z.string(),
    revision: integerColumn,
    plan: z.pipe(
      z.nullable(z.string()),
      z.transform((text) => (text === null ? null : readPlan(text))),
    ),
    picturePath: picturePathColumn,
    targetUsd: moneyColumn,
    openedAt: timestampColumn,
    endsAt: timestampColumn,
    endedBy: z.nullable(z.enum(['schedule', 'member', 'deletion'])),
    /** Whether the job looks for new gifts to the goal. */
    isWatched: z.boolean(),
    receivedUsd: moneyColumn,
    verifiedCount: integerColumn,
    pendingCount: integerColumn,
    unvaluedCount: integerColumn,
  }),
  z.transform((goal) => ({ ...goal, picture: pictureOf(goal) })),
)
export type PublicGoal = z.infer<typeof publicGoalRow>

/** The goal's picture; null without its description, which is missing if the picture was withdrawn. */
function pictureOf({ picturePath, pictureText }: { picturePath: string | null; pictureText: string | null }) {
  return picturePath && pictureText ? { path: picturePath, text: pictureText } : null
}

/** The goal with this slug; 'none' if the goal is not public, null if the goal cannot be read. */
export async function readPublicGoal(data: Data, slug: string): Promise<PublicGoal | 'none' | null> {
  if (!isGoalSlug(slug)) return 'none'
  const rows = await data.rows('published_goals', publicGoalRow, (query) => query.eq('slug', slug))
  return rows && (rows[0] ?? 'none')
}
