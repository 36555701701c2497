import { parseWithZod } from '@conform-to/zod/v4'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { plainCharacters } from '../platform/forms/characters'
import { checkedText, tidyText, type Words } from '../platform/forms/text'
import type { I18n } from '../platform/locales/i18n'
import { type Cents, toDecimal } from '../platform/money'
import { memberFault, memberText, parseLinks } from './member-text.server'
import type { DraftValues, MyGoal } from './my-goals.server'
import type { PlanLine } from './plan'

/** The fields of a goal's form, in the order of the form. */
const draftFields = [
  'title',
  'byline',
  'category',
  'target',
  'days',
  'plan',
  'story',
  'links',
  'picture_text',
  'wallet',
] as const
export type DraftField = (typeof draftFields)[number]

/** The text in each field of the form. */
export type TypedDraft = Record<DraftField, string>

const mostLines = 12
const longestLine = 200
/** Maximum length of the notation of an amount, with its currency sign and spaces. */
const longestAmount = 40
/** The largest amount in cents. The database refuses larger amounts, even in a draft. */
const largest = 99_999_99

/** Reads the entered texts from the form. */
export function typedDraft(form: FormData): TypedDraft {
  return Object.fromEntries(draftFields.map((name) => [name, tidyText(form.get(name))])) as TypedDraft
}

/** The texts of the form for a stored draft. */
export function storedDraft(goal: MyGoal): TypedDraft {
  return {
    title: goal.title ?? '',
    byline: goal.byline ?? '',
    category: goal.category ?? '',
    target: goal.targetUsd === null ? '' : shortAmount(goal.targetUsd),
    days: goal.days === null ? '' : `${goal.days}`,
    plan: goal.plan.map(lineText).join('\n'),
    story: goal.story ?? '',
    links: goal.links.join('\n'),
    picture_text: goal.picture?.text ?? '',
    wallet: goal.wallet ?? '',
  }
}

/** The names of the fields whose values differ. */
export function differingFields(one: TypedDraft, other: TypedDraft): DraftField[] {
  return draftFields.filter((name) => one[name] !== other[name])
}

/** Reads the form of a draft, which may be incomplete: the database's `submit_goal` lists what is missing. */
export function parseDraft(form: FormData, language: Words) {
  return parseWithZod(form, { schema: draft(language) })
}

function draft(language: Words) {
  const { i18n } = language
  const text = (label: MessageDescriptor, longest: number, hasLines = false) =>
    memberText({ label: i18n._(label), longest, hasLines }, language)
  return z.pipe(
    z.object({
      title: text(msg`The title`, 100),
      byline: text(msg`The name of who asks`, 60),
      category: text(msg`The category`, 40),
      target: checkedText((typed) => readTarget(typed, i18n)),
      days: checkedText((typed) => readDays(typed, i18n)),
      plan: checkedText((typed) => readLines(typed, language)),
      story: text(msg`The story`, 5000, true),
      links: checkedText((typed) => parseLinks(typed, i18n)),
      picture_text: text(msg`The description of the picture`, 300),
      wallet: checkedText<string | null>((typed) =>
        /^(0x[0-9a-f]{40})?$/i.test(typed)
          ? { value: typed ? typed.toLowerCase() : null }
          : { fault: i18n._(msg`Choose one of your wallets.`) },
      ),
    }),
    z.transform(({ target, ...values }) => ({ ...values, target_usd: target })),
  )
}

type Read<Value> = { value: Value } | { fault: string }

function readTarget(typed: string, i18n: I18n): Read<number | null> {
  if (!typed) return { value: null }
  const target = parseAmount(typed)
  if (target === null) return { fault: i18n._(msg`The target must be an amount like 1200 or 1200.50.`) }
  if (target > largest) return { fault: i18n._(msg`The target must be from $50 to $25,000.`) }
  return { value: Number(toDecimal(target)) }
}

function readDays(typed: string, i18n: I18n): Read<number | null> {
  const days = plainCharacters(typed.slice(0, longestAmount))
  if (!/^\d{0,3}$/.test(days)) return { fault: i18n._(msg`Days must be a number from 7 to 30.`) }
  return { value: days ? Number(days) : null }
}

function readLines(typed: string, language: Words): Read<DraftValues['plan']> {
  const plan = typed.split('\n').flatMap((line) => parseLine(line.trim()) ?? [])
  const fault = planFault(plan, language)
  if (fault) return { fault }
  return {
    value: plan.map(({ amount, what }) => ({ amount: amount === null ? null : shortAmount(amount), what })),
  }
}

/**
 * Reads an amount in dollars, such as '1200', '$1,200', '1.200,50' or '1200.5'; null for any other text.
 * Three digits after a separator are thousands, because amounts have only two decimals.
 */
function parseAmount(text: string): Cents | null {
  if (text.length > longestAmount) return null
  const typed = plainCharacters(text)
    .replace('٫', '.')
    .replace(/[٬'’\s](?=\d{3}(?!\d))/g, '')
  const [, whole, fraction = ''] = english.exec(typed) ?? english.exec(swapSeparators(typed)) ?? []
  return whole === undefined
    ? null
    : Number(whole.replaceAll(',', '')) * 100 + Number(fraction.padEnd(2, '0'))
}

const english = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d{1,2}))?\s*\$?$/

function swapSeparators(text: string): string {
  return text.replace(/[.,]/g, (separator) => (separator === '.' ? ',' : '.'))
}

/**
 * A line of a plan: an amount, then its purpose. If the line does not begin with an amount, the amount is
 * null. The pattern reads only the first characters of the line, because a line may be as long as the form.
 */
function parseLine(line: string): PlanLine | null {
  const [amount = ''] = /^\$?\s*(?:[.,]*\p{Nd})+(?:\s*\$)?/u.exec(line.slice(0, longestAmount)) ?? []
  const cents = parseAmount(amount)
  const rest = line.slice(amount.length)
  const what = rest.trimStart().replace(/^[,;:–—，；：、،؛-]/, '')
  const isSeparated = what.length < rest.length || !rest
  if (cents !== null && isSeparated) return { amount: cents, what: what.trimStart() }
  return line ? { amount: null, what: line } : null
}

function planFault(plan: PlanLine[], language: Words): string | null {
  const { i18n } = language
  const lines = plan.length
  if (lines > mostLines) return i18n._(msg`The plan has ${lines} lines. Use at most ${mostLines}.`)
  for (const [place, { amount, what }] of plan.entries()) {
    const line = place + 1
    const label = i18n._(msg`Line ${line} of the plan`)
    const fault = memberFault(what, { label, longest: longestLine }, language)
    if (fault) return fault
    if (amount !== null && amount > largest) return i18n._(msg`${label}: the amount is too large.`)
  }
  return null
}

function lineText({ amount, what }: PlanLine): string {
  return amount === null ? what : `${shortAmount(amount)}, ${what}`
}

/** '400' without cents, or '400.50' with cents. */
function shortAmount(cents: Cents): string {
  return toDecimal(cents).replace(/\.00$/, '')
}
