import { padHex } from 'viem'
import { transferTopic } from '../ledger/token-transfers.ts'

/** Topic filters of eth_getLogs: one for the token transfers from `wallets`, one for those to them. */
export function transferTopics(wallets: readonly string[]): (string | string[] | null)[][] {
  const padded = wallets.map((wallet) => padHex(wallet as `0x${string}`, { size: 32 }))
  return [
    [transferTopic, padded],
    [transferTopic, null, padded],
  ]
}
