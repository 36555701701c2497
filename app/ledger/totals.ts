import { msg } from '@lingui/core/macro'
import type { ImpactPool } from '../platform/impact-pools'
import { key } from '../platform/locales/key'
import type { Language } from '../platform/locales/language'
import type { Cents } from '../platform/money'
import { brand } from '../platform/site'
import type { Totals } from './totals.server'

/** How each figure is computed: in words, the formulas of the views ledger_totals and pool_totals. */
export const formulas = [
  {
    name: msg`Treasury Balance`,
    text: msg`Everything that came into the treasury and the donation wallet, minus everything that went out. We value each payment on the day it moved. This is not what the wallets would sell for today. Money that we moved to a pool’s wallet is no longer included.`,
  },
  {
    name: msg`Total Donated`,
    text: msg`Given: every donation, to an impact pool or to another cause, and every gift that someone sent straight to a pool’s wallet. Of it, we count as spent what a pool paid for its cause, less what came back of it, and every donation that went straight to a recipient. Money that comes back is not a new gift, and an exchange is neither a gift nor spending. The rest is left in the pools, or they returned it to the treasury.`,
  },
  { name: msg`Dreams Funded`, text: msg`Every payment to a community goal.` },
  {
    name: msg`Given to a pool`,
    text: msg`The donations to the pool and the gifts that people sent straight to its wallet. All pools and other causes together make Total Donated.`,
  },
  {
    name: msg`Spent by a pool`,
    text: msg`What its wallet paid for its cause, less what came back from those whom it paid, and the donations that we sent straight to its partner: we count those as received and spent.`,
  },
  {
    name: msg`Left in a pool`,
    text: msg`Given minus spent, plus anything else that its wallet received, minus anything else that it paid.`,
  },
] as const

/**
 * True if the ledger has a row, or if its totals cannot be read. Before the first row, pages hide the tools
 * for rows.
 */
export function hasPayments(totals: Pick<Totals, 'transactionsCount'> | null): boolean {
  return totals === null || totals.transactionsCount > 0
}

/**
 * The number of 'counted' payments: verified on the blockchain and with a value in dollars. Exactly these are in
 * the sums. A payment is 'verified' by its status alone; no page calls a payment 'checked' in place of these two.
 */
export function countedCount({
  verifiedCount,
  unvaluedCount,
}: Pick<Totals, 'verifiedCount' | 'unvaluedCount'>): number {
  return verifiedCount - unvaluedCount
}

/**
 * 'Of which … is spent': the part of Total Donated that is spent. Null if the pools have or spent money that
 * was not donated, because the spent money may then include money that was not donated.
 */
export function spentOfGiven({ donatedUsd, spentUsd, waitingUsd }: Totals): Cents | null {
  return waitingUsd >= 0 && spentUsd + waitingUsd <= donatedUsd ? spentUsd : null
}

/** 'Brand: $1,200 given, $300 in the treasury': a short form of the totals for sharing. */
export function totalsTitle(
  { donatedUsd, treasuryUsd }: Pick<Totals, 'donatedUsd' | 'treasuryUsd'>,
  { i18n, formats }: Language,
): string {
  const donated = formats.roundDollars(donatedUsd)
  const treasury = formats.roundDollars(treasuryUsd)
  return i18n._(
    msg({
      message: `${brand}: ${donated} given, ${treasury} in the treasury`,
      comment: 'The text of a shared link',
    }),
  )
}

/** '1,240 students': how many people or animals a pool helps, in the pool's unit. */
export function helpingWords(
  count: number,
  { beneficiaries }: Pick<ImpactPool, 'beneficiaries'>,
  { i18n, formats }: Language,
): string {
  return i18n._(key(beneficiaries, { count: formats.count(count) }))
}
