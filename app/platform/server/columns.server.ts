import * as z from 'zod/mini'
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
export type RowSchema<Row> = z.ZodMiniType<Row> & (Shaped | { def: { in: Shaped } })
type Shaped = { shape: object }

/** The keys of a schema, each with its column. */
export function columnsOf(schema: RowSchema<unknown>): [key: string, column: string][] {
  const { shape } = 'shape' in schema ? schema : schema.def.in
  return Object.keys(shape).map((key) => [key, columnOf(key)])
}

/** Objects in a JSON column: a query cannot rename their keys, so this schema renames them. */
export function objectsColumn<Row>(schema: RowSchema<Row>) {
  const columns = columnsOf(schema)
  const renamed = z.pipe(
    z.record(z.string(), z.unknown()),
    z.transform((object) => Object.fromEntries(columns.map(([key, column]) => [key, object[column]]))),
  )
  return z.array(z.pipe(renamed, schema as z.ZodMiniType<Row, Record<string, unknown>>))
}

/** An integer column. Null is invalid and does not become 0. */
export const integerColumn = z.pipe(
  z.union([z.number(), z.pipe(z.string().check(z.regex(/^-?\d+$/)), z.transform(Number))]),
  z.int(),
)

/** A whole number of base units, which the database writes as a text, so that no digit is lost. */
export const unitsColumn = z.pipe(
  z.string(),
  z.transform((text: string) => BigInt(text)),
)

/** The direction of a payment: into or out of an account. */
export const directionColumn = z.enum(['in', 'out'])

/** A money column of a row, in US dollars. The value becomes cents. */
export const moneyColumn = z.pipe(
  z.union([z.string(), z.number()]),
  z.transform((value, check): Cents => {
    try {
      return toCents(value)
    } catch (error) {
      check.issues.push({ code: 'custom', message: (error as Error).message, input: value })
      return z.NEVER
    }
  }),
)

/**
 * A `timestamptz` column of a row. The embedded backend writes '2026-11-20 22:59:56.819+00', and a hosted
 * backend writes ISO 8601. Both values become a Date.
 */
export const timestampColumn = z.pipe(
  z.string(),
  z.transform((value, check) => {
    const date = new Date(value.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
    if (Number.isNaN(date.getTime())) {
      check.issues.push({ code: 'custom', message: 'not an instant', input: value })
      return z.NEVER
    }
    return date
  }),
)

/** A column with a link. The value is null unless it is an https URL. */
export const linkColumn = z.catch(z.nullable(z.url({ protocol: /^https$/ })), null)
