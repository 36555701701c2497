import * as z from 'zod'
import { integerColumn } from '../server/columns.server'
import type { TokenAmount } from '../tokens'

/** The columns of a token amount, which withTokens combines into one value. */
export const tokenColumns = {
  tokenAmount: z.coerce.bigint().nullable(),
  tokenSymbol: z.string().nullable(),
  tokenDecimals: integerColumn.nullable(),
}
export type TokenColumns = z.infer<z.ZodObject<typeof tokenColumns>>

/** The row with its token amount, which is null unless amount, symbol and decimals are all known. */
export function withTokens<Row extends TokenColumns>(columns: Row) {
  const { tokenAmount: amount, tokenSymbol: symbol, tokenDecimals: decimals, ...row } = columns
  const known = amount !== null && symbol !== null && decimals !== null
  const tokens: TokenAmount | null = known ? { amount, symbol, decimals } : null
  return { ...row, tokens }
}
