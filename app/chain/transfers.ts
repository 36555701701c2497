import { decodeEventLog, erc20Abi, padHex, toEventSelector } from 'viem'
import type { ChainLog, NativeTransfer, Receipt } from './rpc.ts'

const transferTopic = toEventSelector('Transfer(address,address,uint256)')

/** Money that moved. `token` is the contract's address, null for the chain's own coin. */
export interface Transfer {
  txHash: string
  /** Place among the transfers of its transaction, whatever block that is in; -1 for the chain's own coin. */
  ordinal: number
  token: string | null
  from: string
  to: string
  amount: bigint
}

/** The filters that find every transfer from or to one of `wallets`. */
export function transferTopics(wallets: readonly string[]): (string | string[] | null)[][] {
  const padded = wallets.map((wallet) => padHex(wallet as `0x${string}`, { size: 32 }))
  return [
    [transferTopic, padded],
    [transferTopic, null, padded],
  ]
}

/** The token transfers of a transaction, in their order. What only looks like one is none. */
export function transfersOf({
  transactionHash,
  logs,
}: Pick<Receipt, 'transactionHash' | 'logs'>): Transfer[] {
  return logs
    .toSorted((a, b) => a.logIndex - b.logIndex)
    .flatMap((log) => decodeTransfer(log) ?? [])
    .map((transfer, ordinal) => ({ ...transfer, txHash: transactionHash, ordinal }))
}

/** A log as a transfer, or null where it is not one (a token of another standard, an event of the same name). */
function decodeTransfer(log: Pick<ChainLog, 'address' | 'topics' | 'data'>) {
  if (log.topics[0] !== transferTopic || log.topics.length !== 3 || log.data.length !== 66) return null
  try {
    const { args } = decodeEventLog({
      abi: erc20Abi,
      eventName: 'Transfer',
      data: log.data as `0x${string}`,
      topics: log.topics as [`0x${string}`, ...`0x${string}`[]],
    })
    return {
      token: log.address.toLowerCase(),
      from: args.from.toLowerCase(),
      to: args.to.toLowerCase(),
      amount: args.value,
    }
  } catch {
    return null // an indexed word that is no address
  }
}

/** What a transaction itself carried, or null where that is nothing or it made a contract. */
export function nativeTransferOf({ hash, from, to, value }: NativeTransfer): Transfer | null {
  return to && value > 0n ? { txHash: hash, ordinal: -1, token: null, from, to, amount: value } : null
}
