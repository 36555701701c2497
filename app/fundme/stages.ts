/** The stages of a goal, as the database moves them (private.move_goal). */
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

/** Whether the member of a goal can edit it. */
export function isDraft({ stage }: { stage: Stage }): boolean {
  return stage === 'draft' || stage === 'returned'
}

/** What of a goal decides the word for its stage. */
export interface StageFacts {
  stage: Stage
  frozen: boolean
  /** Whether 90 days have passed since its end, without an accepted report. */
  isOverdue: boolean
}

const words: Record<Stage, string> = {
  draft: /* i18n */ 'Draft',
  returned: /* i18n */ 'Returned',
  submitted: /* i18n */ 'In review',
  rejected: /* i18n */ 'Rejected',
  open: /* i18n */ 'Open',
  ended: /* i18n */ 'Ended',
  completed: /* i18n */ 'Completed',
  annulled: /* i18n */ 'Annulled',
}

/** The word for the stage of a goal, as the key of a message (locales/key.ts). */
export function stageWord({ stage, frozen, isOverdue }: StageFacts): string {
  if (frozen) return /* i18n */ 'Frozen'
  return isOverdue ? /* i18n */ 'Report overdue' : words[stage]
}

/** The colours of that word: green for open, blue for completed, red for what went wrong, grey for the others. */
export function stageTone({ stage, frozen, isOverdue }: StageFacts): string {
  if (frozen || isOverdue || stage === 'annulled') return 'bg-bad-wash text-bad'
  if (stage === 'open') return 'bg-good-wash text-good'
  return stage === 'completed' ? 'bg-done-wash text-done' : 'bg-plain-wash text-muted'
}
