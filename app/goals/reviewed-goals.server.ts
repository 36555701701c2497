import * as z from 'zod/mini'
import { operatorsOnly } from '../acts/guard.server'
import { isGoalSlug } from '../platform/goal-slug'
import { integerColumn, moneyColumn, objectsColumn, timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import type { GoalActKind } from './acts'
import { draftPlanColumn, linksColumn, picturePathColumn, stageColumn } from './columns.server'
import { type ComplaintReason, complaintReasons } from './complaint-reasons'
import { type PlanLine, readPlan } from './plan'

const nullableTime = z.nullable(timestampColumn)
const title = z.nullable(z.string())
const queueOf = <Row>(items: z.ZodMiniType<Row[]>) => z.object({ count: integerColumn, items })
const ended = queueOf(objectsColumn(z.object({ slug: z.string(), title, endedAt: timestampColumn })))

/** The goals that wait for operators, grouped by the reason why they wait. */
export const goalQueues = z.object({
  submitted: queueOf(
    objectsColumn(z.object({ slug: z.string(), title, submittedAt: timestampColumn, mine: z.boolean() })),
  ),
  complaints: queueOf(
    objectsColumn(z.object({ slug: z.string(), title, count: integerColumn, oldestAt: timestampColumn })),
  ),
  /** The goals with an update that is mailed to followers within the hour. */
  updates: queueOf(objectsColumn(z.object({ slug: z.string(), title, dueAt: timestampColumn }))),
  /** The goals with an update that names this site. */
  waiting: queueOf(objectsColumn(z.object({ slug: z.string(), title, madeAt: timestampColumn }))),
  /** The ended goals with a final report. */
  reports: ended,
  /** The goals that ended more than 90 days ago and have no final report. */
  overdue: ended,
})
export type GoalQueues = z.infer<typeof goalQueues>

const complaint = z.object({
  reason: z.enum(Object.keys(complaintReasons) as ComplaintReason[]),
  text: z.string(),
  madeAt: timestampColumn,
})

const complainedGoals = operatorsOnly(
  objectsColumn(
    z.object({
      slug: z.string(),
      title,
      stage: stageColumn,
      frozen: z.boolean(),
      /** True if the goal belongs to the caller. */
      mine: z.boolean(),
      count: integerColumn,
      /** The 20 oldest complaints. */
      items: objectsColumn(complaint),
    }),
  ),
)

/** Up to 100 goals with open complaints, most complaints first; null if they cannot be read. */
export function readComplaints(data: Data) {
  return data.call('read_complaints', complainedGoals, {}, { get: true })
}

/** The texts and choices of a member before the approval of the goal. */
const draft = {
  title: z.string(),
  byline: z.string(),
  category: z.string(),
  story: z.string(),
  links: z.string(),
  target_usd: moneyColumn,
  days: integerColumn,
  plan: draftPlanColumn,
  picture_path: z.nullable(z.string()),
  picture_text: z.string(),
  wallet: z.string(),
}
export type Submission = z.infer<z.ZodMiniObject<typeof draft>>

const words = z.object({
  title,
  byline: title,
  category: title,
  plan: title,
  story: title,
  links: title,
  picture_text: title,
})

const check = z.object({
  wallet: z.string(),
  fault: z.nullable(z.enum(['proof', 'ours', 'used', 'holds'])),
  block_number: integerColumn,
  nonce: integerColumn,
  checked_at: timestampColumn,
})
export type WalletCheck = z.infer<typeof check>

const reviewed = operatorsOnly(
  z.pipe(
    z.object({
      slug: z.string(),
      stage: stageColumn,
      revision: integerColumn,
      frozen: z.boolean(),
      hidden: z.boolean(),
      /** Null while the member changes a returned goal. */
      target_usd: z.nullable(moneyColumn),
      days: z.nullable(integerColumn),
      wallet: z.nullable(z.string()),
      picture_path: z.nullable(z.string()),
      plan: draftPlanColumn,
      report_number: z.nullable(integerColumn),
      submitted_at: nullableTime,
      opened_at: nullableTime,
      ends_at: nullableTime,
      ended_at: nullableTime,
      completed_at: nullableTime,
      /** True if the goal belongs to the caller. */
      mine: z.boolean(),
      words,
      /** The last two submissions, newest first; empty after the approval of the goal. */
      submitted: z.array(z.object(draft)),
      check: z.nullable(check),
      /** What a dismissal of these complaints decides on; null without one. */
      complaints_version: z.nullable(integerColumn),
      complaints: objectsColumn(complaint),
      /** An update that names this site, and its version; null without one. */
      waiting: z.nullable(
        z.object({
          version: integerColumn,
          text: z.string(),
          links: z.nullable(z.string()),
          picture: z.nullable(z.string()),
          is_report: z.boolean(),
        }),
      ),
      /** The other goals of the same member, newest first. */
      earlier: z.array(
        z.object({
          slug: z.string(),
          stage: stageColumn,
          frozen: z.boolean(),
          title,
          complaints: integerColumn,
        }),
      ),
      moves: objectsColumn(
        z.object({
          stage: stageColumn,
          frozen: z.boolean(),
          hidden: z.boolean(),
          movedBy: z.enum(['member', 'operator', 'schedule', 'deletion']),
          movedAt: timestampColumn,
          /** Why operators returned or rejected the goal; null for other moves, and once the goal is approved. */
          reason: z.nullable(z.string()),
        }),
      ),
    }),
    z.transform(withSubmission),
  ),
)
export type ReviewedGoal = Exclude<z.infer<typeof reviewed>, 'none'>

interface Stored {
  stage: string
  words: z.infer<typeof words>
  target_usd: number | null
  days: number | null
  wallet: string | null
  picture_path: string | null
  plan: PlanLine[]
  submitted: Submission[]
}

/**
 * Adds the goal's words in the form that pages show. For a returned goal, these are the submitted words,
 * because the member may be changing the stored words.
 */
function withSubmission<Goal extends Stored>(goal: Goal) {
  const [newest] = goal.submitted
  const shown = goal.stage === 'returned' && newest ? { ...goal, ...newest, words: newest } : goal
  const { byline, category, story, links, picture_text: pictureText } = shown.words
  const path = picturePathColumn.parse(shown.picture_path)
  const published = goal.words.plan
  return {
    ...goal,
    title: shown.words.title,
    target: shown.target_usd,
    days: shown.days,
    wallet: shown.wallet,
    text: {
      byline,
      category,
      story,
      links: linksColumn.parse(links),
      plan: published === null ? shown.plan : readPlan(published),
      picture: path && pictureText ? { path, text: pictureText } : null,
    },
  }
}

/** A goal that is or was submitted, for an operator. 'none': it does not exist, null: it can't be read. */
export async function readGoal(data: Data, slug: string | undefined): Promise<ReviewedGoal | 'none' | null> {
  if (!isGoalSlug(slug)) return 'none'
  return data.call('read_goal', reviewed, { goal: slug }, { get: true })
}

/** The version of a goal that an act of this kind decides on (private.version_of). */
export function versionFor(kind: GoalActKind, goal: ReviewedGoal): number {
  if (kind === 'complaint-dismissal') return goal.complaints_version ?? 0
  if (kind === 'goal-update') return goal.waiting?.version ?? 0
  return goal.revision + (kind === 'goal-report' ? (goal.report_number ?? 0) : 0)
}

/**
 * The kinds of acts with which this operator may decide on a goal in its stage. `isChecked`: the job has
 * checked the goal's wallet within the last day.
 */
export function decisionsAbout(goal: ReviewedGoal, isChecked: boolean): GoalActKind[] {
  const { stage, frozen, mine, report_number, complaints, waiting } = goal
  if (mine) return []
  const kinds: GoalActKind[] = []
  if (stage === 'submitted') {
    if (isChecked) kinds.push('goal-approval')
    kinds.push('goal-return', 'goal-rejection')
  }
  if (stage === 'ended' && report_number !== null && !frozen) kinds.push('goal-report')
  if (waiting && !frozen && (stage === 'ended' || (stage === 'open' && !waiting.is_report)))
    kinds.push('goal-update')
  if (stage === 'open' || stage === 'ended')
    kinds.push(frozen ? 'goal-release' : 'goal-freeze', 'goal-annulment')
  if (complaints.length > 0) kinds.push('complaint-dismissal')
  return kinds
}
