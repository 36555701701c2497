import { msg } from '@lingui/core/macro'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { listCausePayments } from '~/ledger/cause-payments.server'
import { divisionOf, flowOf } from '~/ledger/flow'
import { listPoolsWithTotals, readTotals } from '~/ledger/totals.server'
import { readStrip } from '~/payments/order-values.server'
import { readClock } from '~/platform/server/clock.server'
import { listSplits } from '~/votes/splits.server'

/** The number of payments on the receipt. */
const maxPayments = 3

export async function loader({ context }: LoaderFunctionArgs) {
  const {
    config,
    language: { i18n },
  } = context
  const data = context.publicData()
  const [totals, pools, payments, strip, splits] = await Promise.all([
    readTotals(data),
    listPoolsWithTotals(data),
    listCausePayments(data, maxPayments),
    readStrip(data.optional(), config),
    config.VOTING_OPEN ? listSplits(data.optional()) : null,
  ])
  return {
    totals,
    pools,
    payments,
    ...strip,
    split: splitOf(splits ?? [], readClock(config)),
    division: divisionOf(totals),
    causes: (flowOf(totals, pools)?.uses ?? []).filter(({ waiting }) => waiting !== undefined),
    token: config.TOKEN_ADDRESS,
    links: [
      { to: config.SOCIAL_URL, label: i18n._(msg`Follow us`) },
      { to: config.COMMUNITY_URL, label: i18n._(msg`Join the community`) },
      { to: config.CHART_URL, label: i18n._(msg`See the token chart`) },
    ].filter(({ to }) => to !== undefined),
  }
}

/** The split that token holders decided last; without one, the vote that is open. */
function splitOf(splits: NonNullable<Awaited<ReturnType<typeof listSplits>>>, now: number) {
  const found = splits.find((split) => split.shares) ?? splits.find(({ endsAt }) => endsAt.getTime() > now)
  if (!found) return null
  const { slug, shares, fromMonth, percent } = found
  return { to: `/giveback/${slug}/votes`, isDecided: shares !== null, fromMonth, percent }
}
