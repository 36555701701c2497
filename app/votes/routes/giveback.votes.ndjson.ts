import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { PageHandle } from '~/platform/rendering/handle'
import { requireVoting } from '~/platform/server/fundme-guard.server'
import { exportVote } from '~/votes/downloads.server'

export const handle: PageHandle = { fundMe: true }

export function loader({ params, context }: LoaderFunctionArgs) {
  requireVoting(context)
  const { limit, log } = context
  return exportVote({ data: context.publicData(), limit, log }, params.campaign ?? '')
}
