import * as z from 'zod'
import { readAddress } from '../forms/address.ts'
import { readHash } from '../forms/hash.ts'
import { readNumber } from '../forms/number.ts'
import { findAccount } from '../ledger/accounts.ts'
import { isPrintable } from '../printable.ts'
import { walletFault } from '../wallet/address.ts'
import type { Fault } from './fault-words.ts'
import { type ActKind, type Field, kindOf, longestReason } from './kinds.ts'

const mostLinks = 20

/** Converts an entered value to a value that the database accepts. Throws a Wrong for an invalid value. */
type Read = (typed: string, field: Field) => string

class Wrong extends Error {
  readonly fault: Fault
  constructor(fault: Fault) {
    super(fault.sentence)
    this.fault = fault
  }
}

const wrong = (sentence: string, values: Fault['values'] = {}): never => {
  throw new Wrong({ sentence, values })
}

const readings: Record<Field['input'], Read> = {
  line: (typed) => typed,
  text: (typed) => typed,
  time: (typed, { label }) =>
    timeFrom(typed) ??
    wrong(/* i18n */ '{label} must be a UTC time like 2025-11-20T18:30:00Z.', { label: { key: label } }),
  link: (typed, { label }) =>
    isLink(typed)
      ? typed
      : wrong(/* i18n */ '{label} must be an address that starts with https://…', { label: { key: label } }),
  links: (typed, { label }) => {
    const links = typed.split(/\s+/)
    if (links.length > mostLinks)
      return wrong(/* i18n */ '{label}: use at most {mostLinks}.', { label: { key: label }, mostLinks })
    return links.every(isLink)
      ? links.join('\n')
      : wrong(/* i18n */ '{label} must be addresses that start with https://…', { label: { key: label } })
  },
  choice: (typed, { label, options = [] }) =>
    options.some(({ value }) => value === typed)
      ? typed
      : wrong(/* i18n */ '{label} must be one of: {choices}.', {
          label: { key: label },
          choices: options.map(({ value }) => value).join(', '),
        }),
  address: (typed) => {
    const address = readAddress(typed)
    const fault = walletFault(address)
    return fault ? wrong('{fault}.', { fault: { key: fault } }) : address.toLowerCase()
  },
  hash: (typed, { label }) =>
    readHash(typed) ??
    wrong(/* i18n */ '{label} must be a transaction hash: 0x and 64 characters.', { label: { key: label } }),
  count: (typed, { label }) => {
    const number = numberOf(typed)
    return /^\d{1,12}$/.test(number)
      ? number
      : wrong(/* i18n */ '{label} must be a number.', { label: { key: label } })
  },
  rate: (typed, { label }) => {
    const number = numberOf(typed)
    return /^\d{1,15}(\.\d{1,18})?$/.test(number) && /[1-9]/.test(number)
      ? number
      : wrong(/* i18n */ '{label} must be a number like 612.5.', { label: { key: label } })
  },
  email: (typed, { label }) =>
    /^[^\s@]+@[^\s@]+$/.test(typed)
      ? typed
      : wrong(/* i18n */ '{label} must look like name@example.org.', { label: { key: label } }),
  handle: (typed, { label }) =>
    /^[a-z][a-z0-9-]{2,29}$/.test(typed)
      ? typed
      : wrong(/* i18n */ '{label} must be 3 to 30 of a–z, 0–9 and hyphen, first a letter.', {
          label: { key: label },
        }),
}

/** An https link without a user name: 'https://x.com@other.example' leads elsewhere than it says. */
/** An entered number. '1.250' keeps its point: operators enter the notation of the log. */
const numberOf = (typed: string) => {
  const read = readNumber(typed)
  return 'number' in read ? read.number : typed
}

const isLink = (text: string) => /^https:\/\/[!-~]+$/.test(text) && !/^https:\/\/[^/?#]*@/.test(text)

/**
 * A time in UTC, as ISO 8601. Reads a form's time, which has no zone, as UTC, and also reads the format of
 * PostgreSQL. Returns null for text that is not a time.
 */
function timeFrom(typed: string): string | null {
  const text = typed.replace(/^(\S+) (\S+)([+-]\d\d)$/, '$1T$2$3:00')
  const time = new Date(/T[\d:.]+$/.test(text) ? `${text}Z` : text)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

/** Converts line endings to \n, and removes the spaces around the text. */
const tidy = (typed: unknown) => (typeof typed === 'string' ? typed.replace(/\r\n?/g, '\n').trim() : '')

/** Why a text violates the limits of its field; null if it does not. */
function limitFault(text: string, { label: name, shortest, longest, input }: Field): Fault | null {
  const length = [...text].length
  const label = { key: name }
  if (!text) return shortest > 0 ? { sentence: /* i18n */ '{label} is missing.', values: { label } } : null
  if (length < shortest)
    return {
      sentence: /* i18n */ '{label} must have at least {shortest} characters.',
      values: { label, shortest },
    }
  if (length > longest)
    return {
      sentence: /* i18n */ '{label} has {length} characters. Use at most {longest}.',
      values: { label, length, longest },
    }
  const hasLines = input === 'text' || input === 'links'
  if (!isPrintable(text, hasLines))
    return {
      sentence: /* i18n */ '{label} has a control or direction character. Type it again by hand.',
      values: { label },
    }
  return null
}

function schemaOfField(field: Field) {
  return z.preprocess(
    tidy,
    z.string().transform((text, context) => {
      let fault = limitFault(text, field)
      if (!fault && !text) return undefined
      try {
        if (!fault) return readings[field.input](text, field)
      } catch (error) {
        if (!(error instanceof Wrong)) throw error
        fault = error.fault
      }
      context.addIssue({ code: 'custom', params: { fault } })
      return z.NEVER
    }),
  )
}

/** The field of the reason that every kind has. */
export const reasonField = (kind: ActKind): Field => ({
  ...{ name: 'reason', label: /* i18n */ 'Reason', input: 'text', longest: longestReason },
  shortest: kindOf(kind).shortestReason,
  hint: kindOf(kind).reasonHint ?? /* i18n */ 'Why you are doing this. Everyone can read this reason.',
})

/** The fields of a form: the fields of the kind, and the reason. */
export function fieldsOf(kind: ActKind): Field[] {
  return [...kindOf(kind).fields, reasonField(kind)]
}

/** Checks rules that concern two fields. Returns the name of the wrong field and its fault, or null. */
function pairFault(kind: ActKind, values: Values): [string, Fault] | null {
  if (kind === 'update' && !values.helping !== !values.helping_source)
    return [
      values.helping ? 'helping_source' : 'helping',
      { sentence: /* i18n */ 'State the number and its source together.' },
    ]
  if (kind === 'name' && findAccount(values.name ?? ''))
    return ['name', { sentence: /* i18n */ 'The name reads like one of our own wallets. Use another one.' }]
  return null
}

/** The values of an act, without empty fields. */
type Values = Record<string, string | undefined>

/**
 * The schema of a kind. It converts the texts of the form, including `reason`, to values that the database
 * accepts.
 */
function schemaOf(kind: ActKind) {
  return z
    .object(Object.fromEntries(fieldsOf(kind).map((field) => [field.name, schemaOfField(field)])))
    .superRefine((values, context) => {
      const [name, fault] = pairFault(kind, values as Values) ?? []
      if (name) context.addIssue({ code: 'custom', path: [name], params: { fault } })
    })
    .transform((values) => {
      const { reason, ...rest } = values as Values
      return { values: JSON.parse(JSON.stringify(rest)) as Record<string, string>, reason: reason ?? null }
    })
}

/** Checks entered values. Returns the values, or the first wrong field with its fault. */
export function parseAct(
  kind: ActKind,
  typed: Record<string, unknown>,
): { values: Record<string, string>; reason: string | null } | { field: string; fault: Fault } {
  const parsed = schemaOf(kind).safeParse(typed)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const { params } = issue as { params?: { fault: Fault } }
  return { field: String(issue?.path[0] ?? ''), fault: params?.fault ?? { sentence: issue?.message ?? '' } }
}

/**
 * The values that an operator entered in the fields of a kind, valid or invalid, without characters that the
 * database cannot store. `read` returns the value of a field.
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
