import type { AppLoadContext } from '@remix-run/cloudflare'
import { readPublicGoal } from '~/goals/public-goals.server'
import { acceptedTokens } from '~/ledger/accepted'
import { isGoalSlug } from '~/platform/goal-slug'
import type { GoalCause } from './cause'

/** Whether FundMe is open and a gift is for a goal. */
export function isForGoal(to: string | null, { config }: AppLoadContext): to is string {
  return config.FUNDME_OPEN && isGoalSlug(to)
}

/** The tokens in which the job finds gifts to a goal. The blockchain's coin is not one of them. */
export function goalTokens({ config }: AppLoadContext) {
  return acceptedTokens(config).filter(({ address }) => address !== null)
}

/** Why no gift to a goal is possible. `none`: the goal does not exist; `unknown`: the goal cannot be read. */
export type ClosedFor = 'none' | 'frozen' | 'over' | 'token' | 'unknown'

/** An open goal with its wallet, or why no gift to it is possible. */
export async function readRecipient(
  context: AppLoadContext,
  slug: string,
): Promise<(GoalCause & { wallet: string }) | ClosedFor> {
  const goal = await readPublicGoal(context.publicData(), slug)
  if (goal === null) return 'unknown'
  if (goal === 'none') return 'none'
  if (goal.frozen) return 'frozen'
  if (goal.wallet === null) return 'over'
  return goalTokens(context).length > 0 ? { slug, title: goal.title, wallet: goal.wallet } : 'token'
}
