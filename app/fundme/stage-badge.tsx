import { key } from '../locales/key'
import { useLanguage } from '../locales/react'
import { type StageFacts, stageWord } from './stages'

/** The stage of a goal in words: green for open, blue for completed, red for frozen and annulled, grey for the others. */
export function StageBadge(goal: StageFacts) {
  const { i18n } = useLanguage()
  return <span className={`badge ${toneOf(goal)}`}>{i18n._(key(stageWord(goal)))}</span>
}

function toneOf({ stage, frozen, isOverdue }: StageFacts): string {
  if (frozen || isOverdue || stage === 'annulled') return 'bg-bad-wash text-bad'
  if (stage === 'open') return 'bg-good-wash text-good'
  return stage === 'completed' ? 'bg-done-wash text-done' : 'bg-plain-wash text-muted'
}
