import { CallRefused, ReorgDetected, Unreachable } from '../../chain/chain-errors.ts'
import type { Chain } from '../../chain/rpc.ts'
import type { Service } from '../../platform/server/service.server.ts'
import { type Start, scanCoins, startBefore } from './coin-scan.ts'
import { findForkPoint } from './fork-point.server.ts'
import { type CoinReport, countRows, type LedgerReport, reasonOf } from './ledger-report.ts'
import { appendCoins, type NewBalance, type Row, readCoinBalances, rowsOf } from './ledger-store.server.ts'
import type { NewRow } from './new-row.ts'
import { correctTypes, judgeRows } from './new-rows.server.ts'
import { requireBlock } from './scan.ts'
import { tokenOf, type Watch, walletsOf } from './watch.ts'

/**
 * The limits of a run, in calls and in milliseconds, after which the run begins no further span of blocks.
 * The limits are divided equally among the wallets.
 */
const maxCalls = 1_500
const maxDuration = 15_000
/** Maximum length of each list in a report. */
const maxLines = 10

/**
 * Reads the transfers of the chain's native coin. A failure of this search is reported and does not end the
 * run. Returns the rows of the transactions that were read.
 */
export async function followCoins(
  service: Service,
  watch: Watch,
  chain: Chain,
  report: (part: LedgerReport) => void,
): Promise<Row[]> {
  try {
    const { newRows, added, outsized, coins } = await readCoins(service, watch, chain)
    if (outsized.length > 0) report({ outsized })
    if (Object.keys(coins).length > 0) report({ coins })
    if (newRows.length === 0) return []
    report(countRows(newRows, added))
    const hashes = newRows.map(({ tx_hash }) => tx_hash)
    return await rowsOf(service, watch.chainId, hashes)
  } catch (error) {
    report({ coins: { stopped: reasonOf(error) } })
    return []
  }
}

interface Coins {
  newRows: NewRow[]
  /** The number of rows that the ledger lacked. */
  added: number
  /** Rows without a value because they are out of proportion. */
  outsized: string[]
  coins: CoinReport
}

/**
 * Reads the coin transfers of each wallet, up to the newest final block at most, and appends them. Does
 * nothing if the coin is not followed. Reads only final blocks, because an ordinary reorganisation does not
 * replace them. The rows of a wallet are stored before the next wallet is read. If a wallet cannot be read,
 * the others are read anyway. Throws ReorgDetected if the chain was reorganised while it was being read.
 */
async function readCoins(service: Service, watch: Watch, chain: Chain): Promise<Coins> {
  const read: Coins = { newRows: [], added: 0, outsized: [], coins: {} }
  const final = chain.head - watch.confirmations + 1
  if (!tokenOf(watch, null) || final < watch.startBlock) return read
  const hashAt = cacheHashes(chain)
  const expected = await hashAt(final)
  const stored = await readCoinBalances(service, watch.chainId)
  const newestOf = (wallet: string) => stored.find((each) => each.wallet === wallet)?.block_number ?? 0
  // A wallet that is behind comes last, and gets what the others leave of the limits.
  const wallets = walletsOf(watch).toSorted((a, b) => newestOf(b) - newestOf(a))
  const isPart = async ({ block_number, block_hash }: { block_number: number; block_hash: string }) =>
    block_hash === (await hashAt(block_number))
  /**
   * The newest stored balance whose block is still part of the chain. Without a stored balance, a start
   * before the first configured block. If the blocks of all stored balances were replaced, a start before the
   * fork point; the gas that the wallet paid before is then unknown.
   */
  const startOf = async (wallet: string): Promise<Start> => {
    const kept = stored.filter((each) => each.wallet === wallet)
    if (!kept[0]) return startBefore(watch.startBlock, wallet, 0n)
    for (const each of kept) if (await isPart(each)) return each
    const fork = await findForkPoint(service, watch, chain, kept[0].block_number)
    return startBefore(fork, wallet, null)
  }
  /** Two older stored balances, from which a scan begins again if that of `start` may be wrong. */
  const olderThan = ({ wallet, block_number }: Start): Start[] => {
    const older = stored.filter((each) => each.wallet === wallet && each.block_number < block_number)
    return [...new Set([older[0], older.at(-1)])].filter((each) => each !== undefined)
  }
  let balances: NewBalance[] = []
  let unstored: NewRow[] = []
  const store = async () => {
    if (balances.length === 0) return
    if ((await requireBlock(chain, final)).hash !== expected) throw new ReorgDetected()
    const { newRows, outsized, added } = await judgeAndAppend(service, watch, chain, unstored, balances)
    read.outsized.push(...outsized)
    read.added += added
    read.newRows.push(...newRows)
    balances = []
    unstored = []
  }
  const [callsBefore, startedAt] = [chain.calls, Date.now()]
  const readWallet = async (wallet: string, left: number) => {
    let start = await startOf(wallet)
    const scan = (from: Start) =>
      scanCoins(chain, watch, from, final, {
        calls: (maxCalls - (chain.calls - callsBefore)) / left,
        duration: (maxDuration - (Date.now() - startedAt)) / left,
      })
    let found = await scan(start)
    // An endpoint may have invented the stored balance: then a change has no transaction in its block.
    for (const older of found.unexplained.length > 0 ? olderThan(start) : []) {
      const again = await scan(older)
      if (again.unexplained.length + again.unread.length > 0 || again.last.block_number < final) continue
      ;[start, found] = [older, again]
      break
    }
    const { last, newRows, ...lists } = found
    balances.push({ ...last, block_hash: await hashAt(last.block_number), after: start.block_number })
    unstored.push(...newRows)
    const { coins } = read
    for (const list of ['unread', 'unexplained'] as const)
      if (lists[list].length > 0) coins[list] = [...(coins[list] ?? []), ...lists[list]].slice(0, maxLines)
    const behind = final - last.block_number
    if (behind > 0) coins.behind = Math.max(coins.behind ?? 0, behind)
    if (newRows.length > 0 || lists.unread.length > 0) await store()
  }
  for (const [at, wallet] of wallets.entries()) {
    if (stored.some((each) => each.wallet === wallet && each.block_number >= final)) continue
    try {
      await readWallet(wallet, wallets.length - at)
    } catch (error) {
      if (!(error instanceof CallRefused || error instanceof Unreachable)) throw error
      read.coins.stopped = reasonOf(error)
    }
  }
  await store()
  return read
}

/**
 * Reads the coin transfers of a wallet again after the block of a comparison, because the wallet's coins differ by another
 * amount since then. Appends what the ledger lacks. Returns the rows; none if the endpoints have no state of these blocks, or
 * do not explain the changes.
 */
export async function readCoinsAgain(
  service: Service,
  watch: Watch,
  chain: Chain,
  wallet: string,
  compared: { block_number: number; gas_paid: bigint },
): Promise<NewRow[]> {
  const { block_number, gas_paid } = compared
  const start: Start = { wallet, block_number, gas_paid, amount: null, nonce: null }
  const final = chain.head - watch.confirmations + 1
  const { last, newRows, unread, unexplained } = await scanCoins(chain, watch, start, final, limitsOf(watch))
  if (unread.length + unexplained.length > 0) return []
  const { hash } = await requireBlock(chain, last.block_number)
  const balance = { ...last, block_hash: hash, after: block_number }
  const stored = await judgeAndAppend(service, watch, chain, newRows, [balance])
  return stored.added > 0 ? stored.newRows : []
}

/** Appends rows and balances, with the corrections of earlier rows. */
async function judgeAndAppend(
  service: Service,
  watch: Watch,
  chain: Chain,
  found: NewRow[],
  balances: NewBalance[],
) {
  const { newRows, outsized } = await judgeRows(service, chain, found)
  const corrections = await correctTypes(service, watch, newRows)
  const { added } = await appendCoins(service, watch.chainId, [...newRows, ...corrections], balances)
  return { newRows, outsized, added }
}

function limitsOf(watch: Watch) {
  const { length } = walletsOf(watch)
  return { calls: maxCalls / length, duration: maxDuration / length }
}

function cacheHashes(chain: Chain): (block: number) => Promise<string> {
  const hashes = new Map<number, string>()
  return async (block) => {
    const hash = hashes.get(block) ?? (await requireBlock(chain, block)).hash
    hashes.set(block, hash)
    return hash
  }
}
