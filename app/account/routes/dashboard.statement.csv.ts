import { msg } from '@lingui/core/macro'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { readStatement } from '~/account/statement.server'
import { csvLine } from '~/platform/downloads/csv'
import { asFile } from '~/platform/downloads/rows.server'
import { staticPage } from '~/platform/edge/error-page.server'
import { toDecimal } from '~/platform/money'
import { unlessOutage } from '~/platform/server/outage.server'
import { brand, wordOf } from '~/platform/site'
import { formatTokens } from '~/platform/tokens'

const columns = [
  'day',
  'amount',
  'token',
  'rate_usd',
  'rate_source',
  'amount_usd',
  'status',
  'cause',
  'tx_hash',
]

/** The gifts of a year as CSV. A gift without a dollar value has an empty field. */
export function loader({ request, context }: LoaderFunctionArgs) {
  const unavailable = () =>
    staticPage(
      context,
      503,
      msg`We can't load your data`,
      msg`We couldn't load all your data, so there is no file. Nothing changed. Please try again in a moment.`,
    )
  return unlessOutage(async () => {
    const { year, gifts, isWhole } = await readStatement(request, context)
    if (!gifts || !isWhole) return unavailable()
    const lines = gifts.map(
      ({ occurredAt, tokens, rateUsd, rateSource, amountUsd, status, toAccount, txHash }) =>
        csvLine([
          occurredAt.toISOString().slice(0, 10),
          tokens && formatTokens({ ...tokens, symbol: '' }, { places: 18, count: String }).trim(),
          tokens?.symbol ?? null,
          rateUsd,
          rateSource ?? null,
          amountUsd === null ? null : toDecimal(amountUsd),
          status,
          toAccount,
          txHash,
        ]),
    )
    return new Response(csvLine(columns) + lines.join(''), {
      headers: asFile(`${wordOf(brand)}-gifts-${year}`, {
        mediaType: 'text/csv; charset=utf-8',
        extension: 'csv',
      }),
    })
  }, unavailable)
}
