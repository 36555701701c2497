import * as z from 'zod/mini'
import { addressOf } from '../chain/stored-transaction.server.ts'
import type { LedgerReport } from '../ledger/job/ledger-report.ts'
import type { Watch } from '../ledger/job/watch.ts'
import { integerColumn } from '../platform/server/columns.server.ts'
import type { Config } from '../platform/server/env.server.ts'
import type { Service } from '../platform/server/service.server.ts'

/**
 * Stores the configuration of payments; a change of it is an entry of the log. Orders are in tokens that are worth a
 * dollar each, so that their limit is one in dollars. `tokens` are those that the run compared with their
 * contracts: a token that differs has no value, so it takes no order and no payment.
 */
export async function storePaymentTerms(
  service: Service,
  { chainId, accounts, tokens }: Pick<Watch, 'chainId' | 'accounts' | 'tokens'>,
  {
    PAYER_KEY,
    PAYMENT_NOTICE_HOURS,
    PAYMENT_LIMIT,
  }: Pick<Config, 'PAYER_KEY' | 'PAYMENT_NOTICE_HOURS' | 'PAYMENT_LIMIT'>,
): Promise<LedgerReport> {
  const waiting = await service.call('store_payment_terms', z.array(z.string()), {
    terms: {
      chain_id: chainId,
      payer: PAYER_KEY ? addressOf(PAYER_KEY) : null,
      notice_hours: PAYMENT_NOTICE_HOURS,
      limit_tokens: PAYMENT_LIMIT,
      wallets: Array.from(accounts, ([address, account]) => ({ account, address })),
      tokens: tokens.flatMap(({ symbol, address, decimals, value }) =>
        address && value === 'usd' ? [{ symbol, address, decimals }] : [],
      ),
    },
  })
  return waiting.length > 0
    ? { tokens: waiting.map((symbol) => `${symbol}: CHAIN_TOKENS changed: stop its open orders`) }
    : {}
}

/**
 * Ends the orders whose time is over, and divides the tax of each month that a standing order has not divided yet.
 */
export async function moveOrders(service: Service, chainId: number): Promise<LedgerReport> {
  const ended = await service.call('end_orders', integerColumn, {})
  const allocated = await service.call('allocate_tax', integerColumn, { chain: chainId })
  return {
    ...(ended > 0 && { expired: ended }),
    ...(allocated > 0 && { allocated }),
  }
}
