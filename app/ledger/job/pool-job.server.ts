import * as z from 'zod/mini'
import { impactPools } from '../../platform/impact-pools.ts'
import type { Service } from '../../platform/server/service.server.ts'
import type { LedgerReport } from './ledger-report.ts'

/** Keeps the accounts of the database as the table of pools is, and reports pools that could not be closed. */
export async function keepPools(service: Service): Promise<LedgerReport> {
  const slugs = impactPools.map(({ slug }) => slug)
  const kept = await service.call('keep_pools', z.array(z.string()), { slugs })
  if (kept.length === 0) return {}
  return {
    pools: kept.map(
      (slug) =>
        `impact-pools.ts lacks ${slug}, which is in an open vote or has an unpaid order: it stays open`,
    ),
  }
}
