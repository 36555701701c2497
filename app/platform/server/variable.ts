/**
 * Reads a variable from its text; undefined if the variable is not set. Throws a VariableFault if the text is
 * wrong. Readers are plain functions: a library's schemas would take most of the time in which a new isolate
 * reads its configuration.
 */
export type Reader<T> = (text: string | undefined) => T

/** Why the text of a variable is wrong. The message never contains the text, which may be a secret. */
export class VariableFault extends Error {
  /** The position of the wrong entry in a list, from 0. */
  readonly at: number | undefined
  constructor(message: string, at?: number) {
    super(message)
    this.at = at
  }
}

function refuse(message: string): never {
  throw new VariableFault(message)
}

/** A reader that requires the variable. */
export function required<T>(read: (text: string) => T): Reader<T> {
  return (text) => (text === undefined ? refuse('is missing') : read(text))
}

/** A reader that returns undefined for a variable that is not set. */
export function optional<T>(read: (text: string) => T): Reader<T | undefined> {
  return (text) => (text === undefined ? undefined : read(text))
}

/** A reader that returns `usual` for a variable that is not set. */
export function usually<T>(usual: T, read: (text: string) => T): Reader<T> {
  return (text) => (text === undefined ? usual : read(text))
}

export const text = (value: string) => value

/** A text that matches a pattern. */
export function matching(pattern: RegExp, message: string): (text: string) => string {
  return (value) => (pattern.test(value) ? value : refuse(message))
}

/** An http or https URL, as it was written. */
export function link(value: string): string {
  const trimmed = value.trim()
  if (!URL.canParse(trimmed) || !/^https?:/i.test(trimmed)) refuse('must be an http or https address')
  return trimmed
}

/** A whole number within bounds. */
export function count(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (value) => {
    const number = Number(value)
    const fits = Number.isSafeInteger(number) && number >= least && number <= most
    return fits ? number : refuse(`must be a whole number from ${least} to ${most}`)
  }
}

export function decimal(value: string): number {
  const number = Number(value)
  return Number.isFinite(number) ? number : refuse('must be a number')
}

/** One of some words. */
export function oneOf<const T extends string>(words: readonly T[]): (text: string) => T {
  return (value) => words.find((word) => word === value) ?? refuse(`must be one of ${words.join(', ')}`)
}

/** Reads each entry of a list. The fault of an entry contains its position. */
export function each<T>(entries: string[], read: (text: string) => T): T[] {
  return entries.map((entry, at) => {
    try {
      return read(entry)
    } catch (error) {
      throw error instanceof VariableFault ? new VariableFault(error.message, at) : error
    }
  })
}

/** A list of entries, separated by commas or spaces, without repetitions. Empty if the variable is not set. */
export function list<T>(read: (text: string) => T): Reader<T[]> {
  return (value = '') => [...new Set(each(value.split(/[\s,]+/).filter(Boolean), read))]
}

export const address = matching(/^0x[0-9a-fA-F]{40}$/, 'must be a chain address (0x and 40 hex digits)')
