import { type Start, scanCoins, startBefore } from './coins.ts'
import { findForkPoint } from './fork-point.server.ts'
import { appendCoins, type NewBalance, readCoinBalances, type Service } from './ledger-store.server.ts'
import type { Chain } from './rpc.ts'
import { type NewRow, ReorgDetected, requireBlock } from './scan.ts'
import { tokenOf, type Watch, walletsOf } from './watch.ts'

/** Number of calls after which a run begins no further span of blocks, divided equally among the wallets. */
const maxCalls = 600
/** Maximum length of each list in a report. */
const maxLines = 10

/**
 * The facts that an operator must know about the search for transfers of the chain's own coin; empty if there are none.
 */
export interface CoinReport {
  /** Number of blocks that are still to be read, for the wallet with the most. */
  behind?: number
  /** Blocks whose state the endpoints no longer have. An operator must add the transfers in them by command. */
  unread?: string[]
  /** Changes of a balance that no transaction from or to the wallet explains. */
  unexplained?: string[]
  stopped?: string
}

/**
 * Reads the coin transfers of each wallet, at most up to the newest final block, and appends them. Returns them and the
 * number that the ledger lacked; none if the coin is not followed. Only final blocks are read, because an ordinary
 * reorganisation does not replace them. Throws ReorgDetected if the chain was reorganised meanwhile. Writes into
 * `report` what an operator must know.
 */
export async function followCoins(
  service: Service,
  watch: Watch,
  chain: Chain,
  report: CoinReport,
): Promise<{ newRows: NewRow[]; added: number }> {
  const final = chain.head - watch.confirmations + 1
  if (!tokenOf(watch, null) || final < watch.startBlock) return { newRows: [], added: 0 }
  const hashAt = cacheHashes(chain)
  const expected = await hashAt(final)
  const stored = await readCoinBalances(service, watch.chainId)
  const wallets = walletsOf(watch)
  /**
   * The newest stored balance whose block is still part of the chain; without a stored balance, a start before the
   * first configured block. If the blocks of all stored balances were replaced, a start before the fork point; the gas
   * that was paid earlier is then unknown.
   */
  const startOf = async (wallet: string): Promise<Start> => {
    const kept = stored.filter((each) => each.wallet === wallet)
    if (!kept[0]) return startBefore(watch.startBlock, wallet, 0n)
    for (const each of kept) if (each.block_hash === (await hashAt(each.block_number))) return each
    const fork = await findForkPoint(service, watch, chain, kept[0].block_number)
    return startBefore(fork, wallet, null)
  }
  const newRows: NewRow[] = []
  const balances: NewBalance[] = []
  for (const wallet of wallets) {
    if (stored.some((each) => each.wallet === wallet && each.block_number >= final)) continue
    const start = await startOf(wallet)
    const scan = await scanCoins(chain, watch, start, final, maxCalls / wallets.length)
    newRows.push(...scan.newRows)
    const block_hash = await hashAt(scan.last.block_number)
    balances.push({ ...scan.last, block_hash, after: start.block_number })
    for (const list of ['unread', 'unexplained'] as const)
      if (scan[list].length > 0) report[list] = [...(report[list] ?? []), ...scan[list]].slice(0, maxLines)
    const behind = final - scan.last.block_number
    if (behind > 0) report.behind = Math.max(report.behind ?? 0, behind)
  }
  if (balances.length === 0) return { newRows: [], added: 0 }
  if ((await requireBlock(chain, final)).hash !== expected) throw new ReorgDetected()
  return { newRows, ...(await appendCoins(service, watch.chainId, newRows, balances)) }
}

function cacheHashes(chain: Chain): (block: number) => Promise<string> {
  const hashes = new Map<number, string>()
  return async (block) => {
    const hash = hashes.get(block) ?? (await requireBlock(chain, block)).hash
    hashes.set(block, hash)
    return hash
  }
}
