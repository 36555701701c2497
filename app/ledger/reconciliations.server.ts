import * as z from 'zod/mini'
import {
  directionColumn,
  integerColumn,
  objectsColumn,
  timestampColumn,
} from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'

const transfer = z.object({ txHash: z.string(), direction: directionColumn, amount: z.coerce.bigint() })

/** A wallet's balance in a token at one block, and the sum of the ledger's verified rows up to this block. */
const reconciliationRow = z.pipe(
  z.object({
    id: integerColumn,
    wallet: z.string(),
    blockNumber: integerColumn,
    blockTime: timestampColumn,
    tokenSymbol: z.string(),
    tokenDecimals: integerColumn,
    chainAmount: z.coerce.bigint(),
    ledgerAmount: z.coerce.bigint(),
    /** The gas fees that the wallet has paid, which are in no row: 0 for a token; null if unknown. */
    gasPaid: z.nullable(z.coerce.bigint()),
    /** Null if nothing was compared, because the gas fees are unknown. */
    difference: z.nullable(z.coerce.bigint()),
    /** Transfers that are missing from the ledger. */
    unlisted: objectsColumn(transfer),
  }),
  z.transform(({ tokenSymbol: symbol, tokenDecimals: decimals, ...row }) => {
    const tokens = (amount: bigint) => ({ amount, symbol, decimals })
    return {
      ...row,
      chainAmount: tokens(row.chainAmount),
      ledgerAmount: tokens(row.ledgerAmount),
      gasPaid: row.gasPaid === null ? null : tokens(row.gasPaid),
      difference: row.difference === null ? null : tokens(row.difference),
      unlisted: row.unlisted.map(({ amount, ...rest }) => ({ ...rest, tokens: tokens(amount) })),
    }
  }),
)
export type Reconciliation = z.infer<typeof reconciliationRow>

/** The latest reconciliation of each wallet and token, or null if the read fails. */
export function listReconciliations(data: Data): Promise<Reconciliation[] | null> {
  return data.rows('published_reconciliations', reconciliationRow, (query) => query.order('id'))
}
