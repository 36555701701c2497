import type { AppLoadContext } from '@remix-run/cloudflare'
import { announce } from '../auth/notices.server'
import { isGoalId } from './my-goals.server'

/**
 * The page after a member has proven the wallet at `address`, with its toast: the form of the goal for which
 * the member needed the wallet, with this wallet chosen, or else the dashboard.
 */
export function pageAfterProof({ config, cookies }: AppLoadContext, goal: string, address: string) {
  const isForGoal = config.FUNDME_OPEN && isGoalId(goal)
  announce(cookies, isForGoal ? 'wallet-proven-for-goal' : 'wallet-proven')
  return isForGoal ? `/dashboard/goals/${goal}?wallet=${address}#wallet` : '/dashboard'
}
