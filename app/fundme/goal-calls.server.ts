import * as z from 'zod'
import type { Data } from '../server/data.server'
import { stageColumn } from './columns.server'

const refusalDetail = z
  .string()
  .transform((text) => JSON.parse(text) as unknown)
  .pipe(
    z.object({
      field: z.string().optional(),
      why: z.string().optional(),
      /** The other goal, for the code 'in_the_way'. */
      goal: z.string().optional(),
      stage: stageColumn.optional().catch(undefined),
      overdue: z.boolean().optional(),
      /** The maximum, for the code 'too_many'. */
      most: z.number().optional(),
    }),
  )

/**
 * Why a database function for members refused the call. `code` is the database's code, or 'unknown' for a
 * fault of the backend.
 */
export interface Refusal {
  code: string
  detail: z.infer<typeof refusalDetail>
}

/** Submits the version of a draft that the member saw. Returns null, or the refusal. */
export function submitGoal(data: Data, goal: string, version: number): Promise<Refusal | null> {
  return callGoal(data, 'submit_goal', { goal, version })
}

/** Makes a submitted goal a draft again. */
export function takeBackGoal(data: Data, goal: string): Promise<Refusal | null> {
  return callGoal(data, 'take_back_goal', { goal })
}

/** Ends an open goal early: with a public reason, or a frozen one without. */
export function endGoal(data: Data, goal: string, reason: string | null): Promise<Refusal | null> {
  return callGoal(data, 'end_goal', { goal, reason })
}

export interface NewUpdate {
  words: string
  /** The links, one on each line. */
  links: string
  /** The link of the update's picture (ledger/update-picture.ts). */
  picture: string | null
  is_report: boolean
}

/** Publishes an update or the final report of a goal. */
export function postGoalUpdate(data: Data, goal: string, update: NewUpdate): Promise<Refusal | null> {
  return callGoal(data, 'post_goal_update', { goal, ...update })
}

/**
 * Calls a database function for members. Such a function refuses with a short code as its error message
 * (supabase/migrations, goals).
 */
async function callGoal(
  { api, log }: Data,
  name: 'submit_goal' | 'take_back_goal' | 'end_goal' | 'post_goal_update',
  given: Record<string, unknown>,
): Promise<Refusal | null> {
  const { error, status } = await api.rpc(name, given as never)
  if (!error) return null
  if (status < 500 && /^[a-z_]{3,30}$/.test(error.message))
    return { code: error.message, detail: refusalDetail.catch({}).parse(error.details) }
  log.error(`${name.replaceAll('_', '-')}.failed`, { code: error.code, status })
  return { code: 'unknown', detail: {} }
}
