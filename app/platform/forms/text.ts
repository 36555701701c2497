import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import * as z from 'zod/mini'
import type { Language } from '../locales/language'
import { isPrintable } from '../printable'

/** The rule for an entered text. */
export interface TextRule {
  /** The name of the field, in the language of the form. */
  label: string
  /** The minimum number of characters; 0 if the field may be empty. */
  shortest?: number
  longest: number
  hasLines?: boolean
  /** Sentences in place of those with the label. */
  words?: {
    missing?: MessageDescriptor
    short?: MessageDescriptor
    long?: (length: string) => MessageDescriptor
    characters?: MessageDescriptor
  }
}

export type Words = Pick<Language, 'i18n' | 'formats'>

/**
 * The entered text, trimmed, with '\n' as its line endings, spaces for tabs, and without characters that
 * PostgreSQL cannot store; empty for anything else than a text.
 */
export function tidyText(typed: unknown): string {
  if (typeof typed !== 'string') return ''
  return typed
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, ' ')
    .replace(/[\0\p{Cs}]/gu, '')
    .trim()
}

/** The sentence about a missing text. */
export const missing = (label: string) => msg`${label} is missing.`

/** Why a text violates a rule, as a sentence; null for a valid text. */
export function textFault(
  text: string,
  { label, shortest = 0, longest, hasLines = false, words = {} }: TextRule,
  { i18n, formats }: Words,
): string | null {
  const characters = [...text].length
  if (!text) return shortest > 0 ? i18n._(words.missing ?? missing(label)) : null
  if (characters < shortest)
    return i18n._(
      words.short ?? msg`${label} must have at least ${{ shortest: formats.count(shortest) }} characters.`,
    )
  if (characters > longest) {
    const [length, most] = [formats.count(characters), formats.count(longest)]
    return i18n._(
      words.long?.(length) ?? msg`${label} has ${length} characters. Use at most ${{ longest: most }}.`,
    )
  }
  if (isPrintable(text, hasLines)) return null
  return i18n._(
    words.characters ?? msg`${label} has a control or direction character. Type it again by hand.`,
  )
}

/** The zod type of an entered text, which `check` converts or refuses. */
export function checkedText<Value>(check: (text: string) => { value: Value } | { fault: string }) {
  return z.pipe(
    z.optional(z.string()),
    z.transform((typed, context) => {
      const checked = check(tidyText(typed))
      if ('value' in checked) return checked.value
      context.issues.push({ code: 'custom', message: checked.fault, input: typed })
      return z.NEVER
    }),
  )
}

/** The zod type of a text that follows a rule. */
export function text(rule: TextRule, language: Words) {
  return checkedText<string>((text) => {
    const fault = textFault(text, rule, language)
    return fault ? { fault } : { value: text }
  })
}
