import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { exportVote } from '~/downloads/votes.server'
import { requireVoting } from '~/fundme/guard.server'
import type { PageHandle } from '~/rendering/handle'

export const handle: PageHandle = { fundMe: true }

export function loader({ params, context }: LoaderFunctionArgs) {
  requireVoting(context)
  const { limit, log } = context
  return exportVote({ data: context.publicData(), limit, log }, params.campaign ?? '')
}
