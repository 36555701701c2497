import type { AppLoadContext } from '@remix-run/cloudflare'
import { listGiftsOfYear, maxStated } from '~/ledger/transactions.server'
import { listProvenWallets } from '~/members/auth/proven-wallets.server'
import { requireViewer } from '~/members/auth/viewer.server'
import { readProfile } from '~/members/profile/profile.server'
import { readOrderClock } from '~/payments/orders.server'
import { notFound } from '~/platform/server/outage.server'

const firstYear = 2020

/**
 * The gifts of a member's proven wallets in the year of the query, by default this one. `gifts` is null if they cannot be
 * read. `sumUsd` sums the verified gifts with a value.
 */
export async function readStatement(request: Request, context: AppLoadContext) {
  const { searchParams } = new URL(request.url)
  const typed = searchParams.get('year')
  const viewer = await requireViewer(
    context,
    `/dashboard/statement${typed ? `?year=${encodeURIComponent(typed)}` : ''}`,
  )
  const thisYear = new Date(readOrderClock(context.config)).getUTCFullYear()
  const year = typed === null ? thisYear : /^\d{4}$/.test(typed) ? Number(typed) : 0
  if (year < firstYear || year > thisYear) throw notFound()
  const data = context.data()
  const [profile, proven] = await Promise.all([
    readProfile(data, viewer.id),
    listProvenWallets({ site: context.config, data, memberId: viewer.id }),
  ])
  const owned = [...(proven ?? []).map(({ address }) => address), profile?.provenWallet ?? []].flat()
  const found =
    proven === null ? null : owned.length > 0 ? await listGiftsOfYear(context.publicData(), owned, year) : []
  const gifts = found?.slice(0, maxStated) ?? null
  const counted = gifts?.filter(({ status, amountUsd }) => status === 'verified' && amountUsd !== null) ?? []
  return {
    year,
    years: { earlier: year > firstYear ? year - 1 : null, later: year < thisYear ? year + 1 : null },
    gifts,
    isWhole: (found?.length ?? 0) <= maxStated,
    countedCount: counted.length,
    sumUsd: counted.reduce((sum, { amountUsd }) => sum + (amountUsd ?? 0), 0),
  }
}
