import type { AppLoadContext } from '@remix-run/cloudflare'
import { acceptedTokens } from '~/donate/accepted'
import { readPublicGoal } from '~/fundme/public-goals.server'
import { isGoalSlug } from '~/goal-slug'
import type { GoalCause } from './cause'

/** Whether a gift is for a goal, and FundMe is open. */
export function isForGoal(to: string | null, { config }: AppLoadContext): to is string {
  return config.FUNDME_OPEN && isGoalSlug(to)
}

/** The tokens whose gifts to a goal are found: not the chain's own coin. */
export function goalTokens({ config }: AppLoadContext) {
  return acceptedTokens(config).filter(({ address }) => address !== null)
}

/** Why no gift to a goal is possible. `none`: no such goal; `unknown`: the goal cannot be read. */
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
