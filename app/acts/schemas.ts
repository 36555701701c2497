import { parseWithZod } from '@conform-to/zod/v4'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { splitNames } from '../ledger/split'
import { readAddress } from '../platform/forms/address'
import { readHash } from '../platform/forms/hash'
import { readNumber } from '../platform/forms/number'
import { checkedText, textFault, type Words } from '../platform/forms/text'
import { key } from '../platform/locales/key'
import { walletFault } from '../wallet/address'
import type { Field } from './forms/fields'
import { type Kind, longestReason } from './forms/kind'

const mostLinks = 20

/**
 * Converts an entered value to a value that the database accepts. Returns the fault of an invalid value as a
 * message. `label` is the name of the field in the language of the form.
 */
type Read = (typed: string, label: string, field: Field) => string | MessageDescriptor

const readings: Record<Field['input'], Read> = {
  line: (typed) => typed,
  text: (typed) => typed,
  time: (typed, label) => timeFrom(typed) ?? msg`${label} must be a UTC time like 2025-11-20T18:30:00Z.`,
  link: (typed, label) =>
    isLink(typed) ? typed : msg`${label} must be an address that starts with https://…`,
  links: (typed, label) => {
    const links = typed.split(/\s+/)
    if (links.length > mostLinks) return msg`${label}: use at most ${mostLinks}.`
    return links.every(isLink) ? links.join('\n') : msg`${label} must be addresses that start with https://…`
  },
  choice: (typed, label, { options = [] }) => {
    const choices = options.map(({ value }) => value)
    return choices.includes(typed) ? typed : msg`${label} must be one of: ${{ choices: choices.join(', ') }}.`
  },
  address: (typed) => {
    const address = readAddress(typed)
    const fault = walletFault(address)
    return fault ? key(`${fault}.`) : address.toLowerCase()
  },
  hash: (typed, label) => readHash(typed) ?? msg`${label} must be a transaction hash: 0x and 64 characters.`,
  count: (typed, label) => {
    const number = numberOf(typed)
    return /^\d{1,12}$/.test(number) ? number : msg`${label} must be a number.`
  },
  rate: (typed, label) => {
    const number = numberOf(typed)
    const most = '18'
    const parts = /^\d{1,15}(?:\.(\d+))?$/.exec(number)
    if (!parts) return msg`${label} must be a number like 612.5.`
    if ((parts[1]?.length ?? 0) > Number(most)) return msg`${label} may have at most ${most} decimals.`
    return /[1-9]/.test(number) ? number : msg`${label} must be more than zero.`
  },
  shares: (typed, label) => {
    const words = typed.split(/\s+/).join(' ')
    const parts = words.split(' ')
    return parts.length === splitNames.length && parts.every((part) => /^(0|[1-9]\d?|100)$/.test(part))
      ? words
      : msg`${label} must be whole numbers from 0 to 100, one for each share.`
  },
  email: (typed, label) =>
    /^[^\s@]+@[^\s@]+$/.test(typed) ? typed : msg`${label} must look like name@example.org.`,
  handle: (typed, label) =>
    /^[a-z][a-z0-9-]{2,29}$/.test(typed)
      ? typed
      : msg`${label} must be 3 to 30 of a–z, 0–9 and hyphen, first a letter.`,
}

/** An entered number. '1.250' keeps its point: operators enter the notation of the log. */
const numberOf = (typed: string) => {
  const read = readNumber(typed)
  return 'number' in read ? read.number : typed
}

/** An https link without a user name: 'https://x.com@other.example' leads elsewhere than it says. */
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

function schemaOfField(field: Field, language: Words) {
  const { i18n } = language
  const label = i18n._(field.label)
  const { input, shortest, longest } = field
  const rule = { label, shortest, longest, hasLines: input === 'text' || input === 'links' }
  return checkedText<string>((text) => {
    const fault = textFault(text, rule, language)
    if (fault) return { fault }
    const read = text && readings[input](text, label, field)
    return typeof read === 'string' ? { value: read } : { fault: i18n._(read) }
  })
}

/** The field of the reason that every kind has. */
export const reasonField = ({ shortestReason, reasonHint }: Kind): Field => ({
  name: 'reason',
  label: msg`Reason`,
  input: 'text',
  longest: longestReason,
  shortest: shortestReason,
  hint: reasonHint ?? msg`Why you are doing this. Everyone can read this reason.`,
})

/** The fields of a form: the fields of the kind, and the reason. */
export function fieldsOfAct(kind: Kind): Field[] {
  const { fields, hasNoReason } = kind
  return hasNoReason ? [...fields] : [...fields, reasonField(kind)]
}

/**
 * The schema of a kind. It converts the texts of the form, including `reason`, to values that the database
 * accepts, without empty ones. Its faults are sentences in the language.
 */
function schemaOf(kind: Kind, language: Words) {
  return z.pipe(
    z
      .object(
        Object.fromEntries(fieldsOfAct(kind).map((field) => [field.name, schemaOfField(field, language)])),
      )
      .check(
        z.superRefine((values, context) => {
          const [name, fault] = kind.check?.(values) ?? []
          if (name && fault)
            context.addIssue({ code: 'custom', path: [name], message: language.i18n._(fault) })
        }),
      ),
    z.transform(({ reason, ...values }) => ({
      values: Object.fromEntries(Object.entries(values).filter(([, text]) => text)),
      reason: reason || null,
    })),
  )
}

/** Reads the form of an act: the values that the database accepts, or the sentence about each wrong field. */
export function parseAct(kind: Kind, form: FormData, language: Words) {
  return parseWithZod(form, { schema: schemaOf(kind, language) })
}

/** What an operator entered in a kind's fields, without characters that the database cannot store. */
export function typedOf(kind: Kind, form: FormData) {
  // PostgreSQL stores neither NUL nor half of a surrogate pair.
  const textOf = (name: string) => String(form.get(name) ?? '').replace(/[\0\p{Cs}]/gu, '')
  const typed = kind.fields.map(({ name }) => [name, textOf(name)] as const)
  return { values: Object.fromEntries(typed.filter(([, text]) => text)), reason: textOf('reason') || null }
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

/** The draft's id, which the form contains so that sending the form twice stores one draft, and its version. */
export function draftOf(form: FormData): { id: string; version: number | null } {
  const version = /^\d{1,5}$/.exec(String(form.get('version') ?? ''))?.[0]
  return {
    id: uuid.exec(String(form.get('act') ?? ''))?.[0] ?? crypto.randomUUID(),
    version: version === undefined ? null : Number(version),
  }
}
