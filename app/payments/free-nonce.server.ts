import * as z from 'zod/mini'
import type { Chain } from '../chain/rpc.ts'
import {
  addressOf,
  replacementPrice,
  sendStored,
  signTransaction,
} from '../chain/stored-transaction.server.ts'
import type { PayerReport } from '../ledger/job/ledger-report.ts'
import { integerColumn, unitsColumn } from '../platform/server/columns.server.ts'
import type { Service } from '../platform/server/service.server.ts'

const endedOrder = z.nullable(z.object({ id: integerColumn, gas_price: unitsColumn }))

/** What it needs of a run. */
interface Run {
  service: Service
  chain: Chain
  /** Undefined if the configuration has none any more. */
  key: `0x${string}` | undefined
  confirmations: number
  mostGasPrice: bigint
}

/**
 * Takes a nonce that a reorganisation deeper than the confirmations freed, because it removed the transaction of an order that
 * had failed or moved another amount. People may have paid such an order otherwise, so its bytes are not sent again: an empty
 * transaction of the payer to itself takes the nonce. It needs not be stored, because it moves nothing. Until it is final, no
 * transaction with a later nonce is made. Returns null if all nonces of the payer below `next` are used by final blocks, or
 * are not those of such orders.
 */
export async function takeFreeNonce(
  { service, chain, key, confirmations, mostGasPrice }: Run,
  payer: string,
  next: number,
): Promise<PayerReport | null> {
  const nonce = await chain.nonce(payer, Math.max(0, chain.head - confirmations + 1))
  if (nonce >= next) return null
  const ended = await service.call('ended_order', endedOrder, { chain: chain.id, payer, nonce })
  if (!ended) return null
  const removed = `order ${ended.id} ended without a payment, and a reorganisation removed its transaction`
  const fault = `${removed}: an empty one takes its nonce ${nonce}`
  if ((await chain.nonce(payer, chain.head)) > nonce) return { fault }
  if (!key || addressOf(key) !== payer)
    return { fault: `${removed}: only the PAYER_KEY of ${payer} can go on` }
  const { price, fault: why } = await replacementPrice(chain, ended, mostGasPrice)
  if (price === null) return { fault: `${removed}, and ${why}` }
  const empty = { chainId: chain.id, nonce, to: payer, data: '0x', gas: 21_000n, gasPrice: price } as const
  return { fault, ...(await sendStored(chain, (await signTransaction(key, empty)).raw)) }
}
