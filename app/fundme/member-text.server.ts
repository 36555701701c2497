import { msg } from '@lingui/core/macro'
import type { I18n } from '../locales/i18n'
import { isPrintable } from '../printable'

/** A text field of a form of members. */
export interface TextRule {
  /** Its name, in the language of the form. */
  label: string
  /** 0 if it may be empty. In characters. */
  shortest: number
  longest: number
  hasLines?: boolean
}

/** A typed text without the characters that no text needs: spaces around it, tabs, and the line ends of Windows. */
export function tidyText(typed: FormDataEntryValue | null): string {
  if (typeof typed !== 'string') return ''
  return typed
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, ' ')
    .replace(/[\0\p{Cs}]/gu, '')
    .trim()
}

/** What is wrong with a text of a member, as private.is_goal_text of the database sees it; null if nothing is. */
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

/** The links of a field, one on each line, as the database stores them; or what is wrong with them. */
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
