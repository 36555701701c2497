/** JSON-RPC endpoints of a made-up chain: every 40th block has one transfer of a token to a wallet. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { transferTopic } from '../../app/ledger/token-transfers.ts'

export const chainId = 56
/** The number of blocks from one transfer to the next. */
export const every = 40
export const wallet = `0x${'2'.repeat(40)}`
export const token = `0x${'3'.repeat(40)}`

interface Settings {
  head: number
  /** Milliseconds before each response. */
  delay: number
}

const hex = (number: number) => `0x${number.toString(16)}`
const word = (digits: string, first = '') => `0x${first}${digits.padStart(64 - first.length, '0')}`
const blockHash = (number: number) => word(number.toString(16), 'b')
const numberOf = (hash: string) => Number.parseInt(hash.slice(3), 16)
const block = (number: number) => ({
  number: hex(number),
  hash: blockHash(number),
  timestamp: hex(1_700_000_000 + number),
  transactions: number % every ? [] : [word(number.toString(16), 'a')],
})
const log = (number: number) => ({
  address: token,
  topics: [transferTopic, word('1'.repeat(40)), word(wallet.slice(2))],
  data: word('f4240'),
  blockNumber: hex(number),
  blockHash: blockHash(number),
  transactionHash: word(number.toString(16), 'a'),
  transactionIndex: '0x0',
  logIndex: '0x0',
})
const receipt = (number: number) => ({
  transactionHash: word(number.toString(16), 'a'),
  blockNumber: hex(number),
  blockHash: blockHash(number),
  status: '0x1',
  from: `0x${'1'.repeat(40)}`,
  to: token,
  logs: [log(number)],
})

interface Filter {
  fromBlock: string
  toBlock: string
  topics: unknown[]
}

function answer({ head }: Settings, method: string, [first, second]: unknown[]): unknown {
  const number = () => (`${first}`.length > 20 ? numberOf(`${first}`) : Number(first))
  switch (method) {
    case 'eth_chainId':
      return hex(chainId)
    case 'eth_blockNumber':
      return hex(head)
    case 'eth_getBlockByNumber':
    case 'eth_getBlockByHash':
      return block(number())
    case 'eth_call': {
      const { data = '' } = first as { data?: string }
      // The decimals of the token. It has no other function than the balance of the wallet at a block.
      if (data.startsWith('0x313ce567')) return word('12')
      if (!data.startsWith('0x70a08231')) return '0x'
      return word((1_000_000 * Math.floor(Number(second) / every)).toString(16))
    }
    case 'eth_getTransactionReceipt':
      return receipt(number())
    case 'eth_getLogs': {
      const { fromBlock, toBlock, topics } = first as Filter
      // The first of the two filters is for transfers from the wallet, and the wallet sends nothing.
      if (topics[1]) return []
      const from = Math.ceil(Number(fromBlock) / every) * every
      const count = Math.max(0, Math.floor((Number(toBlock) - from) / every) + 1)
      return Array.from({ length: count }, (_, at) => log(from + at * every))
    }
  }
}

/** Starts an endpoint whose settings can change while it runs. */
export async function startEndpoint(settings: Settings): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const { id, method, params } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    if (settings.delay) await sleep(settings.delay)
    response
      .setHeader('Content-Type', 'application/json')
      .end(JSON.stringify({ jsonrpc: '2.0', id, result: answer(settings, method, params) }))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
