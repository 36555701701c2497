import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** The stages of a goal. The database function private.move_goal changes the stage. */
export const stages = [
  'draft',
  'returned',
  'submitted',
  'rejected',
  'open',
  'ended',
  'completed',
  'annulled',
] as const
export type Stage = (typeof stages)[number]

/** Whether the member can edit the goal. */
export function isDraft({ stage }: { stage: Stage }): boolean {
  return stage === 'draft' || stage === 'returned'
}

/** True if the goal lets its member submit no other one: it waits, is open, or has no accepted report. */
export function isActive({ stage }: { stage: Stage }): boolean {
  return stage === 'submitted' || stage === 'open' || stage === 'ended'
}

/** The facts that determine the word for a goal's stage. */
export interface StageFacts {
  stage: Stage
  frozen: boolean
  /** Whether 90 days have passed since the goal ended, and no report has been accepted. */
  isOverdue: boolean
}

const words: Record<Stage, MessageDescriptor> = {
  draft: msg`Draft`,
  returned: msg`Returned`,
  submitted: msg`In review`,
  rejected: msg`Rejected`,
  open: msg`Open`,
  ended: msg`Ended`,
  completed: msg`Completed`,
  annulled: msg`Annulled`,
}

/** The word for the stage of a goal. */
export function stageWord({ stage, frozen, isOverdue }: StageFacts): MessageDescriptor {
  if (frozen) return msg`Frozen`
  return isOverdue ? msg`Report overdue` : words[stage]
}

/** The colour of a stage: green for open, blue for completed, red for problems, grey for the others. */
export function stageTone({ stage, frozen, isOverdue }: StageFacts): string {
  if (frozen || isOverdue || stage === 'annulled') return 'bg-bad-wash text-bad'
  if (stage === 'open') return 'bg-good-wash text-good'
  return stage === 'completed' ? 'bg-done-wash text-done' : 'bg-plain-wash text-muted'
}
