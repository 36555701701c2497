import type { AppLoadContext } from '@remix-run/cloudflare'
import { english, type Locale } from '../../platform/locales/locales'
import { logAuthError } from './error-log.server'

/** The field of a member's data from which the email templates (supabase/templates) read the language. */
export function mailLanguage({ code }: Locale): { lang?: string } {
  return code === english.code ? {} : { lang: code }
}

/** Stores the language of a member's emails. An error is only logged: no page reads this field. */
export async function saveMailLanguage(context: AppLoadContext, { code }: Locale): Promise<void> {
  if ((await context.viewer()).kind !== 'member') return
  const { error } = await (await context.auth()).updateUser({ data: { lang: code } })
  if (error) logAuthError(context.log, 'language.not-saved', error)
}
