import type { AppLoadContext } from '@remix-run/cloudflare'
import { announce } from '../auth/notices.server'
import { isGoalId } from './my-goals.server'

/**
 * The page after a member has proven the wallet at `address`: the form of the goal for which the member
 * needed the wallet, with this wallet chosen, or else the dashboard with a toast.
 */
export function pageAfterProof({ config, cookies }: AppLoadContext, goal: string, address: string) {
  if (config.FUNDME_OPEN && isGoalId(goal)) return `/dashboard/goals/${goal}?wallet=${address}#wallet`
  announce(cookies, 'wallet-proven')
  return '/dashboard'
}
