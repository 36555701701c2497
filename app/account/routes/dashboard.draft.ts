import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { keepDraft } from '~/members/profile/draft.server'
import { readForm } from '~/platform/forms/form.server'

/** Stores the values of an open form if the session has ended or changed, before the page closes. */
export async function action({ request, context }: ActionFunctionArgs) {
  keepDraft(context.cookies, await readForm(request))
  return new Response(null, { status: 204 })
}
