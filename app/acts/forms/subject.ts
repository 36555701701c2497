import type { MessageDescriptor } from '@lingui/core'
import { readAddress } from '../../platform/forms/address'
import type { Language } from '../../platform/locales/language'
import type { Data } from '../../platform/server/data.server'

/** The subject of an act, as it is published now. */
export interface Subject {
  /** The name of the subject in `?subject=` and in the act. */
  subject: string
  title: string
  /** The page of the subject. */
  href: string | null
  /** The facts about the subject that an operator needs to see; null for a withdrawn text. */
  facts: [name: string, text: string | null][]
  /** The current values of the kind's fields. */
  values: Record<string, string>
  /** The current revision of the subject; null for a subject without revisions. */
  version: number | null
  /** The choices that only this subject allows, keyed by the name of the field. */
  options?: Record<string, { value: string; label: MessageDescriptor }[]>
  /** The fields that do not apply to the subject. */
  without?: string[]
}

/** Maximum number of subjects in the result of a search. */
export const listed = 10

/** The values that an operator entered for an act. */
export type Typed = Record<string, string>
/** For each found subject, a function that returns it in a language; null if they cannot be read. */
export type Found = ((language: Language, typed?: Typed) => Subject)[] | null
export interface Source {
  /** Reads the subject with this name. */
  read: (data: Data, subject: string) => Promise<Found>
  /** Finds the newest subjects that contain these words; without words, the newest subjects. */
  find: (data: Data, words: string) => Promise<Found>
  /** The label of the search field. */
  search: MessageDescriptor
}

/** The text for `ilike` that finds rows with these words. */
export function containing(words: string): string {
  return `%${words.replace(/[\\%_]/g, '\\$&')}%`
}

/** The wallet address in searched words, in lower case. */
export function addressIn(words: string): string | undefined {
  const address = readAddress(words).toLowerCase()
  return /^0x[0-9a-f]{40}$/.test(address) ? address : undefined
}

/** A fact that only some subjects have. */
export function filled(name: string, text: string | null | undefined): Subject['facts'] {
  return text ? [[name, text]] : []
}

export function withoutNull(values: Record<string, string | null | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
