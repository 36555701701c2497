import { type ActionFunctionArgs, redirect } from '@remix-run/cloudflare'
import { saveMailLanguage } from '~/auth/language.server'
import { takeChoice } from '~/edge/language.server'
import { readForm } from '~/forms/form.server'

export function loader() {
  throw redirect('/', 303)
}

/** The target of the language menu's form (ui/language-menu.tsx). */
export async function action({ request, context }: ActionFunctionArgs) {
  const { chosen, to } = takeChoice(await readForm(request), context.config, context.cookies)
  await saveMailLanguage(context, chosen)
  return redirect(to, 303)
}
