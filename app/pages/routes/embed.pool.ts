import { msg } from '@lingui/core/macro'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { amountWords } from '~/ledger/amount'
import { listCausePayments } from '~/ledger/cause-payments.server'
import { listPoolsWithTotals } from '~/ledger/totals.server'
import { framedPage } from '~/pages/embed.server'
import { key } from '~/platform/locales/key'
import type { PageHandle } from '~/platform/rendering/handle'
import { notFound } from '~/platform/server/outage.server'

export const handle: PageHandle = { cached: [], translated: true }

/** A pool for other sites' pages: what it was given and spent, and what it bought last. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const { i18n, formats } = context.language
  const data = context.publicData()
  const pool = (await listPoolsWithTotals(data)).find(({ slug }) => slug === params.pool)
  if (!pool) throw notFound()
  const [bought] = (await listCausePayments(data, 1, pool.slug)) ?? []
  const { totals } = pool
  const [given, spent] = totals ? [totals.totalUsd, totals.spentUsd].map(formats.roundDollars) : []
  const amount = bought && amountWords(bought, formats)
  const purpose = bought?.note
  return framedPage(context, {
    title: i18n._(key(pool.title)),
    path: `/voting/${pool.slug}`,
    donate: `/donate?to=${pool.slug}`,
    lines: [
      given && spent
        ? i18n._(msg`${given} given, ${spent} spent`)
        : i18n._(msg`We can't load the figures right now.`),
      ...(purpose && amount ? [i18n._(msg`Bought last: ${purpose}, ${amount}`)] : []),
    ],
  })
}
