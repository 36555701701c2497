import * as z from 'zod'
import { findAccount } from '../ledger/accounts.ts'
import { formatCount } from '../money.ts'
import { walletFault } from '../wallet/address.ts'
import { type ActKind, type Field, kindOf, longestReason } from './kinds.ts'

/**
 * Control and direction characters. A text of several lines may also have line ends, and the joiners of emoji and of
 * some scripts. private.check_words of the database refuses the same.
 */
const unprintable =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/u
const allowedInText = /[\n\u200c\u200d]/g
const mostLinks = 20

/** A value as the database accepts it, or a sentence in an Error. */
type Read = (typed: string, field: Field) => string

const wrong = (sentence: string): never => {
  throw new Error(sentence)
}

const readings: Record<Field['input'], Read> = {
  line: (typed) => typed,
  text: (typed) => typed,
  time: (typed, { label }) =>
    timeFrom(typed) ?? wrong(`${label} must be a UTC time like 2025-11-20T18:30:00Z.`),
  link: (typed, { label }) =>
    isLink(typed) ? typed : wrong(`${label} must be an address that starts with https://…`),
  links: (typed, { label }) => {
    const links = typed.split(/\s+/)
    if (links.length > mostLinks) return wrong(`${label}: use at most ${mostLinks}.`)
    return links.every(isLink)
      ? links.join('\n')
      : wrong(`${label} must be addresses that start with https://…`)
  },
  choice: (typed, { label, options = [] }) =>
    options.some(({ value }) => value === typed)
      ? typed
      : wrong(`${label} must be one of: ${options.map(({ value }) => value).join(', ')}.`),
  address: (typed) => {
    const fault = walletFault(typed)
    return fault ? wrong(`${fault}.`) : typed.toLowerCase()
  },
  hash: (typed, { label }) =>
    /^0x[0-9a-fA-F]{64}$/.test(typed)
      ? typed.toLowerCase()
      : wrong(`${label} must be a transaction hash: 0x and 64 characters.`),
  count: (typed, { label }) => (/^\d{1,12}$/.test(typed) ? typed : wrong(`${label} must be a number.`)),
  rate: (typed, { label }) =>
    /^\d{1,15}(\.\d{1,18})?$/.test(typed) && /[1-9]/.test(typed)
      ? typed
      : wrong(`${label} must be a number like 612.5.`),
  email: (typed, { label }) =>
    /^\S+@\S+$/.test(typed) ? typed : wrong(`${label} must look like name@example.org.`),
  handle: (typed, { label }) =>
    /^[a-z][a-z0-9-]{2,29}$/.test(typed)
      ? typed
      : wrong(`${label} must be 3 to 30 of a–z, 0–9 and hyphen, first a letter.`),
}

const isLink = (text: string) => /^https:\/\/[!-~]+$/.test(text)

/** A time in UTC, as ISO 8601. Reads a form's time (without a zone) as UTC, and PostgreSQL's form; null for no time. */
function timeFrom(typed: string): string | null {
  const text = typed.replace(/^(\S+) (\S+)([+-]\d\d)$/, '$1T$2$3:00')
  const time = new Date(/T[\d:.]+$/.test(text) ? `${text}Z` : text)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

/** Line ends as \n, and no spaces around the text. */
const tidy = (typed: unknown) => (typeof typed === 'string' ? typed.replace(/\r\n?/g, '\n').trim() : '')

/** Why a text does not fit the limits of its field, as a sentence; null if it does. */
function limitFault(text: string, { label, shortest, longest, input }: Field): string | null {
  const length = [...text].length
  if (!text) return shortest > 0 ? `${label} is missing.` : null
  if (length < shortest) return `${label} must have at least ${shortest} characters.`
  if (length > longest)
    return `${label} has ${formatCount(length)} characters. Use at most ${formatCount(longest)}.`
  const hasLines = input === 'text' || input === 'links'
  if (unprintable.test(hasLines ? text.replace(allowedInText, '') : text))
    return `${label} has a control or direction character. Type it again by hand.`
  return null
}

function schemaOfField(field: Field) {
  return z.preprocess(
    tidy,
    z.string().transform((text, context) => {
      const fault = limitFault(text, field)
      if (!fault && !text) return undefined
      try {
        if (!fault) return readings[field.input](text, field)
      } catch (error) {
        context.addIssue((error as Error).message)
        return z.NEVER
      }
      context.addIssue(fault)
      return z.NEVER
    }),
  )
}

const reasonField = (kind: ActKind): Field => ({
  ...{ name: 'reason', label: 'Reason', input: 'text', longest: longestReason },
  shortest: kindOf(kind).shortestReason,
  hint: kindOf(kind).reasonHint,
})

/** The fields of a form: those of the kind, and its reason. */
export function fieldsOf(kind: ActKind): Field[] {
  return [...kindOf(kind).fields, reasonField(kind)]
}

/** Rules that concern two fields, as the name of a field and its sentence. */
function pairFault(kind: ActKind, values: Values): [string, string] | null {
  if (kind === 'update' && !values.helping !== !values.helping_source)
    return [values.helping ? 'helping_source' : 'helping', 'State the number and its source together.']
  if (kind === 'name' && findAccount(values.name ?? ''))
    return ['name', 'The name reads like one of our own wallets. Use another one.']
  return null
}

/** The values of an act, without the fields that are empty. */
type Values = Record<string, string | undefined>

/** The schema of a kind: the texts of its form, and of `reason`, become the values that the database accepts. */
function schemaOf(kind: ActKind) {
  return z
    .object(Object.fromEntries(fieldsOf(kind).map((field) => [field.name, schemaOfField(field)])))
    .superRefine((values, context) => {
      const [name, sentence] = pairFault(kind, values as Values) ?? []
      if (name && sentence) context.addIssue({ code: 'custom', path: [name], message: sentence })
    })
    .transform((values) => {
      const { reason, ...rest } = values as Values
      return { values: JSON.parse(JSON.stringify(rest)) as Record<string, string>, reason: reason ?? null }
    })
}

/** Checks what was typed. Returns the values, or the first field that is wrong with its sentence. */
export function parseAct(kind: ActKind, typed: Record<string, unknown>) {
  const parsed = schemaOf(kind).safeParse(typed)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return { field: String(issue?.path[0] ?? ''), fault: issue?.message ?? '' }
}

/**
 * What an operator typed into the fields of a kind, so that the database can store it, valid or not. `read` returns
 * the value of a field.
 */
export function typedOf(kind: ActKind, read: (name: string) => unknown) {
  const textOf = (name: string) => {
    const typed = read(name)
    // PostgreSQL stores neither NUL nor half of a surrogate pair.
    return typeof typed === 'string' ? typed.replace(/[\0\p{Cs}]/gu, '') : ''
  }
  const typed = kindOf(kind).fields.map(({ name }) => [name, textOf(name)] as const)
  return { values: Object.fromEntries(typed.filter(([, text]) => text)), reason: textOf('reason') || null }
}
