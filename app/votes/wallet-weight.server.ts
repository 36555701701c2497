import { CallRefused, Unreachable } from '../chain/chain-errors.ts'
import { openChain } from '../chain/rpc.ts'
import { balanceOf } from '../ledger/job/reconciliation.ts'
import type { Config } from '../platform/server/env.server.ts'
import type { OpenedVote } from './votes.server.ts'

/** Timeout of the calls for one page, in milliseconds. */
const timeout = 3_000

/** Why a ballot of a wallet would not be counted. */
type Fault = 'contract' | 'excluded' | 'nothing' | 'light'

/**
 * What a wallet held at the block of a vote, in base units, as the job will read it. `fault`: why its ballot would not be
 * counted, or null. Null if no two endpoints say it in time.
 */
export async function readWalletWeight(
  { CHAIN_RPC_URLS: urls, CHAIN_ID: id }: Pick<Config, 'CHAIN_RPC_URLS' | 'CHAIN_ID'>,
  { token, blockNumber, excluded, leastWeight }: OpenedVote,
  address: string,
): Promise<{ weight: bigint; fault: Fault | null } | null> {
  const wallet = address.toLowerCase()
  try {
    const chain = await openChain(urls, id, AbortSignal.timeout(timeout))
    const of = { symbol: 'the token', address: token, decimals: 0, value: null }
    const [code, weight] = await Promise.all([
      chain.code(wallet, chain.head),
      balanceOf(chain, of, wallet, blockNumber),
    ])
    // A wallet whose code only names a contract that acts for it (EIP-7702) still has a key.
    if (!/^0x(ef0100.{40})?$/.test(code)) return { weight, fault: 'contract' }
    if (excluded.some((one) => one.address === wallet)) return { weight, fault: 'excluded' }
    return { weight, fault: weight === 0n ? 'nothing' : weight < leastWeight ? 'light' : null }
  } catch (error) {
    if (error instanceof Unreachable || error instanceof CallRefused) return null
    throw error
  }
}
