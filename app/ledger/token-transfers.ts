/** keccak256('Transfer(address,address,uint256)'): the first topic of an ERC-20 transfer. */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** keccak256('Deposit(address,uint256)'): the first topic of the event with which a wrapped coin credits a wallet. */
export const depositTopic = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c'
/** keccak256('Withdrawal(address,uint256)'): the event with which a wrapped coin debits a wallet. */
export const withdrawalTopic = '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65'
/**
 * The ordinal of the first credit or debit of a wrapped coin in a transaction. No block has so many event logs, so
 * these ordinals and those of token transfers never meet.
 */
export const firstWrap = 500_000
/** Ordinals from here on are those of coins that a contract moved within a transaction (coin-scan.ts). */
export const firstWithin = 900_000

/** A transfer of a token or of the chain's coin. `token`: the contract's address, null for the coin. */
export interface Transfer {
  txHash: string
  /** The index among the transaction's token transfers, whatever its block; -1 for the coin. */
  ordinal: number
  token: string | null
  from: string
  to: string
  amount: bigint
}

/** An event log. All hex values are in lower case. */
interface EventLog {
  address: string
  topics: string[]
  data: string
  logIndex: number
}

/** The ERC-20 transfers of a transaction, in order. Ignores other event logs. */
export function transfersOf({
  transactionHash,
  logs,
}: {
  transactionHash: string
  logs: EventLog[]
}): Transfer[] {
  return [...logs]
    .sort((a, b) => a.logIndex - b.logIndex)
    .flatMap((log) => decodeTransfer(log) ?? [])
    .map((transfer, ordinal) => ({ ...transfer, txHash: transactionHash, ordinal }))
}

/**
 * The ERC-20 transfer that an event log states; null for ERC-721 or another event with the same signature. An
 * address is the last 20 bytes of its topic.
 */
function decodeTransfer({ address, topics, data }: EventLog) {
  const [topic, from = '', to = ''] = topics
  const isTransfer = topic === transferTopic && topics.length === 3 && [from, to, data].every(isWord)
  return isTransfer
    ? { token: address, from: `0x${from.slice(26)}`, to: `0x${to.slice(26)}`, amount: BigInt(data) }
    : null
}

/**
 * What wrapped coins credit and debit in a transaction, as transfers from and to the token's contract. A wrapped coin
 * (WBNB) emits no transfer when it is made from the coin and when it becomes the coin again. A token that emits both
 * is counted once: by its transfer.
 */
export function wrapsOf({
  transactionHash,
  logs,
}: {
  transactionHash: string
  logs: EventLog[]
}): Transfer[] {
  const transfers = transfersOf({ transactionHash, logs })
  const isContract = (address: string, token: string | null) => address === token || /^0x0{40}$/.test(address)
  const isListed = ({ token, from, to, amount }: Transfer) =>
    transfers.some(
      (each) =>
        each.token === token &&
        each.amount === amount &&
        (from === token
          ? each.to === to && isContract(each.from, token)
          : each.from === from && isContract(each.to, token)),
    )
  return [...logs]
    .sort((a, b) => a.logIndex - b.logIndex)
    .flatMap((log) => decodeWrap(log) ?? [])
    .map((wrap, at) => ({ ...wrap, txHash: transactionHash, ordinal: firstWrap + at }))
    .filter((wrap) => !isListed(wrap))
}

function decodeWrap({ address: token, topics, data }: EventLog) {
  const [topic, word = ''] = topics
  if (topics.length !== 2 || !isWord(word) || !isWord(data)) return null
  const [wallet, amount] = [`0x${word.slice(26)}`, BigInt(data)]
  if (topic === depositTopic) return { token, from: token, to: wallet, amount }
  return topic === withdrawalTopic ? { token, from: wallet, to: token, amount } : null
}

const isWord = (text: string) => /^0x[0-9a-f]{64}$/.test(text)

/** The chain's coin that the transaction itself carried; null for none, or a created contract. */
export function nativeTransferOf({
  hash,
  from,
  to,
  value,
}: {
  hash: string
  from: string
  to: string | null
  value: bigint
}): Transfer | null {
  return to && value > 0n ? { txHash: hash, ordinal: -1, token: null, from, to, amount: value } : null
}

/** The facts of a row that must match its transfer. */
export interface TransferFacts {
  token_address: string | null
  /** The amount in base units. */
  token_amount: bigint | null
  from_address: string
  to_address: string
}

/** The names of the facts in which a row and its transfer differ. */
export function differencesOf(row: TransferFacts, moved: Transfer): string[] {
  return [
    row.from_address !== moved.from && 'sender',
    row.to_address !== moved.to && 'recipient',
    row.token_address !== moved.token && 'token',
    row.token_amount !== moved.amount && 'amount',
  ].filter((fact) => fact !== false)
}
