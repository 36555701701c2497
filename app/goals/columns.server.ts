import * as z from 'zod/mini'
import { integerColumn, linkColumn, moneyColumn, timestampColumn } from '../platform/server/columns.server'
import type { PlanLine } from './plan'
import { stages } from './stages'

export const stageColumn = z.enum(stages)

/** A goal's links, one on each line. Drops links that are not https. */
export const linksColumn = z.pipe(
  z.nullable(z.string()),
  z.transform((text) => (text ?? '').split('\n').filter((link) => linkColumn.parse(link) !== null)),
)

/** The plan of a draft, stored as JSON. */
export const draftPlanColumn = z.array(
  z.pipe(
    z.object({ amount: z.nullable(moneyColumn), what: z.string() }),
    z.transform((line): PlanLine => line),
  ),
)

/** The path of a goal's picture on this site, built from the picture's name in the bucket. */
export const picturePathColumn = z.pipe(
  z.nullable(z.string()),
  z.transform((name) => name && `/pictures/goals/${name}`),
)

/** What the views of a goal for its member and for everyone share. A hidden or withdrawn text is null. */
export const goalColumns = {
  id: z.string(),
  stage: stageColumn,
  frozen: z.boolean(),
  hidden: z.boolean(),
  title: z.nullable(z.string()),
  byline: z.nullable(z.string()),
  category: z.nullable(z.string()),
  story: z.nullable(z.string()),
  links: linksColumn,
  pictureText: z.nullable(z.string()),
  /** For everyone null unless the goal is open and not frozen. */
  wallet: z.nullable(z.string()),
  endedAt: z.nullable(timestampColumn),
  completedAt: z.nullable(timestampColumn),
  /** The number of the update that is the final report. */
  reportNumber: z.nullable(integerColumn),
  reportDueAt: z.nullable(timestampColumn),
  isOverdue: z.pipe(
    z.nullable(z.boolean()),
    z.transform((overdue) => overdue === true),
  ),
}
