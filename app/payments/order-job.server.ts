import * as z from 'zod/mini'
import type { LedgerReport } from '../ledger/job/ledger-report.ts'
import type { Watch } from '../ledger/job/watch.ts'
import { integerColumn } from '../platform/server/columns.server.ts'
import type { Config } from '../platform/server/env.server.ts'
import type { Service } from '../platform/server/service.server.ts'

const kept = z.object({ ended: integerColumn, waiting: z.array(z.string()) })

/**
 * Stores the configuration of payments, ends the orders whose time is over, and divides the tax of the month
 * before if a standing order says so. Orders are in tokens that are worth a dollar each, so that their limit
 * is one in dollars. `tokens` are those that the run compared with their contracts: a token that differs has
 * no value, so it takes no order and no payment.
 */
export async function keepOrders(
  service: Service,
  { chainId, accounts, tokens }: Pick<Watch, 'chainId' | 'accounts' | 'tokens'>,
  { PAYMENT_NOTICE_HOURS, PAYMENT_LIMIT }: Pick<Config, 'PAYMENT_NOTICE_HOURS' | 'PAYMENT_LIMIT'>,
): Promise<LedgerReport> {
  const { ended, waiting } = await service.call('keep_orders', kept, {
    settings: {
      chain_id: chainId,
      notice_hours: PAYMENT_NOTICE_HOURS,
      limit_tokens: PAYMENT_LIMIT,
      wallets: Array.from(accounts, ([address, account]) => ({ account, address })),
      tokens: tokens.flatMap(({ symbol, address, decimals, value }) =>
        address && value === 'usd' ? [{ symbol, address, decimals }] : [],
      ),
    },
  })
  const allocated = await service.call('allocate_tax', integerColumn, { chain: chainId })
  return {
    ...(ended > 0 && { expired: ended }),
    ...(allocated > 0 && { allocated }),
    ...(waiting.length > 0 && {
      tokens: waiting.map((symbol) => `${symbol}: CHAIN_TOKENS changed: stop its open orders`),
    }),
  }
}
