import { type ActionFunctionArgs, redirect } from '@remix-run/cloudflare'
import { takeChoice } from '~/edge/language.server'
import { readForm } from '~/forms/form.server'

export function loader() {
  throw redirect('/', 303)
}

/** The form of the language menu (ui/language-menu.tsx). */
export async function action({ request, context: { config, cookies } }: ActionFunctionArgs) {
  return redirect(takeChoice(await readForm(request), config, cookies), 303)
}
