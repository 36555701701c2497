import { demoVariables } from './demo-ledger.ts'
import { demoPayerKey } from './demo-orders.ts'
import { blockInterval, chainId, firstBlockAt, hashOfBlock } from './demo-rows.ts'
import { balanceIn, demoSupply } from './demo-votes.ts'

/** Variables of a site with a demonstration. Its blockchain has two endpoints, as each weight needs. */
export function variablesOfDemo(backendUrl: string) {
  return {
    ...demoVariables,
    CHAIN_RPC_URLS: `${backendUrl}/demo-chain/1 ${backendUrl}/demo-chain/2`,
    CHAIN_START_BLOCK: '0',
    PAYER_KEY: demoPayerKey,
  }
}

const { TOKEN_ADDRESS: token } = demoVariables
const ours = Object.entries(demoVariables)
  .filter(([name]) => name.endsWith('_WALLET'))
  .map(([, wallet]) => wallet)
const hex = (number: number | bigint) => `0x${number.toString(16)}`
const word = (number: bigint) => `0x${number.toString(16).padStart(64, '0')}`

/**
 * Answers a JSON-RPC call to an endpoint of the made-up blockchain: its blocks, and what each wallet holds of the made-up
 * token. Null for any other request.
 */
export async function answerDemoChain(request: Request): Promise<Response | null> {
  if (!/^\/demo-chain\/[12]$/.test(new URL(request.url).pathname)) return null
  const { id, method, params } = (await request.json()) as { id: unknown; method: string; params: unknown[] }
  const result = answerTo(method, params)
  const error = { code: -32601, message: 'the made-up blockchain does not serve this' }
  return Response.json({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) })
}

function answerTo(method: string, [first]: unknown[]): unknown {
  const newest = Math.floor((Date.now() - firstBlockAt) / blockInterval)
  switch (method) {
    case 'eth_chainId':
      return hex(chainId)
    case 'eth_blockNumber':
      return hex(newest)
    case 'eth_getBlockByNumber':
      return blockOf(String(first).startsWith('0x') ? Number(first) : newest, newest)
    case 'eth_getLogs':
      return []
    case 'eth_getTransactionReceipt':
      return null
    case 'eth_getBalance':
      return '0x0'
    case 'eth_getCode':
      return '0x'
    case 'eth_call':
      return callOf((first as { data: string }).data)
  }
}

function blockOf(number: number, newest: number) {
  if (number > newest) return null
  const timestamp = Math.floor((firstBlockAt + number * blockInterval) / 1000)
  return { number: hex(number), hash: hashOfBlock(number), timestamp: hex(timestamp) }
}

/** The answer of the token's contract. */
function callOf(data: string): string | undefined {
  // The selectors of totalSupply(), decimals() and balanceOf(address).
  if (data.startsWith('0x18160ddd')) return word(demoSupply)
  if (data.startsWith('0x313ce567')) return word(18n)
  if (data.startsWith('0x70a08231')) return word(balanceIn(`0x${data.slice(-40)}`, token, ours))
}
