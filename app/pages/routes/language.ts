import { type ActionFunctionArgs, redirect } from '@remix-run/cloudflare'
import { saveMailLanguage } from '~/members/auth/language.server'
import { takeChoice } from '~/platform/edge/language.server'
import { readForm } from '~/platform/forms/form.server'

export function loader() {
  throw redirect('/', 303)
}

/** The target of the language menu's form (platform/ui/language-menu.tsx). */
export async function action({ request, context }: ActionFunctionArgs) {
  const { chosen, to } = takeChoice(await readForm(request), context.config, context.cookies)
  await saveMailLanguage(context, chosen)
  return redirect(to, 303)
}
