import * as z from 'zod'
import { integerColumn, linkColumn, moneyColumn, timestampColumn } from '../server/columns.server'
import type { PlanLine } from './plan'
import { stages } from './stages'

export const stageColumn = z.enum(stages)

/** A goal's links, one on each line. Drops links that are not https. */
export const linksColumn = z
  .string()
  .nullable()
  .transform((text) => (text ?? '').split('\n').filter((link) => linkColumn.parse(link) !== null))

/** The plan of a draft, stored as JSON. */
export const draftPlanColumn = z.array(
  z.object({ amount: moneyColumn.nullable(), what: z.string() }).transform((line): PlanLine => line),
)

/** The path of a goal's picture on this site, built from the picture's name in the bucket. */
export const picturePathColumn = z
  .string()
  .nullable()
  .transform((name) => name && `/pictures/goals/${name}`)

/**
 * What the views of a goal for its member and for everyone both have. A text is null if it is hidden or was withdrawn.
 */
export const goalColumns = {
  id: z.string(),
  stage: stageColumn,
  frozen: z.boolean(),
  hidden: z.boolean(),
  title: z.string().nullable(),
  byline: z.string().nullable(),
  category: z.string().nullable(),
  story: z.string().nullable(),
  links: linksColumn,
  pictureText: z.string().nullable(),
  /** For everyone null unless the goal is open and not frozen. */
  wallet: z.string().nullable(),
  endedAt: timestampColumn.nullable(),
  completedAt: timestampColumn.nullable(),
  /** The number of the update that is the final report. */
  reportNumber: integerColumn.nullable(),
  reportDueAt: timestampColumn.nullable(),
  isOverdue: z
    .boolean()
    .nullable()
    .transform((overdue) => overdue === true),
}
