import { integerColumn } from '../server/columns.server.ts'
import type { Config } from '../server/env.server.ts'
import type { LedgerReport } from './ledger-report.ts'
import type { Service } from './ledger-store.server.ts'
import type { Watch } from './watch.ts'

/**
 * Stores the configuration of payments, ends the orders whose time is over, and divides the tax of the month
 * before if a standing order says so. Orders are in tokens that are
 * worth a dollar each, so that their limit is one in dollars.
 */
export async function keepOrders(
  service: Service,
  { chainId, accounts, tokens }: Pick<Watch, 'chainId' | 'accounts' | 'tokens'>,
  { PAYMENT_NOTICE_HOURS, PAYMENT_LIMIT }: Pick<Config, 'PAYMENT_NOTICE_HOURS' | 'PAYMENT_LIMIT'>,
): Promise<LedgerReport> {
  const expired = await service.call('keep_orders', integerColumn, {
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
  return { ...(expired > 0 && { expired }), ...(allocated > 0 && { allocated }) }
}
