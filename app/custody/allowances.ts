import { RangeTooLarge } from '../chain/chain-errors.ts'
import { maxCalls } from '../chain/job-limits.ts'
import type { Chain } from '../chain/rpc.ts'
import { allowanceCall, numberOf, word } from '../chain/token-calls.ts'
import type { Watch } from '../ledger/job/watch.ts'

/** What an address may spend of a token of a wallet. `amount`: in base units. */
interface Allowance {
  token: string
  symbol: string
  decimals: number
  spender: string
  amount: string
}

/** How far the approvals of a wallet were read: the last block of each token, and each 'token spender' that may spend. */
export interface Approvals {
  blocks: Record<string, number>
  pairs: string[]
  /** Whether the reading ended early, so that the next run continues. */
  behind: boolean
}

/** The event Approval(owner, spender, value). */
const approvalTopic = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
/** Blocks in a call of eth_getLogs, as in the scan of the ledger. */
const maxBlocks = 1_000
/** The database stores no more (private.are_allowances). */
const most = 50

/**
 * Reads what others may spend of a wallet at the block `at`: of each address that its approvals named since the first block of
 * the ledger, and of the payer. Continues after `before`, and stops at the time `until`: `allowances` is null before the end.
 * Throws if the endpoints refuse a call.
 */
export async function readAllowances(
  chain: Chain,
  { tokens, startBlock }: Pick<Watch, 'tokens' | 'startBlock'>,
  {
    wallet,
    payer,
    at,
    before,
    until,
  }: {
    wallet: string
    payer: string | null
    at: number
    before: Approvals | null
    until: number
  },
): Promise<{ approvals: Approvals; allowances: Allowance[] | null }> {
  const contracts = tokens.flatMap(({ address }) => address ?? [])
  const pairs = new Set(before?.pairs)
  let next = 1 + Math.min(at, ...contracts.map((token) => before?.blocks[token] ?? startBlock - 1))
  for (let width = maxBlocks; next <= at && chain.calls <= maxCalls && Date.now() < until; ) {
    const end = Math.min(at, next + width - 1)
    try {
      const topics = [approvalTopic, `0x${word(wallet)}`]
      // Anyone can make some tokens emit an approval of 0.
      for (const { address, topics: named, data } of await chain.logs(next, end, topics, contracts))
        if (named[2] && !/^0x0*$/.test(data)) pairs.add(`${address} 0x${named[2].slice(-40)}`)
      next = end + 1
      width = Math.min(maxBlocks, width * 2)
    } catch (error) {
      if (!(error instanceof RangeTooLarge) || end === next) throw error
      width = Math.ceil((end - next + 1) / 2)
    }
  }
  const blocks = Object.fromEntries(contracts.map((token) => [token, next - 1]))
  if (next <= at) return { approvals: { blocks, pairs: [...pairs], behind: true }, allowances: null }
  for (const { address, value } of tokens) if (payer && value === 'usd') pairs.add(`${address} ${payer}`)
  const allowances: Allowance[] = []
  for (const pair of [...pairs].sort()) {
    const [address = '', spender = ''] = pair.split(' ')
    const token = tokens.find((one) => one.address === address)
    if (!token) continue
    const { symbol, decimals } = token
    const amount = await numberOf(chain.call(address, allowanceCall(wallet, spender), at))
    if (amount === null) throw new Error(`the contract of ${symbol} does not say what others may spend of it`)
    if (amount !== '0') allowances.push({ token: address, symbol, decimals, spender, amount })
  }
  if (allowances.length > most) throw new Error(`more than ${most} addresses may spend of it`)
  const left = allowances.map(({ token, spender }) => `${token} ${spender}`)
  return { approvals: { blocks, pairs: left, behind: false }, allowances }
}
