import { ReorgDetected } from '../../chain/chain-errors.ts'
import type { Sending } from '../../chain/stored-transaction.server.ts'
import type { AnchorReport } from '../../log/anchoring.server.ts'
import { firstCharacters } from '../../platform/first-characters.ts'
import { overtaken, ServiceFailure } from '../../platform/server/service.server.ts'
import type { NewRow } from './new-row.ts'

/** The part about payments in a run's report. */
export interface PayerReport extends Sending {
  /** The number of an order whose transaction was sent, and whether it was sent before. */
  sent?: number
  resent?: number
  /** The number of an order whose transaction is mined, and that waits for the ledger. */
  mined?: number
  /** The number of an order that failed, that moved another amount than it says, or that was lost. */
  failed?: number
  mismatched?: number
  lost?: number
  /** True while operators have put all payments on hold. */
  held?: true
  /** Why due orders are not paid, for each order. */
  waiting?: Record<string, string>
  /** Why the allowances, the balances and the gas could not be read for the operators' page. */
  unseen?: string
}

/** What an operator must see of the search for coin transfers; empty if it found everything. */
export interface CoinReport {
  /** The number of blocks that are still to be read, for the wallet with the most such blocks. */
  behind?: number
  /** Blocks whose state the endpoints no longer have: an operator adds their transfers with a command. */
  unread?: string[]
  /** Changes of a balance without a transaction from or to the wallet. */
  unexplained?: string[]
  stopped?: string
}

/** The report of a run, for its log line. */
export interface LedgerReport {
  /** The number of our wallets whose keys or contracts changed, and those that could not be read, with the reason. */
  controls?: number
  controlsUnread?: string[]
  head?: number
  /** The blocks that were read, as 'first-last'. */
  scanned?: string
  /** Number of blocks that are still to be read. */
  behind?: number
  /** Number of rows that the ledger lacked. */
  added?: number
  /** Number of rows that the endpoint lacked when their blocks were first read. */
  late?: number
  /** Number of rows that a comparison of balances found. */
  recovered?: number
  /** Number of new rows without a value in dollars. */
  unvalued?: number
  /** New rows that wait for two people: their value is out of any proportion. */
  outsized?: string[]
  /** Tokens whose contract differs from CHAIN_TOKENS. Their new rows have no value. */
  tokens?: string[]
  /** Pools that were removed from the code, and that an open vote or an order still needs. */
  pools?: string[]
  /** The number of transactions that no endpoint delivered. Later runs try them again. */
  unread?: number
  /** The first block that was read again after a reorganisation. */
  reorganisedAt?: number
  /** The search for transfers of the chain's native coin; absent if it has nothing to report. */
  coins?: CoinReport
  /** Number of checks with each result. */
  checked?: Record<string, number>
  /** Number of rows whose time was corrected. */
  corrected?: number
  /** The number of balances that differ from the ledger; absent if this run compared no balances. */
  differences?: number
  /** Balances that could not be compared, with the reason. */
  notCompared?: string[]
  /** The number of prices that were stored for /donate; absent if this run stored no prices. */
  priced?: number
  /** The number of orders that ended without a payment; absent if none did. */
  expired?: number
  /** The number of orders that divide the tax of the month before; absent if none were made. */
  allocated?: number
  /** The number of goals that ended because their end date has passed; absent if no goal ended. */
  goalsEnded?: number
  /** The number of goals whose wallet was checked, grouped by their stage after the check. */
  goalsChecked?: Record<string, number>
  /** The size of the checkpoint that was signed. */
  signed?: number
  anchor?: AnchorReport
  payer?: PayerReport
  rolledBack?: true
  /** Number of calls to the chain. */
  calls?: number
  /** Since when endpoints have not answered, by their names; empty if all did. */
  silent?: Record<string, string>
  /** The fault of each endpoint. */
  faults?: Record<string, string>
  /** What each endpoint serves and lacks. */
  endpoints?: Record<string, string>
  /** Why a part of the run ended early. */
  stopped?: string
}

/** The number of rows that the ledger lacked, and the number of new rows without a value. */
export function countRows(newRows: readonly NewRow[], added: number): LedgerReport {
  return { added, unvalued: newRows.filter(({ amount_usd }) => amount_usd === null).length }
}

/** The level of a run's log line: an error after a restored database, a warning to be read by operators. */
export function levelOf(report: LedgerReport): 'info' | 'warn' | 'error' {
  const { checked = {}, coins = {}, faults = {} } = report
  const troubles = [
    report.stopped,
    report.unread,
    report.late,
    report.recovered,
    report.outsized,
    report.tokens,
    report.pools,
    report.differences,
    report.notCompared,
    coins.stopped,
    coins.unread,
    coins.unexplained,
    report.anchor?.fault,
    report.anchor?.unmined,
    report.payer?.fault,
    report.payer?.unmined,
    report.payer?.failed,
    report.payer?.mismatched,
    report.payer?.waiting,
    checked.mismatch,
    checked.reorganised,
    ...Object.keys(faults),
  ]
  if (report.rolledBack) return 'error'
  return troubles.some(Boolean) ? 'warn' : 'info'
}

/**
 * The maximum number of items of a list, and of characters of a text, in a stored report. A sentence with one
 * hash fits.
 */
const mostItems = 10
const longestText = 200

/** The report in the form in which it is stored for operators: at most 8 kB. */
export function shorten(report: LedgerReport): LedgerReport {
  return JSON.parse(JSON.stringify(report), (_, value: unknown) => {
    if (typeof value === 'string') return firstCharacters(value, longestText)
    if (Array.isArray(value)) return value.slice(0, mostItems)
    return value
  })
}

/** The reason why a part of a run ended, in words. */
export function reasonOf(error: unknown): string {
  if (error instanceof ServiceFailure && error.code === overtaken) return 'another run was faster'
  if (error instanceof ReorgDetected) return 'the blockchain was reorganised during the run'
  return error instanceof Error ? error.message : 'unknown'
}
