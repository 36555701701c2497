import type { Classification } from './classification.ts'
import type { Value } from './valuation.ts'

/** A row in the form that append_ledger accepts. Amounts are text. */
export interface NewRow extends Value, Classification {
  occurred_at: string
  token_amount: string
  token_symbol: string
  token_decimals: number
  token_address: string | null
  from_address: string
  to_address: string
  tx_hash: string
  chain_id: number
  ordinal: number
  revision: number
  proof_url: string | null
  note: string | null
}
