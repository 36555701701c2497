import { decodeEventLog, erc20Abi, padHex, toEventSelector } from 'viem'
import type { ChainLog, NativeTransfer, Receipt } from './rpc.ts'

const transferTopic = toEventSelector('Transfer(address,address,uint256)')

/** A transfer of a token or of the native coin. `token` is the contract's address, null for the native coin. */
export interface Transfer {
  txHash: string
  /**
   * Index among the token transfers of its transaction, which does not depend on the block that contains the
   * transaction; -1 for the native coin.
   */
  ordinal: number
  token: string | null
  from: string
  to: string
  amount: bigint
}

/** Topic filters of eth_getLogs: one for the token transfers from `wallets`, one for those to them. */
export function transferTopics(wallets: readonly string[]): (string | string[] | null)[][] {
  const padded = wallets.map((wallet) => padHex(wallet as `0x${string}`, { size: 32 }))
  return [
    [transferTopic, padded],
    [transferTopic, null, padded],
  ]
}

/** The ERC-20 transfers of a transaction, in their order. Other event logs are ignored. */
export function transfersOf({
  transactionHash,
  logs,
}: Pick<Receipt, 'transactionHash' | 'logs'>): Transfer[] {
  return logs
    .toSorted((a, b) => a.logIndex - b.logIndex)
    .flatMap((log) => decodeTransfer(log) ?? [])
    .map((transfer, ordinal) => ({ ...transfer, txHash: transactionHash, ordinal }))
}

/** An event log as an ERC-20 transfer, or null (ERC-721, or another event with the same signature). */
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
    return null // An indexed word is not an address.
  }
}

/** The native coin that a transaction itself carried, or null if it carried none or created a contract. */
export function nativeTransferOf({ hash, from, to, value }: NativeTransfer): Transfer | null {
  return to && value > 0n ? { txHash: hash, ordinal: -1, token: null, from, to, amount: value } : null
}
