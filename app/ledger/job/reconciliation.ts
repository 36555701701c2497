import { encodeFunctionData, erc20Abi } from 'viem'
import { CallRefused, RangeTooLarge, Unreachable } from '../../chain/chain-errors.ts'
import { type Block, type Chain, type ChainLog, mapInBatches, type Receipt, timeOf } from '../../chain/rpc.ts'
import { transfersOf, wrapsOf } from '../token-transfers.ts'
import { findLogs } from './scan.ts'
import { supplyOf } from './token-check.ts'
import { type Token, type Watch, walletsOf } from './watch.ts'

/** The sum of the ledger's verified rows for a wallet and token, in base units as text. */
export interface LedgerBalance {
  wallet: string
  token_address: string | null
  amount: string
}

/** A comparison of a wallet and token without a difference. */
interface Matched {
  /** As in a Comparison. */
  token_supply: string | null
}

/** A transfer on the chain that the ledger lacks. */
interface Unlisted {
  tx_hash: string
  ordinal: number
  direction: 'in' | 'out'
  amount: string
}

/** A comparison of a balance in the form that record_reconciliations accepts. */
export interface Comparison {
  chain_id: number
  block_number: number
  block_hash: string
  block_time: string
  wallet: string
  token_address: string | null
  token_symbol: string
  token_decimals: number
  /** The number of base units of the token that exist; null for the native coin, and if its contract does not say. */
  token_supply: string | null
  chain_amount: string
  ledger_amount: string
  /** The gas that the wallet has paid, in base units. No row contains it. 0 for a token, null if unknown. */
  gas_paid: string | null
  unlisted: Unlisted[]
}

/** How many blocks are searched for missing transfers: 2.5 hours of blocks every 0.45 s. */
const searchedBlocks = 20_000
const blocksPerStep = 2_000
/** Maximum number of event logs that are examined, because each needs the receipt of its transaction. */
const maxLogs = 100
/** The time in milliseconds after which no receipt is requested: the rest of a run needs time too. */
const searchTimeout = 10_000
/** Maximum number of listed transfers. The constraint reconciliations_unlisted_list has the same maximum. */
const maxUnlisted = 20

/**
 * Compares the balance of each wallet and token at a block with the ledger's sum. If the balance of a token
 * other than the native coin differs, searches up to `searchedBlocks` blocks for transfers that the ledger
 * lacks, for a limited time; ignores transfers of a zero amount. If this search fails, the lists of missing
 * transfers stay as they are. `known` takes transaction hashes and returns those of the transactions'
 * transfers that the ledger has, each as 'hash ordinal'. `gasPaid` returns the gas that a wallet has paid up
 * to that block, or null if it is unknown. If a balance cannot be read, `faults` contains a sentence for the
 * operator; the other balances are compared anyway. A token whose contract changes balances without transfers is not
 * compared: no payment is missing. Such tokens are known by their functions, or found: `changing` has the comparisons
 * whose balance changed although at least two endpoints deliver no transfer that the ledger lacks, since the comparison
 * that matched (`matched` returns the last one of a wallet and token if it did) or since the first block, if the
 * balances of all wallets with that token grew by the same factor, or the supply did since the comparison that matched.
 * A balance that is too small is always a difference. With one wallet, and a supply that is unknown or grew otherwise,
 * nothing tells a growth from a payment that both endpoints withhold: `untold` has a sentence about it.
 */
export async function reconcile(
  chain: Chain,
  watch: Watch,
  block: Block,
  balances: readonly LedgerBalance[],
  gasPaid: (wallet: string) => bigint | null,
  known: (txHashes: string[]) => Promise<Set<string>>,
  matched: (wallet: string, token: string | null) => Matched | undefined = () => undefined,
): Promise<{ comparisons: Comparison[]; changing: Comparison[]; untold: string[]; faults: string[] }> {
  const comparisons: Comparison[] = []
  const faults: string[] = []
  const tokens = watch.tokens.filter(({ isElastic }) => !isElastic)
  const supplies = await mapInBatches(chain, tokens, (token) => supplyAt(chain, token, block.number))
  for (const wallet of walletsOf(watch))
    for (const [at, token] of tokens.entries()) {
      const amount = await balanceOf(chain, token, wallet, block.number).catch((error: unknown) => {
        if (error instanceof CallRefused || error instanceof Unreachable) return error
        throw error
      })
      if (amount instanceof Error) {
        faults.push(`${token.symbol} of ${wallet}: ${amount.message}`)
        continue
      }
      const ledger = balances.find((each) => each.wallet === wallet && each.token_address === token.address)
      comparisons.push({
        chain_id: chain.id,
        block_number: block.number,
        block_hash: block.hash,
        block_time: timeOf(block),
        wallet,
        token_address: token.address,
        token_symbol: token.symbol,
        token_decimals: token.decimals,
        token_supply: supplies[at]?.toString() ?? null,
        chain_amount: amount.toString(),
        ledger_amount: ledger?.amount ?? '0',
        gas_paid: (token.address ? 0n : gasPaid(wallet))?.toString() ?? null,
        unlisted: [],
      })
    }
  const differing = comparisons.filter((each) => each.token_address && differs(each))
  if (differing.length === 0) return { comparisons, changing: [], untold: [], faults }
  const search = await addUnlisted(chain, watch, block.number, differing, known).catch((error: unknown) => {
    // The comparisons are complete without this search, so its failure must not discard them.
    if (error instanceof CallRefused || error instanceof Unreachable) return 'incomplete'
    throw error
  })
  const unexplained = differing.filter(
    ({ wallet, token_address, unlisted }) =>
      watch.urls.length > 1 &&
      unlisted.length === 0 &&
      (search === 'whole chain' || (search === 'recent' && matched(wallet, token_address))),
  )
  const holders = ({ token_address }: Comparison) =>
    comparisons.filter((each) => each.token_address === token_address && each.ledger_amount !== '0')
  const changing = unexplained.filter(
    (each) =>
      grewAlike(holders(each).map(growthOf)) ||
      grewAlike(withSupply(each, matched(each.wallet, each.token_address))),
  )
  const isOnly = (each: Comparison) => holders(each).every((holder) => holder === each)
  const untold = unexplained
    .filter((each) => !changing.includes(each) && isOnly(each) && growthOf(each)[0] > growthOf(each)[1])
    .map(
      ({ token_symbol, wallet }) =>
        `${token_symbol}: the balance of ${wallet} grew without a transfer. With one wallet this cannot be told from a missing payment`,
    )
  return { comparisons: comparisons.filter((each) => !changing.includes(each)), changing, untold, faults }
}

/** An amount now, and the amount from which it grew. */
type Growth = readonly [now: bigint, before: bigint]
const growthOf = ({ chain_amount, ledger_amount }: Comparison): Growth => [
  BigInt(chain_amount),
  BigInt(ledger_amount),
]

/** Whether all amounts, at least two, grew by the same factor, except for their last digit. */
function grewAlike([first, ...others]: readonly Growth[]): boolean {
  if (!first || others.length === 0) return false
  const [one, of] = first
  return [first, ...others].every(([now, before]) => {
    const apart = now * of - one * before
    return now > before && before > 0n && (apart < 0n ? -apart : apart) <= of + before
  })
}

/**
 * The growth of a balance, and of the supply since a comparison if both are known. If the wallet had the whole supply,
 * nothing tells a growth of both from a payment of new tokens.
 */
function withSupply(comparison: Comparison, before: Matched | undefined): Growth[] {
  const balance = growthOf(comparison)
  const supply: Growth = [BigInt(comparison.token_supply ?? 0), BigInt(before?.token_supply ?? 0)]
  return supply[1] > balance[1] ? [balance, supply] : [balance]
}

/** The supply of a token after a block; null if it is unknown, because the comparisons are complete without it. */
async function supplyAt(chain: Chain, { address }: Token, at: number): Promise<bigint | null> {
  if (!address) return null
  return supplyOf(chain, address, at).catch((error: unknown) => {
    if (error instanceof Unreachable) return null
    throw error
  })
}

/** The blocks that a search for missing transfers has read; 'incomplete' if it did not read all that it should. */
type Searched = 'whole chain' | 'recent' | 'incomplete'

/** Adds to each difference the transfers that the ledger lacks, until the timeout of the search. */
async function addUnlisted(
  chain: Chain,
  watch: Watch,
  to: number,
  differing: readonly Comparison[],
  known: (txHashes: string[]) => Promise<Set<string>>,
): Promise<Searched> {
  const startedAt = Date.now()
  const { logs, isWhole } = await findRecent(chain, watch, to)
  let searched: Searched = !isWhole ? 'incomplete' : to < searchedBlocks ? 'whole chain' : 'recent'
  const hashes = [...new Set(logs.map((log) => log.transactionHash))]
  const has = await known(hashes)
  for (const txHash of hashes) {
    if (Date.now() - startedAt > searchTimeout) return 'incomplete'
    const receipt = await receiptOf(chain, txHash)
    if (!receipt) {
      searched = 'incomplete'
      continue
    }
    for (const transfer of [...transfersOf(receipt), ...wrapsOf(receipt)]) {
      if (has.has(`${txHash} ${transfer.ordinal}`) || transfer.amount === 0n) continue
      for (const { wallet, token_address, unlisted } of differing) {
        if (token_address !== transfer.token || unlisted.length >= maxUnlisted) continue
        const base = { tx_hash: txHash, ordinal: transfer.ordinal, amount: transfer.amount.toString() }
        if (transfer.to === wallet) unlisted.push({ ...base, direction: 'in' })
        else if (transfer.from === wallet) unlisted.push({ ...base, direction: 'out' })
      }
    }
  }
  return searched
}

/** The receipt of a transaction, or null if the receipt is missing or too large. */
async function receiptOf(chain: Chain, txHash: string): Promise<Receipt | null> {
  try {
    return await chain.receipt(txHash)
  } catch (error) {
    if (error instanceof CallRefused) return null
    throw error
  }
}

/** True if a balance is known to differ from the ledger's sum less the gas. */
export function differs({ chain_amount, ledger_amount, gas_paid }: Comparison): boolean {
  return gas_paid !== null && BigInt(chain_amount) !== BigInt(ledger_amount) - BigInt(gas_paid)
}

/** The balance of a wallet in a token after a block. */
export async function balanceOf(chain: Chain, token: Token, wallet: string, at: number): Promise<bigint> {
  if (!token.address) return chain.balance(wallet, at)
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [wallet as `0x${string}`],
  })
  const word = await chain.call(token.address, data, at)
  if (word.length !== 66) throw new CallRefused(`balanceOf of ${token.symbol} did not return a number`)
  return BigInt(word)
}

/**
 * Up to `maxLogs` event logs of transfers in the last `searchedBlocks` blocks up to `to`, newest ranges
 * first, as far back as the endpoints allow. `isWhole`: these are all event logs of these blocks.
 */
async function findRecent(
  chain: Chain,
  watch: Watch,
  to: number,
): Promise<{ logs: ChainLog[]; isWhole: boolean }> {
  const logs: ChainLog[] = []
  const oldest = Math.max(0, to - searchedBlocks + 1)
  for (let end = to; end >= oldest; end -= blocksPerStep) {
    if (logs.length >= maxLogs) return { logs: logs.slice(0, maxLogs), isWhole: false }
    try {
      logs.push(...(await findLogs(chain, watch, Math.max(oldest, end - blocksPerStep + 1), end)))
    } catch (error) {
      if (error instanceof RangeTooLarge) return { logs, isWhole: false }
      throw error
    }
  }
  return { logs: logs.slice(0, maxLogs), isWhole: logs.length <= maxLogs }
}
