import type { AppLoadContext } from '@remix-run/cloudflare'
import { announce } from '../members/auth/auth-notices.server'
import { isGoalId } from './my-goals.server'

/** The id of the goal for which a member proves a wallet; an empty string for an invalid or missing id. */
export function goalOfProof({ config }: AppLoadContext, id: string | null): string {
  return config.FUNDME_OPEN && id && isGoalId(id) ? id : ''
}

/**
 * Returns the page to show after a member has proven the wallet at `address`: the form of the goal that
 * needed the wallet, with this wallet chosen, or otherwise the dashboard with a toast.
 */
export function pageAfterProof(context: AppLoadContext, id: string | null, address: string): string {
  const goal = goalOfProof(context, id)
  if (goal) return `/dashboard/goals/${goal}?wallet=${address}#wallet`
  announce(context.cookies, 'wallet-proven')
  return '/dashboard'
}
