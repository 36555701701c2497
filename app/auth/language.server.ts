import type { AppLoadContext } from '@remix-run/cloudflare'
import { english, type Locale } from '../locales/locales'
import { logAuthError } from './error-log.server'

/** The part of a new member's data by which the templates of mails choose their language (supabase/templates). */
export function mailLanguage({ code }: Locale): { lang?: string } {
  return code === english.code ? {} : { lang: code }
}

/** Stores the language of a member's mails. A fault is only logged: the pages have the language anyway. */
export async function saveMailLanguage(context: AppLoadContext, { code }: Locale): Promise<void> {
  if ((await context.viewer()).kind !== 'member') return
  const { error } = await (await context.auth()).updateUser({ data: { lang: code } })
  if (error) logAuthError(context.log, 'language.not-saved', error)
}
