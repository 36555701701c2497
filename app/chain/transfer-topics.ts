import { transferTopic } from '../ledger/token-transfers.ts'

/** Topic filters of eth_getLogs: one for the token transfers from `wallets`, one for those to them. */
export function transferTopics(wallets: readonly string[]): (string | string[] | null)[][] {
  const padded = wallets.map((wallet) => `0x${wallet.slice(2).padStart(64, '0')}`)
  return [
    [transferTopic, padded],
    [transferTopic, null, padded],
  ]
}
