import * as z from 'zod/mini'
import { integerColumn } from '../platform/server/columns.server'
import type { TokenAmount } from '../platform/tokens'

/** The columns of a token amount, which withTokens combines into one value. */
export const tokenColumns = {
  tokenAmount: z.nullable(z.coerce.bigint()),
  tokenSymbol: z.nullable(z.string()),
  tokenDecimals: z.nullable(integerColumn),
}
export type TokenColumns = z.infer<z.ZodMiniObject<typeof tokenColumns>>

/** The row with its token amount, which is null unless amount, symbol and decimals are all known. */
export function withTokens<Row extends TokenColumns>(columns: Row) {
  const { tokenAmount: amount, tokenSymbol: symbol, tokenDecimals: decimals, ...row } = columns
  const known = amount !== null && symbol !== null && decimals !== null
  const tokens: TokenAmount | null = known ? { amount, symbol, decimals } : null
  return { ...row, tokens }
}
