import { msg } from '@lingui/core/macro'
import { plainCharacters } from '../forms/characters'
import type { I18n } from '../locales/i18n'
import { type Cents, toDecimal } from '../money'
import { parseLinks, type TextRule, textFault, tidyText } from './member-text.server'
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

/** The first field that cannot be stored, and the reason. */
export interface FieldFault {
  field: string
  message: string
}

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

/**
 * Checks the entered texts. An incomplete draft is valid: the database function `submit_goal` lists the
 * missing parts. Returns the values to store, or the first field that cannot be stored.
 */
export function parseDraft(typed: TypedDraft, i18n: I18n): DraftValues | FieldFault {
  const texts: [DraftField, TextRule][] = [
    ['title', { label: i18n._(msg`The title`), shortest: 0, longest: 100 }],
    ['byline', { label: i18n._(msg`The name of who asks`), shortest: 0, longest: 60 }],
    ['category', { label: i18n._(msg`The category`), shortest: 0, longest: 40 }],
    ['story', { label: i18n._(msg`The story`), shortest: 0, longest: 5000, hasLines: true }],
    ['picture_text', { label: i18n._(msg`The description of the picture`), shortest: 0, longest: 300 }],
  ]
  const target = parseAmount(typed.target)
  const days = plainCharacters(typed.days.slice(0, longestAmount))
  const plan = typed.plan.split('\n').flatMap((line) => parseLine(line.trim()) ?? [])
  const links = parseLinks(typed.links, i18n)
  const faults: Partial<Record<DraftField, string | null>> = {
    ...Object.fromEntries(texts.map(([name, rule]) => [name, textFault(typed[name], rule, i18n)])),
    target: typed.target && (target === null || target > largest) ? amountSentence(target, i18n) : null,
    days: /^\d{0,3}$/.test(days) ? null : i18n._(msg`Days must be a number from 7 to 30.`),
    plan: planFault(plan, i18n),
    links: 'fault' in links ? links.fault : null,
    wallet: /^(0x[0-9a-f]{40})?$/i.test(typed.wallet) ? null : i18n._(msg`Choose one of your wallets.`),
  }
  const field = draftFields.find((name) => faults[name])
  if (field) return { field, message: faults[field] ?? '' }
  return {
    title: typed.title,
    byline: typed.byline,
    category: typed.category,
    target_usd: target === null ? null : Number(toDecimal(target)),
    days: days ? Number(days) : null,
    plan: plan.map(({ amount, what }) => ({ amount: amount === null ? null : shortAmount(amount), what })),
    story: typed.story,
    links: 'links' in links ? links.links : '',
    picture_text: typed.picture_text,
    wallet: typed.wallet ? typed.wallet.toLowerCase() : null,
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

function amountSentence(amount: Cents | null, i18n: I18n): string {
  return amount === null
    ? i18n._(msg`The target must be an amount like 1200 or 1200.50.`)
    : i18n._(msg`The target must be from $50 to $25,000.`)
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

function planFault(plan: PlanLine[], i18n: I18n): string | null {
  const lines = plan.length
  if (lines > mostLines) return i18n._(msg`The plan has ${lines} lines. Use at most ${mostLines}.`)
  for (const [place, { amount, what }] of plan.entries()) {
    const line = place + 1
    const label = i18n._(msg`Line ${line} of the plan`)
    const fault = textFault(what, { label, shortest: 0, longest: longestLine }, i18n)
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
