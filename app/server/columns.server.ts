import * as z from 'zod'
import { type Cents, toCents } from '../money.ts'

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
