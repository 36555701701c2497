import * as z from 'zod'
import { type Cents, toCents } from '../money.ts'

/** Converts a key's name to a column's name. No other code converts names. */
function columnOf(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/**
 * Declares the columns of a row that the site reads, by their names in camelCase: `txHash` is the column
 * tx_hash. The schema may end with a transform. The query and the type of the row come from the schema, so no
 * other code names the columns.
 */
export type RowSchema<Row> = z.ZodType<Row> & (Shaped | { in: Shaped })
type Shaped = { shape: object }

/** The keys of a schema, each with its column. */
export function columnsOf(schema: RowSchema<unknown>): [key: string, column: string][] {
  const { shape } = 'in' in schema ? schema.in : schema
  return Object.keys(shape).map((key) => [key, columnOf(key)])
}

/**
 * An array of objects in a JSON column. A query cannot rename the keys of these objects, so this schema
 * renames them.
 */
export function objectsColumn<Row>(schema: RowSchema<Row>) {
  const columns = columnsOf(schema)
  const renamed = z
    .record(z.string(), z.unknown())
    .transform((object) => Object.fromEntries(columns.map(([key, column]) => [key, object[column]])))
  return z.array(renamed.pipe(schema as z.ZodType<Row, Record<string, unknown>>))
}

/** An integer column. Null is invalid and does not become 0. */
export const integerColumn = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^-?\d+$/)
      .transform(Number),
  ])
  .pipe(z.int())

/** The direction of a payment: into or out of an account. */
export const directionColumn = z.enum(['in', 'out'])

/** A money column of a row, in US dollars. The value becomes cents. */
export const moneyColumn = z.union([z.string(), z.number()]).transform((value, check): Cents => {
  try {
    return toCents(value)
  } catch (error) {
    check.addIssue((error as Error).message)
    return z.NEVER
  }
})

/**
 * A `timestamptz` column of a row. The embedded backend writes '2026-11-20 22:59:56.819+00', and a hosted
 * backend writes ISO 8601. Both values become a Date.
 */
export const timestampColumn = z.string().transform((value, check) => {
  const date = new Date(value.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
  if (Number.isNaN(date.getTime())) {
    check.addIssue('not an instant')
    return z.NEVER
  }
  return date
})

/** A column with a link. The value is null unless it is an https URL. */
export const linkColumn = z
  .url({ protocol: /^https$/ })
  .nullable()
  .catch(null)
