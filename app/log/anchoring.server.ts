import { stringToHex } from 'viem'
import * as z from 'zod/mini'
import { Unreachable } from '../chain/chain-errors.ts'
import { type Block, type Chain, timeOf } from '../chain/rpc.ts'
import {
  addressOf,
  findMined,
  type Sending,
  sendStored,
  signTransaction,
} from '../chain/stored-transaction.server.ts'
import { integerColumn } from '../platform/server/columns.server.ts'
import { overtaken, type Service, ServiceFailure } from '../platform/server/service.server.ts'
import { type OpenAnchor, readAnchorState } from './anchor-state.server.ts'
import { ledgerLog } from './ledger-log.ts'
import { type AnchoredCheckpoint, shownTransactionOf } from './unknown-anchor.server.ts'

interface AnchorLimits {
  /** Minimum time between two anchors in seconds. */
  minSeconds: number
  /** Maximum number of anchors in 24 hours. */
  dayMost: number
  /** The number of confirmations at which a block is final. */
  confirmations: number
}

/**
 * A published checkpoint. `text` is the signed text of the note, without the signatures. A row whose note
 * does not contain this size and root is refused.
 */
const checkpointRow = z
  .pipe(
    z.object({ size: integerColumn, root: z.string(), note: z.string() }),
    z.transform(({ size, root, note }) => ({
      size,
      root,
      text: `${note.split('\n').slice(0, 3).join('\n')}\n`,
    })),
  )
  .check(z.refine(({ size, root, text }) => text.endsWith(`\n${size}\n${root}\n`), { path: ['note'] }))

/** The part about anchors in a run's report. */
export interface AnchorReport extends Sending {
  sent?: string
  resent?: string
  anchored?: number
}

/** Gas limit: 21,000, calldata at the floor price of EIP-7623 (40 a non-zero byte), a margin of 2,000. */
const gasOf = (data: string) => 21_000n + 40n * BigInt((data.length - 2) / 2) + 2_000n

/**
 * Anchors the newest checkpoint of the log with a transaction from the key's address to itself. The data of
 * the transaction is the checkpoint's text. If an anchor is open, follows that anchor instead. Does nothing
 * if the checkpoint is anchored already or a limit is reached; the database enforces both conditions. The
 * signed bytes are stored before they are sent, so that after a killed run the next run sends the same bytes.
 * `unknown` is the result of findUnknownAnchor.
 */
export async function anchorLog(
  service: Service,
  chain: Chain,
  key: `0x${string}`,
  limits: AnchorLimits,
  unknown: AnchoredCheckpoint | null = null,
): Promise<AnchorReport> {
  const from = addressOf(key)
  const state = await readAnchorState(service, chain.id, from)
  if (state.open) return followAnchor(service, chain, key, limits, state.open)

  const [checkpoint] = await service.rows('newest_checkpoints', checkpointRow, (query) =>
    query.eq('log', ledgerLog),
  )
  const { latest } = state
  if (
    !checkpoint ||
    [latest?.root, unknown?.root].includes(checkpoint.root) ||
    state.day_count >= limits.dayMost
  )
    return {}
  if (latest && Date.now() - Date.parse(latest.recorded_at) < limits.minSeconds * 1000) return {}

  const nonce = await chain.nonce(from, chain.head)
  if (!unknown && nonce !== (state.next_nonce ?? nonce))
    return {
      fault: `the anchor address has sent ${nonce} transactions, and the ledger knows ${state.next_nonce}: use its key for anchors only`,
    }
  const gasPrice = await chain.gasPrice()
  const signed = await sign(key, chain.id, checkpoint.text, nonce, gasPrice)
  const needed = signed.gas * gasPrice
  if ((await chain.balance(from, chain.head)) < needed)
    return { fault: `the anchor address ${from} needs gas: at least ${needed} base units` }
  try {
    await service.call('store_anchor', integerColumn, {
      log: ledgerLog,
      anchor: {
        size: checkpoint.size,
        root: checkpoint.root,
        chain_id: chain.id,
        address: from,
        nonce,
        raw: signed.raw,
        tx_hash: signed.hash,
        gas_price: `${gasPrice}`,
        min_seconds: limits.minSeconds,
        day_most: limits.dayMost,
      },
    })
  } catch (error) {
    // Another run stored an anchor first, or a database limit forbids this anchor.
    if (error instanceof ServiceFailure && error.code === overtaken) return {}
    throw error
  }
  return { sent: signed.hash, ...(await sendStored(chain, signed.raw)) }
}

/**
 * Records the state of an open anchor. If none of its transactions is mined and the anchor's nonce is unused,
 * sends the newest transaction again or replaces it.
 */
async function followAnchor(
  service: Service,
  chain: Chain,
  key: `0x${string}`,
  { confirmations }: AnchorLimits,
  open: OpenAnchor,
): Promise<AnchorReport> {
  const record = (transaction_id: number, found: Record<string, string | number>) =>
    service.call('record_anchor_check', z.boolean(), { result: { transaction_id, ...found } })
  const [first, ...others] = open.transactions
  if (!first) return {}
  const from = addressOf(key)
  const found = await findMined(
    chain,
    { from, nonce: open.nonce, transactions: [first, ...others] },
    confirmations,
  )
  const recordMined = async (transaction_id: number, block: Block, isFinal: boolean) => {
    await record(transaction_id, {
      status: isFinal ? 'anchored' : 'pending',
      block_number: block.number,
      block_hash: block.hash,
      block_time: timeOf(block),
    })
    return isFinal ? { anchored: open.size } : {}
  }
  if (found.kind === 'mined') return recordMined(found.transaction.id, found.block, found.isFinal)
  if (found.kind === 'used') {
    // An endpoint without a receipt may have forgotten in which block the anchor is.
    const user = await shownTransactionOf(chain, from, open.nonce)
    if (!user)
      return { fault: `nonce ${open.nonce} of the anchor address is used, and no endpoint shows by what` }
    const ours = open.transactions.find(({ tx_hash }) => tx_hash === user.hash)
    if (ours) return recordMined(ours.id, await blockOf(chain, user.blockNumber), true)
    for (const { id } of open.transactions) await record(id, { status: 'lost' })
    return { fault: `nonce ${open.nonce} of the anchor address was used by another transaction` }
  }
  // No transaction of the anchor is mined, or a reorganisation removed its block.
  const { newest, price: gasPrice } = found
  for (const { id, status } of open.transactions)
    if (id === newest.id || status === 'pending') await record(id, { status: 'sent' })
  if (gasPrice === null) return { resent: newest.tx_hash, ...(await sendStored(chain, newest.raw, found)) }
  const [checkpoint] = await service.rows('published_checkpoints', checkpointRow, (query) =>
    query.eq('log', ledgerLog).eq('size', open.size).eq('root', open.root).order('id').limit(1),
  )
  if (!checkpoint) throw new Error(`the anchored checkpoint of ${open.size} entries is not published`)
  const signed = await sign(key, chain.id, checkpoint.text, open.nonce, gasPrice)
  if ((await chain.balance(from, chain.head)) < signed.gas * gasPrice) {
    const sending = await sendStored(chain, newest.raw, found)
    const fault = 'the anchor address has too little gas to replace a transaction that is not mined'
    return { ...sending, fault }
  }
  await service.call('store_anchor_transaction', z.boolean(), {
    anchor_id: open.id,
    raw: signed.raw,
    tx_hash: signed.hash,
    gas_price: `${gasPrice}`,
  })
  return { resent: signed.hash, ...(await sendStored(chain, signed.raw, found)) }
}

/** A signed transaction to the key's own address, with its hash and gas limit. */
async function sign(key: `0x${string}`, chainId: number, text: string, nonce: number, gasPrice: bigint) {
  const data = stringToHex(text)
  const gas = gasOf(data)
  return { ...(await signTransaction(key, { chainId, nonce, to: addressOf(key), data, gas, gasPrice })), gas }
}

async function blockOf(chain: Chain, number: number): Promise<Block> {
  const block = await chain.block(number)
  if (!block) throw new Unreachable(`no endpoint has block ${number}`)
  return block
}
