import { type ActionFunctionArgs, redirect } from '@remix-run/cloudflare'
import { takeChoice } from '~/edge/language.server'

/** The form of the language menu (ui/language-menu.tsx). */
export async function action({ request, context: { config, cookies } }: ActionFunctionArgs) {
  return redirect(takeChoice(await request.formData(), config, cookies), 303)
}
