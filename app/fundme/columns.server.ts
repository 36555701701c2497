import * as z from 'zod/mini'
import { linkColumn, moneyColumn } from '../server/columns.server'
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
