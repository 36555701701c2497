/**
 * Checks the row of /transparency/<row>, and requests its transaction from public endpoints of the chain. Loaded by
 * check-row-button.ts when its second button is pressed. The text below that button states that the endpoints see the
 * visitor's IP address.
 */
import { LogError } from '~/log/bytes.ts'
import { checkRow, type Facts, onPress } from './row-proof.ts'

/** keccak256('Transfer(address,address,uint256)'): the first topic of an ERC-20 transfer. */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

interface Receipt {
  status: string
  blockNumber: string
  from: string
  to: string | null
  logs: { address: string; topics: string[]; data: string }[]
}

/**
 * Compares the transfer on the chain with the entry: token or coin, wallets and amount. Returns the result in words,
 * even if the endpoint does not have the transaction. Throws a LogError if the transaction failed or the transfer
 * differs, and another error if the endpoint fails.
 */
async function checkChain(facts: Facts, endpoint: string): Promise<string> {
  const call = async (method: string) => {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [facts.tx_hash] }),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(15_000),
    })
    const body = (await response.json()) as { result: Receipt & { value: string } }
    return body.result
  }
  const receipt = await call('eth_getTransactionReceipt')
  const host = new URL(endpoint).host
  if (!receipt) return `${host} doesn't know this transaction.`
  if (receipt.status !== '0x1') throw new LogError(`According to ${host}, the transaction failed.`)
  const word = (address: string) => `0x${address.slice(2).padStart(64, '0')}`
  const amount = BigInt(facts.token_amount ?? 0)
  const isSame = facts.token_address
    ? receipt.logs.some(
        ({ address, topics, data }) =>
          address.toLowerCase() === facts.token_address &&
          topics.join('') === transferTopic + word(facts.from_address) + word(facts.to_address) &&
          BigInt(data) === amount,
      )
    : (receipt.from + receipt.to).toLowerCase() === facts.from_address + facts.to_address &&
      BigInt((await call('eth_getTransactionByHash')).value) === amount
  if (!isSame) throw new LogError(`According to ${host}, the transaction doesn't contain this transfer.`)
  return `According to ${host}, the transaction contains this transfer, in block ${Number(receipt.blockNumber)}.`
}

onPress('chain', async (data) => {
  const [facts, found] = await checkRow(data)
  const urls = data.endpoints?.split(' ') ?? []
  const check = async (url: string) => {
    try {
      return await checkChain(facts, url)
    } catch (error) {
      if (error instanceof LogError) throw error
      return `${new URL(url).host} didn't respond.`
    }
  }
  return [found, ...(await Promise.all(urls.map(check)))].join(' ')
})
