import { type Hex, parseAbiItem } from 'viem'
import { expect } from 'vitest'
import type { LedgerRow, Project } from './project.ts'

const transferEvent = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

/** Every transfer of our wallets, read from the chain's logs in their order. */
async function truth({ evm, who, dollar, coin }: Project) {
  const ours = [who.treasury, who.giver, who.pool].map(({ address }) => address.toLowerCase())
  const logs = await evm.reader.getLogs({ event: transferEvent, fromBlock: 0n, toBlock: 'latest' })
  const perTransaction = new Map<Hex, number>()
  const transfers = []
  for (const { transactionHash, address, args, blockNumber, blockHash } of logs) {
    const ordinal = perTransaction.get(transactionHash) ?? 0
    perTransaction.set(transactionHash, ordinal + 1)
    const [from, to] = [args.from?.toLowerCase() ?? '', args.to?.toLowerCase() ?? '']
    if (!ours.includes(from) && !ours.includes(to)) continue
    if (args.value === 0n || ![dollar, coin].includes(address.toLowerCase() as Hex)) continue
    const { timestamp } = await evm.reader.getBlock({ blockNumber })
    transfers.push({
      tx_hash: transactionHash,
      ordinal,
      token_address: address.toLowerCase(),
      from_address: from,
      to_address: to,
      token_amount: String(args.value),
      occurred_at: `${new Date(Number(timestamp) * 1000).toISOString().slice(0, 19)}Z`,
      block_number: Number(blockNumber),
      block_hash: blockHash,
      status: 'verified',
    })
  }
  return transfers
}

type Truth = Awaited<ReturnType<typeof truth>>[number]

function asTruth(row: LedgerRow): Truth {
  const { tx_hash, ordinal, token_address, from_address, to_address, token_amount, ...more } = row
  const { occurred_at, block_number, block_hash, status } = more
  return {
    tx_hash,
    ordinal,
    token_address: token_address as string,
    from_address,
    to_address,
    token_amount: String(token_amount),
    occurred_at,
    block_number: block_number as number,
    block_hash: block_hash as Hex,
    status,
  }
}

/** Compares all rows, except reorganised and native ones, with the transfers on chain: none missing, none twice. */
export async function expectEqualToChain(project: Project): Promise<void> {
  const rows = (await project.rows()).filter(
    ({ status, ordinal }) => status !== 'reorganised' && ordinal >= 0,
  )
  const order = (a: Truth, b: Truth) => a.tx_hash.localeCompare(b.tx_hash) || a.ordinal - b.ordinal
  expect(rows.map(asTruth).sort(order)).toEqual((await truth(project)).sort(order))
}

/** Runs the schedule until the scan is at the head and every check is done. */
export async function catchUp(project: Project, most = 12): Promise<void> {
  for (let runs = 0; runs < most; runs += 1) {
    const run = await project.tick()
    if (run.behind === 0 && !run.added && !run.corrected && !run.checked?.pending) return
  }
  throw new Error(`Not caught up after ${most} runs`)
}
