import type { I18n } from '../platform/locales/i18n'
import { kindOf } from './act-kinds'

/** The name of an act's subject in a list. `titles`: the titles of public goals by their slug. */
export function subjectName(
  kind: string,
  subject: string,
  i18n: I18n,
  titles: Readonly<Record<string, string | null>>,
): string {
  return kindOf(kind).nameOf?.(subject, i18n) ?? titles[subject] ?? subject
}
