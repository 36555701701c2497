import { type Hex, parseAbiItem } from 'viem'
import { expect } from 'vitest'
import { firstWithin } from '../../app/ledger/token-transfers.ts'
import type { LedgerRow, Project } from './project.ts'

const transferEvent = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

const walletsOf = ({ who }: Project) =>
  [who.treasury, who.giver, who.pool].map(({ address }) => address.toLowerCase())

/**
 * The transfers of the two configured tokens from or to our wallets, except transfers of a zero amount. They
 * are read from the event logs of the chain, in order.
 */
async function tokenTruth(project: Project) {
  const { evm, dollar, coin } = project
  const ours = walletsOf(project)
  const logs = await evm.reader.getLogs({ event: transferEvent, fromBlock: 0n, toBlock: 'latest' })
  const perTransaction = new Map<Hex, number>()
  const transfers = []
  for (const { transactionHash, address, args, blockNumber, blockHash } of logs) {
    const ordinal = perTransaction.get(transactionHash) ?? 0
    perTransaction.set(transactionHash, ordinal + 1)
    const [from, to] = [args.from?.toLowerCase() ?? '', args.to?.toLowerCase() ?? '']
    if (!ours.includes(from) && !ours.includes(to)) continue
    if (args.value === 0n || ![dollar, coin].includes(address.toLowerCase() as Hex)) continue
    transfers.push({
      tx_hash: transactionHash,
      ordinal,
      token_address: address.toLowerCase(),
      from_address: from,
      to_address: to,
      token_amount: String(args.value),
      block_number: Number(blockNumber),
      block_hash: blockHash as string,
    })
  }
  return transfers
}

/** The coins that mined, successful transactions moved from or to our wallets, but not to the sender. */
async function coinTruth(project: Project) {
  const { reader, valued } = project.evm
  const ours = walletsOf(project)
  const transfers = []
  for (const hash of valued) {
    const receipt = await reader.getTransactionReceipt({ hash }).catch(() => null)
    if (!receipt?.to || receipt.status !== 'success') continue
    const [from, to] = [receipt.from.toLowerCase(), receipt.to.toLowerCase()]
    if (from === to || !(ours.includes(from) || ours.includes(to))) continue
    const { value } = await reader.getTransaction({ hash })
    transfers.push({
      tx_hash: hash,
      ordinal: -1,
      token_address: null,
      from_address: from,
      to_address: to,
      token_amount: String(value),
      block_number: Number(receipt.blockNumber),
      block_hash: receipt.blockHash as string,
    })
  }
  return transfers
}

async function truth(project: Project) {
  const transfers = [...(await tokenTruth(project)), ...(await coinTruth(project))]
  return Promise.all(
    transfers.map(async (transfer) => {
      const block = await project.evm.reader.getBlock({ blockNumber: BigInt(transfer.block_number) })
      const time = new Date(Number(block.timestamp) * 1000)
      return { ...transfer, occurred_at: `${time.toISOString().slice(0, 19)}Z`, status: 'verified' }
    }),
  )
}

type Truth = Awaited<ReturnType<typeof truth>>[number]

function asTruth(row: LedgerRow): Truth {
  const { tx_hash, ordinal, token_address, from_address, to_address, token_amount, ...more } = row
  const { occurred_at, block_number, block_hash, status } = more
  return {
    tx_hash,
    ordinal,
    token_address,
    from_address,
    to_address,
    token_amount: String(token_amount),
    occurred_at,
    block_number: block_number as number,
    block_hash: block_hash as string,
    status,
  }
}

/**
 * Expects that the published rows, except reorganised ones, are exactly the transfers on the chain, and that
 * all are verified. Coins that a contract moved are compared by the balances (`compareBalances`), because no
 * transaction states them.
 */
export async function expectEqualToChain(project: Project): Promise<void> {
  const rows = (await project.rows()).filter(
    ({ status, ordinal }) => status !== 'reorganised' && ordinal < firstWithin,
  )
  const order = (a: Truth, b: Truth) => a.tx_hash.localeCompare(b.tx_hash) || a.ordinal - b.ordinal
  expect(rows.map(asTruth).sort(order)).toEqual((await truth(project)).sort(order))
}

/** Makes all comparisons two hours old and runs the scheduled work, which compares again. */
export async function compareBalances({ backend, tick }: Project) {
  await backend.sql('alter table public.reconciliations disable trigger append_only')
  await backend.sql("update public.reconciliations set taken_at = now() - interval '2 hours'")
  await backend.sql('alter table public.reconciliations enable trigger append_only')
  return tick()
}

/** Runs the scheduled work until it is at the head and nothing is left. Throws after `most` runs. */
export async function catchUp(project: Project, most = 12): Promise<void> {
  for (let runs = 0; runs < most; runs += 1) {
    const run = await project.tick()
    if (run.behind === 0 && !run.coins?.behind && !run.added && !run.corrected && !run.checked?.pending)
      return
  }
  throw new Error(`Not caught up after ${most} runs`)
}
