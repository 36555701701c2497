import type { AppLoadContext } from '@remix-run/cloudflare'
import { asOfGoalClock } from '~/goals/goal-clock.server'
import { listMyGoals } from '~/goals/my-goals.server'
import { stageTone, stageWord } from '~/goals/stages'

/** The member's goals on the dashboard, newest first; null if the goals cannot be read. */
export async function listGoalCards({ config, data, language }: AppLoadContext) {
  const goals = await listMyGoals(data())
  return (
    goals?.map((goal) => ({
      id: goal.id,
      title: goal.title,
      stage: language.i18n._(stageWord(asOfGoalClock(goal, config))),
      tone: stageTone(asOfGoalClock(goal, config)),
      current: goal.receivedUsd ?? 0,
      target: goal.targetUsd,
    })) ?? null
  )
}
export type GoalCard = NonNullable<Awaited<ReturnType<typeof listGoalCards>>>[number]
