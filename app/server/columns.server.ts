import * as z from 'zod'
import { type Cents, toCents } from '../money.ts'

/** The column of a key: tx_hash for `txHash`. The one place where names change between rows and code. */
export function columnOf(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** An array of objects in a column of JSON. No query can rename their keys, so they are renamed here. */
export function objectsColumn<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) {
  const names = Object.keys(schema.shape).map((key) => [key, columnOf(key)] as const)
  const renamed = z
    .record(z.string(), z.unknown())
    .transform((object) => Object.fromEntries(names.map(([key, column]) => [key, object[column]])))
  return z.array(renamed.pipe(schema as z.ZodType<z.output<typeof schema>, Record<string, unknown>>))
}

export const integerColumn = z.coerce.number().int()

/** A money column of a row, in US dollars; becomes cents. */
export const moneyColumn = z.union([z.string(), z.number()]).transform((value, check): Cents => {
  try {
    return toCents(value)
  } catch (error) {
    check.addIssue((error as Error).message)
    return z.NEVER
  }
})

/**
 * A `timestamptz` column of a row. The embedded backend writes '2026-11-20 22:59:56.819+00', a hosted one
 * ISO 8601; both become a Date.
 */
export const timestampColumn = z.string().transform((value, check) => {
  const date = new Date(value.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
  if (Number.isNaN(date.getTime())) {
    check.addIssue('not an instant')
    return z.NEVER
  }
  return date
})

/** A column with a link: null unless it is an https URL. */
export const linkColumn = z
  .url({ protocol: /^https$/ })
  .nullable()
  .catch(null)
