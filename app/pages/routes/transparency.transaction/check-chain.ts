/**
 * Checks the row of /transparency/<row>, and requests its transaction from public endpoints of the
 * blockchain. check-row-button.ts loads this script when its second button is pressed. The text below that
 * button says that the endpoints see the visitor's IP address.
 */
import {
  differencesOf,
  firstWithin,
  nativeTransferOf,
  type Transfer,
  transfersOf,
  wrapsOf,
} from '~/ledger/token-transfers.ts'
import { LogError } from '~/log/bytes.ts'
import { gap, say } from '~/platform/locales/say.ts'
import { describeRow, onPress } from './check-result.ts'
import type { checkSentences } from './check-sentences'
import { checkRow, type Facts } from './row-proof.ts'

/** The sentence of `checkSentences` about the transfer of a row, and the block. Only 'inBlock' confirms the transfer. */
type Outcome = ['inBlock' | 'inBlockOnly', block: string] | ['notInBlock' | 'noResponse']

/**
 * Compares the transfer at the row's ordinal with the entry: token or coin, wallets and amount. Endpoints forget in which
 * block an old transaction is, so one that does not find it is asked for the block `at` (in hex), in which the site found it. If
 * the endpoint does not have the transaction, the result says so. Throws a LogError if the transaction failed or the
 * transfer differs. Throws another error if the endpoint fails or its response is malformed.
 */
async function checkChain(
  facts: Facts,
  endpoint: string,
  host: string,
  at: string | undefined,
): Promise<Outcome> {
  const receipt =
    (await call(endpoint, 'eth_getTransactionReceipt', facts.tx_hash)) ??
    (at && (await receiptIn(endpoint, at, facts.tx_hash)))
  if (!receipt) return ['notInBlock']
  if (receipt.status !== '0x1') throw new LogError('According to {host}, the transaction failed.', { host })
  const block = `${Number(textOf(receipt.blockNumber))}`
  // Public endpoints do not show the coins that a contract moved within a transaction, so there is nothing to compare.
  if (facts.ordinal >= firstWithin) return ['inBlockOnly', block]
  const moved =
    facts.ordinal < 0
      ? await readNative(facts, endpoint, receipt)
      : tokenTransfers(receipt).find(({ ordinal }) => ordinal === facts.ordinal)
  const row = { ...facts, token_amount: facts.token_amount === null ? null : BigInt(facts.token_amount) }
  if (!moved || differencesOf(row, moved).length > 0)
    throw new LogError("According to {host}, the transaction doesn't contain this transfer.", { host })
  return ['inBlock', block]
}

async function receiptIn(endpoint: string, block: string, hash: string): Promise<Json | undefined> {
  const all = await call<Json[]>(endpoint, 'eth_getBlockReceipts', block)
  return all?.find((each) => textOf(each.transactionHash) === hash)
}

async function readNative(facts: Facts, endpoint: string, receipt: Json): Promise<Transfer | null> {
  const { blockNumber, transactionIndex } = receipt
  // By its place: for its hash, an endpoint that has forgotten the block of an old transaction responds with null.
  const place = [textOf(blockNumber), textOf(transactionIndex)]
  const found = (await call(endpoint, 'eth_getTransactionByBlockNumberAndIndex', ...place)) as Json
  const to = found.to ? textOf(found.to) : null
  return nativeTransferOf({
    hash: facts.tx_hash,
    from: textOf(found.from),
    to,
    value: BigInt(textOf(found.value)),
  })
}

function tokenTransfers(receipt: Json): Transfer[] {
  const logs = (receipt.logs as Json[]).map((log) => ({
    address: textOf(log.address),
    topics: Array.from(log.topics as unknown[], textOf),
    data: textOf(log.data),
    logIndex: Number(textOf(log.logIndex)),
  }))
  const transactionHash = textOf(receipt.transactionHash)
  return [...transfersOf({ transactionHash, logs }), ...wrapsOf({ transactionHash, logs })]
}

type Json = Record<string, unknown>

/** Throws a TypeError if the value is no text: the response is malformed. */
const textOf = (value: unknown): string => (value as string).toLowerCase()

/** The result of a call, or null if the endpoint has no result. Throws if the call failed. */
async function call<Result = Json>(
  endpoint: string,
  method: string,
  ...params: string[]
): Promise<Result | null> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.timeout(15_000),
  })
  const { result } = (await response.json()) as { result?: unknown }
  if (typeof result !== 'object') throw new Error(method)
  return result as Result | null
}

onPress('chain', async (data) => {
  const row = await checkRow(data)
  const urls = data.endpoints?.split(' ') ?? []
  const ask = async (url: string) => {
    const { host } = new URL(url)
    const [found, block = ''] = await checkChain(row.facts, url, host, data.block).catch((error): Outcome => {
      if (error instanceof LogError) throw error
      return ['noResponse']
    })
    return { text: say<typeof checkSentences>(found, { host, block }), isConfirmed: found === 'inBlock' }
  }
  const answers = await Promise.all(urls.map(ask))
  const isConfirmed = answers.some((answer) => answer.isConfirmed)
  const unchecked = say<typeof checkSentences>(isConfirmed ? 'correctionUnchecked' : 'paymentUnchecked')
  const words = [describeRow(row), ...answers.map(({ text }) => text), unchecked]
  return [words.join(gap()), row.isSigned && isConfirmed]
})
