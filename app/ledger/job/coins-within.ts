import { CallRefused } from '../../chain/chain-errors.ts'
import { type Chain, mapInBatches, type WholeTransaction } from '../../chain/rpc.ts'
import { firstWithin, nativeTransferOf, type Transfer } from '../token-transfers.ts'
import type { NewRow } from './new-row.ts'
import { rowsOfTransaction } from './scan.ts'
import { type Watch, walletsOf } from './watch.ts'

/**
 * Coins that a contract moves within a transaction: a payment of a multi-signature wallet, a payer of many, a payout of
 * an exchange, a contract that ends. They leave no trace that public endpoints serve. The proof is the difference of
 * the balances at the two ends of the block, if one transaction of the block can have caused it.
 */

/** Maximum number of transactions that may have caused a difference, and of addresses that may have received it. */
const maxCandidates = 20
const maxRecipients = 12
/** The functions of a token that move or allow tokens: transfer, approve, transferFrom. They move no coins. */
const tokenFunctions = /^0x(a9059cbb|095ea7b3|23b872dd)/

/**
 * The rows of the transaction that changed the wallet's balance by `rest` within the block, besides what the wallet's
 * own transactions carried. Null if it is not clear which transaction did, or who received the coins.
 */
export async function findWithin(
  chain: Chain,
  watch: Watch,
  wallet: string,
  number: number,
  rest: bigint,
): Promise<NewRow[] | null> {
  const block = await chain.wholeBlock(number)
  if (!block) return null
  const candidates = await findCauses(chain, wallet, number, block.transactions, rest)
  const [only, second] = candidates
  const clear = only && !second ? await readMoves(chain, watch, wallet, number, only, rest) : null
  const found =
    only && clear
      ? [{ transaction: only, moves: await addOthers(chain, watch, wallet, block, only, clear) }]
      : await traceMoves(chain, watch, wallet, candidates, rest)
  if (!found) return null
  const rows: NewRow[] = []
  for (const { transaction, moves } of found) {
    const receipt = await chain.receipt(transaction.hash, number)
    if (receipt?.status !== '0x1' || receipt.blockHash !== block.hash) return null
    const within = moves.map(
      (move): Transfer => ({
        ...move,
        txHash: transaction.hash,
        token: null,
        // It depends on the parties alone, so that the search for each of our wallets finds the same row.
        ordinal: firstWithin + Number((BigInt(move.from) * 31n + BigInt(move.to)) % 100_000n),
      }),
    )
    rows.push(
      ...(await rowsOfTransaction(chain, watch, receipt, block, within, nativeTransferOf(transaction))),
    )
  }
  return rows
}

/**
 * Adds the moves of our other wallets whose balances clearly the same transaction changed, so that all rows of the
 * transaction are classified together, whichever wallet is read first.
 */
async function addOthers(
  chain: Chain,
  watch: Watch,
  wallet: string,
  { number, transactions }: { number: number; transactions: WholeTransaction[] },
  only: WholeTransaction,
  moves: readonly Move[],
): Promise<Move[]> {
  const all = new Map(moves.map((move) => [`${move.from} ${move.to}`, move]))
  for (const other of walletsOf(watch)) {
    if (other === wallet) continue
    const before = await chain.balance(other, number - 1)
    let rest = (await chain.balance(other, number)) - before
    for (const { hash, from, to, value } of transactions) {
      if (from !== other && to !== other) continue
      const isCarried = value > 0n && from !== to && (await chain.receipt(hash, number))?.status === '0x1'
      if (from === other) rest += ((await chain.gasCost(hash, number)) ?? 0n) + (isCarried ? value : 0n)
      else if (isCarried) rest -= value
    }
    if (rest === 0n) continue
    const [cause, second] = await findCauses(chain, other, number, transactions, rest)
    if (cause?.hash !== only.hash || second) continue
    for (const move of (await readMoves(chain, watch, other, number, only, rest)) ?? [])
      all.set(`${move.from} ${move.to}`, move)
  }
  return [...all.values()]
}

/** The moves of coins of our wallets in each transaction, if the endpoints trace and those of `wallet` are `rest`. */
async function traceMoves(
  chain: Chain,
  watch: Watch,
  wallet: string,
  candidates: readonly WholeTransaction[],
  rest: bigint,
): Promise<{ transaction: WholeTransaction; moves: Move[] }[] | null> {
  const isOurs = (address: string | null) => address !== null && watch.accounts.has(address)
  const found: { transaction: WholeTransaction; moves: Move[] }[] = []
  let sum = 0n
  for (const transaction of candidates) {
    const { hash, from, to, value } = transaction
    const traced = await chain.trace(hash)
    // Coins that our wallet carried or received with the transaction itself have a row of their own.
    if (to && value > 0n && !isOurs(from) && !isOurs(to)) traced.push({ from, to, amount: value })
    const moves = directMoves(traced).filter((move) => isOurs(move.from) || isOurs(move.to))
    for (const move of moves) {
      if (move.to === wallet) sum += move.amount
      if (move.from === wallet) sum -= move.amount
    }
    if (moves.length > 0) found.push({ transaction, moves })
  }
  return sum === rest && found.length > 0 ? found : null
}

/**
 * Who paid whom in the end: contracts that passed all coins on are left out, if only one party paid or only one
 * received. Otherwise the moves themselves, each pair once.
 */
function directMoves(moves: readonly Move[]): Move[] {
  const nets = new Map<string, bigint>()
  const pairs = new Map<string, Move>()
  for (const { from, to, amount } of moves) {
    if (from === to) continue
    nets.set(from, (nets.get(from) ?? 0n) - amount)
    nets.set(to, (nets.get(to) ?? 0n) + amount)
    const before = pairs.get(`${from} ${to}`)?.amount ?? 0n
    pairs.set(`${from} ${to}`, { from, to, amount: before + amount })
  }
  const sources = [...nets].filter(([, net]) => net < 0n)
  const sinks = [...nets].filter(([, net]) => net > 0n)
  if (sources.length !== 1 && sinks.length !== 1) return [...pairs.values()]
  return sources.flatMap(([from, paid]) =>
    sinks.map(([to, received]) => ({ from, to, amount: sources.length === 1 ? received : -paid })),
  )
}

/** The transactions of a block that can have moved the wallet's coins; one, if it is clear which. */
async function findCauses(
  chain: Chain,
  wallet: string,
  number: number,
  transactions: readonly WholeTransaction[],
  rest: bigint,
): Promise<WholeTransaction[]> {
  const calls = transactions.filter(
    ({ input, to }) => (input !== '0x' || to === null) && !tokenFunctions.test(input),
  )
  const inner = transactions.filter(
    ({ input, from, to }) => input === '0x' && from !== wallet && to !== wallet,
  )
  const named = calls.filter(
    ({ from, to, input }) => from === wallet || to === wallet || input.includes(wallet.slice(2)),
  )
  // Contracts that received plain coins can pass them on, so with no better candidate these count too.
  const candidates = named.length > 0 ? named : [...calls, ...inner]
  if (candidates.length > maxCandidates) return []
  const receipts = await mapInBatches(chain, candidates, ({ hash }) => chain.receipt(hash, number))
  const successful = candidates.filter((_, at) => receipts[at]?.status === '0x1')
  if (successful.length <= 1) return successful
  const amount = (rest < 0n ? -rest : rest).toString(16).padStart(64, '0')
  const exact = successful.filter(({ input }) => input.includes(amount))
  if (exact.length === 1) return exact
  // A multi-signature wallet and many other contracts emit an event when they move coins.
  const emitted = await chain
    .logs(number, number, [], [wallet])
    .catch((error: unknown) => (error instanceof CallRefused ? [] : Promise.reject(error)))
  const hashes = new Set(emitted.map(({ transactionHash }) => transactionHash))
  const marked = successful.filter(({ hash }) => hashes.has(hash))
  return marked.length === 1 ? marked : successful
}

interface Move {
  from: string
  to: string
  amount: bigint
}

/** Who sent the coins to the wallet, or who received its coins; null if that is not clear. */
async function readMoves(
  chain: Chain,
  watch: Watch,
  wallet: string,
  number: number,
  { from, to, value, input }: WholeTransaction,
  rest: bigint,
): Promise<Move[] | null> {
  const changeOf = async (address: string) =>
    (await chain.balance(address, number)) - (await chain.balance(address, number - 1))
  const ours = walletsOf(watch).filter((each) => each !== wallet)
  if (rest > 0n) {
    for (const other of ours)
      if (
        other !== from &&
        (other === to || input.includes(other.slice(2))) &&
        (await changeOf(other)) <= -rest
      )
        return [{ from: other, to: wallet, amount: rest }]
    const isCarried = value >= rest && from !== wallet && !ours.includes(from)
    const payer = isCarried || !to || to === wallet ? from : to
    return payer === wallet ? null : [{ from: payer, to: wallet, amount: rest }]
  }
  const recipients = new Set([
    ...ours.filter((other) => input.includes(other.slice(2))),
    ...addressesIn(input),
  ])
  recipients.delete(wallet)
  const moves: Move[] = []
  let sum = 0n
  for (const each of [...recipients].slice(0, maxRecipients)) {
    const amount = await changeOf(each)
    if (amount <= 0n) continue
    moves.push({ from: wallet, to: each, amount })
    sum += amount
  }
  if (sum === -rest) return moves
  const exact = moves.filter(({ amount }) => amount === -rest)
  if (exact.length === 1) return exact
  return to && to !== wallet ? [{ from: wallet, to, amount: -rest }] : null
}

/**
 * The addresses in the arguments of a call, and of a call within it: words of 32 bytes that begin with 12 empty bytes.
 * Those that a batch pays come first.
 */
function addressesIn(input: string): string[] {
  const found = input.slice(10).matchAll(/(?=0{24}([0-9a-f]{40}))/g)
  const words = Array.from(found)
    .filter(({ index }) => [0, 8, 16].includes(index % 64))
    .map(([, address]) => `0x${address}`)
    .filter((address) => !/^0x0{8}/.test(address))
  return [...paidInBatch(input), ...words]
}

/** The function multiSend(bytes) of Safe's library, with the place of its only argument. */
const batchCall = `8d80ff0a${'20'.padStart(64, '0')}`

/**
 * The addresses to which a batch of a Safe sends coins. Its payments are not in words: each has its kind (1 byte), an
 * address (20), an amount (32), the length of its data (32), and its data.
 */
function paidInBatch(input: string): string[] {
  const start = input.indexOf(batchCall)
  if (start < 0) return []
  const lengthAt = start + batchCall.length
  const sizeOf = (digits: string) => 2 * Number(`0x${digits || 0}`)
  const batch = input.slice(lengthAt + 64).slice(0, sizeOf(input.slice(lengthAt, lengthAt + 64)))
  const paid: string[] = []
  for (let at = 0; at + 170 <= batch.length; at += 170 + sizeOf(batch.slice(at + 106, at + 170)))
    if (/[1-9a-f]/.test(batch.slice(at + 42, at + 106))) paid.push(`0x${batch.slice(at + 2, at + 42)}`)
  return paid
}
