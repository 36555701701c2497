import { type LoaderFunctionArgs, redirect } from '@remix-run/cloudflare'
import { requireViewer } from '~/members/auth/viewer.server'
import type { PageHandle } from '~/platform/rendering/handle'
import { requireFundMe } from '~/platform/server/fundme-guard.server'

export const handle: PageHandle = { fundMe: true }

/** Chooses the id of a new goal, so that two saves store one goal: its page stores it at the first save. */
export async function loader({ context }: LoaderFunctionArgs) {
  requireFundMe(context)
  await requireViewer(context, '/dashboard/goals/new')
  throw redirect(`/dashboard/goals/${crypto.randomUUID()}?new`, 303)
}

// Without a component, the 404 response would have no page.
export { NotFound as default } from '~/platform/ui/problem'
