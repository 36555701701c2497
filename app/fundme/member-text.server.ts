import { msg } from '@lingui/core/macro'
import type { I18n } from '../locales/i18n'
import { isPrintable } from '../printable'

/** The rule for a text field in a members' form. */
export interface TextRule {
  /** The name of the field, in the language of the form. */
  label: string
  /** The minimum number of characters; 0 if the field may be empty. */
  shortest: number
  longest: number
  hasLines?: boolean
}

/** The entered text, trimmed, with tabs replaced by spaces and Windows line endings by '\n'. */
export function tidyText(typed: FormDataEntryValue | null): string {
  if (typeof typed !== 'string') return ''
  return typed
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, ' ')
    .replace(/[\0\p{Cs}]/gu, '')
    .trim()
}

/**
 * The fault in a member's text under the rules of the database function private.is_goal_text; null for a
 * valid text.
 */
export function textFault(
  text: string,
  { label, shortest, longest, hasLines = false }: TextRule,
  i18n: I18n,
): string | null {
  const length = [...text].length
  if (length < shortest && length === 0) return i18n._(msg`${label} is missing.`)
  if (length < shortest) return i18n._(msg`${label} must have at least ${shortest} characters.`)
  if (length > longest) return i18n._(msg`${label} has ${length} characters. Use at most ${longest}.`)
  if (!isPrintable(text, hasLines))
    return i18n._(msg`${label} has a control or direction character. Type it again by hand.`)
  if (/0x[0-9a-f]{40}/i.test(text))
    return i18n._(msg`Leave wallet addresses out: the page shows the proven one.`)
  if (/https?:\/\/|www\./i.test(text))
    return i18n._(msg`Leave links out of this text. There is a field for them.`)
  return null
}

const mostLinks = 5
const longestLink = 500

/**
 * The links of a field, one on each line, in the form that the database stores, or the fault in the links.
 */
export function parseLinks(text: string, i18n: I18n): { links: string } | { fault: string } {
  const typed = text.split(/\s+/).filter(Boolean)
  if (typed.length > mostLinks) return { fault: i18n._(msg`Use at most ${mostLinks} links.`) }
  const links = typed.map((link) => (URL.canParse(link) ? new URL(link) : null))
  if (links.some((link) => link?.protocol !== 'https:' || link.username || link.password))
    return { fault: i18n._(msg`Each link must start with https:// and be on a line of its own.`) }
  if (links.some((link) => link && link.href.length > longestLink))
    return { fault: i18n._(msg`A link has more than ${longestLink} characters. Use a shorter one.`) }
  return { links: links.map((link) => link?.href).join('\n') }
}
