import * as z from 'zod/mini'
import { integerColumn, moneyColumn, timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import { draftPlanColumn, goalColumns, linksColumn } from './columns.server'
import { readPlan } from './plan'

/** A missing or incorrect part that prevents the member from submitting the draft (private.goal_faults). */
const faultColumn = z.object({
  field: z.enum([
    'title',
    'byline',
    'category',
    'target',
    'days',
    'plan',
    'story',
    'picture',
    'picture_text',
    'wallet',
  ]),
  why: z.enum(['missing', 'range', 'sum', 'unproven', 'taken', 'used', 'address', 'link']),
})
export type DraftFault = z.infer<typeof faultColumn>

const goalRow = z.pipe(
  z.object({
    ...goalColumns,
    slug: z.nullable(z.string()),
    /** How many times the draft has been saved. */
    version: integerColumn,
    draftPlan: draftPlanColumn,
    plan: z.nullable(z.string()),
    /** The path of the picture, from its name in the bucket. */
    picturePath: z.nullable(z.string()),
    targetUsd: z.nullable(moneyColumn),
    days: z.nullable(integerColumn),
    /** Why operators returned or rejected the goal. */
    reason: z.nullable(z.string()),
    /** The reasons for all returns and for a rejection, oldest first; empty after the approval. */
    reasons: z.array(z.string()),
    /** Why the wallet check returned the goal. */
    fault: z.nullable(z.enum(['proof', 'ours', 'used', 'holds'])),
    savedAt: timestampColumn,
    submittedAt: z.nullable(timestampColumn),
    endsAt: z.nullable(timestampColumn),
    /** The money received, in cents; null before the goal opens. */
    receivedUsd: z.nullable(moneyColumn),
    verifiedCount: z.nullable(integerColumn),
    pendingCount: z.nullable(integerColumn),
    unvaluedCount: z.nullable(integerColumn),
    faults: z.array(faultColumn),
    /** The text of the update that waits for an operator, because it names the site. */
    waitingUpdate: z.nullable(z.string()),
    waitingLinks: linksColumn,
    waitingSince: z.nullable(timestampColumn),
  }),
  z.transform(({ draftPlan, plan, picturePath, pictureText, ...goal }) => ({
    ...goal,
    plan: plan === null ? draftPlan : readPlan(plan),
    pictureName: picturePath,
    picture: picturePath ? { path: `/pictures/goals/${picturePath}`, text: pictureText ?? '' } : null,
  })),
)
/** A goal as its member sees it. A missing or withdrawn text is null. */
export type MyGoal = z.infer<typeof goalRow>

/** All goals of the member, newest first; null if the goals cannot be read. */
export function listMyGoals(data: Data): Promise<MyGoal[] | null> {
  return data.rows('my_goals', goalRow, (query) =>
    query.order('created_at', { ascending: false }).order('id', { ascending: false }),
  )
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

/** Whether the text has the form of a goal's id. */
export function isGoalId(id: string | undefined): id is string {
  return uuid.test(id ?? '')
}

/** The member's goal with this id; 'none' if the member has no such goal, null if the goal cannot be read. */
export async function readMyGoal(data: Data, id: string | undefined): Promise<MyGoal | 'none' | null> {
  if (!isGoalId(id)) return 'none'
  const rows = await data.rows('my_goals', goalRow, (query) => query.eq('id', id))
  return rows && (rows[0] ?? 'none')
}

/** A draft in the form that the database stores. */
export interface DraftValues {
  title: string
  byline: string
  category: string
  target_usd: number | null
  days: number | null
  plan: { amount: string | null; what: string }[]
  story: string
  links: string
  picture_text: string
  wallet: string | null
}

/** The rows that an update changed. */
const changedRows = z.array(z.object({ version: integerColumn }))

/**
 * Stores a new draft if `version` is null; otherwise replaces the version that the member saw. Returns
 * 'stale' if a newer version or a different stage is stored, 'many' if the member has three drafts, and
 * 'failed' if the database failed.
 */
export async function saveDraft(
  { api, log }: Data,
  { id, member, version }: { id: string; member: string; version: number | null },
  values: DraftValues,
): Promise<'saved' | 'stale' | 'many' | 'failed'> {
  if (version !== null) {
    const saved = await api.from('goals').update(values).eq('id', id).eq('version', version).select('version')
    const { data } = changedRows.safeParse(saved.data)
    if (data) return data.length > 0 ? 'saved' : 'stale'
    log.error('goal.not-saved', { code: saved.error?.code ?? 'shape', status: saved.status })
    return 'failed'
  }
  const { error, status } = await api.from('goals').insert({ id, member, ...values })
  if (!error && status === 201) return 'saved'
  // Lite returns the same code for both, so the constraint in the message is read.
  if (error?.message.includes('goals_pkey')) return 'stale'
  if (error?.message === 'too_many_drafts') return 'many'
  log.error('goal.not-saved', { code: error?.code ?? 'shape', status })
  return 'failed'
}

/** Stores or removes a draft's picture. False if a newer version is stored, or if the database failed. */
export async function savePicture(
  { api, log }: Data,
  { id, version }: { id: string; version: number },
  name: string | null,
): Promise<boolean> {
  const values = name ? { picture_path: name } : { picture_path: null, picture_text: '' }
  const { data, error, status } = await api
    .from('goals')
    .update(values)
    .eq('id', id)
    .eq('version', version)
    .select('version')
  const changed = changedRows.safeParse(data).data
  if (!changed) log.error('goal.picture-not-saved', { code: error?.code ?? 'shape', status })
  return changed !== undefined && changed.length > 0
}

/** Deletes a draft. Returns false if the database failed. */
export async function deleteDraft({ api, log }: Data, id: string): Promise<boolean> {
  const { error, status } = await api.from('goals').delete().eq('id', id)
  if (error) log.error('goal.not-deleted', { code: error.code, status })
  return !error
}
