import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { readForm } from '~/forms/form.server'
import { keepDraft } from '~/profile/draft.server'

/** Takes what stands in an open form whose page is about to be left, because the session is lost. */
export async function action({ request, context }: ActionFunctionArgs) {
  keepDraft(context.cookies, await readForm(request))
  return new Response(null, { status: 204 })
}
