import { depositTopic, transferTopic, withdrawalTopic } from '../token-transfers.ts'

/**
 * Topic filters for eth_getLogs: one for the token transfers from `wallets` and what wrapped coins credit and debit
 * to them, and one for the transfers to `wallets` and to `recipients`. Without a wallet, returns no filter, because endpoints take an empty list to
 * mean any address.
 */
export function transferTopics(
  wallets: readonly string[],
  recipients: Iterable<string> = [],
): (string | string[] | null)[][] {
  const pad = (addresses: Iterable<string>) =>
    Array.from(addresses, (address) => `0x${address.slice(2).padStart(64, '0')}`)
  const [from, to] = [pad(wallets), pad([...wallets, ...recipients])]
  return [
    ...(from.length > 0 ? [[[transferTopic, depositTopic, withdrawalTopic], from]] : []),
    ...(to.length > 0 ? [[transferTopic, null, to]] : []),
  ]
}
