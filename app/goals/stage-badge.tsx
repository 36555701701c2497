import { useLanguage } from '../platform/locales/react'
import { type StageFacts, stageTone, stageWord } from './stages'

/** The stage of a goal in words. */
export function StageBadge(goal: StageFacts) {
  const { i18n } = useLanguage()
  return <span className={`badge ${stageTone(goal)}`}>{i18n._(stageWord(goal))}</span>
}
