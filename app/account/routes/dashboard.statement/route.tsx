import { msg, plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { Link, useLoaderData } from '@remix-run/react'
import { readStatement } from '~/account/statement.server'
import { amountWords } from '~/ledger/amount'
import { Hash } from '~/ledger/hash'
import { statusWords } from '~/ledger/statuses'
import type { StatedGift } from '~/ledger/transactions.server'
import { ListUnavailable } from '~/ledger/unavailable'
import { withPoint } from '~/platform/locales/formats'
import { key } from '~/platform/locales/key'
import { useLanguage } from '~/platform/locales/react'
import { privateMeta } from '~/platform/rendering/seo'
import { brand } from '~/platform/site'
import { PageHead } from '~/platform/ui/page-head'
import { type Column, Table } from '~/platform/ui/table'
import { When } from '~/platform/ui/when'
import { EnglishWords } from '~/platform/ui/words'

export const meta: MetaFunction = privateMeta(msg`Statement of a year`)

export async function loader({ request, context }: LoaderFunctionArgs) {
  const statement = await readStatement(request, context)
  return data(statement, statement.gifts ? 200 : 503)
}

const columns: Column<StatedGift>[] = [
  { name: msg`Day`, className: 'figures', cell: ({ occurredAt }) => <When date={occurredAt} day /> },
  { name: msg`Amount in tokens`, className: 'figures', cell: (gift) => <Amount gift={gift} /> },
  { name: msg`Rate`, cell: (gift) => <Rate gift={gift} /> },
  { name: msg`Value in US dollars`, className: 'figures', cell: (gift) => <Dollars gift={gift} /> },
  { name: msg`Transaction`, cell: ({ txHash }) => <Hash value={txHash} kind="tx" /> },
]

export default function Statement() {
  const { t, i18n } = useLingui()
  const { formats } = useLanguage()
  const { year, years, gifts, isWhole, countedCount, sumUsd } = useLoaderData<typeof loader>()
  const shown = `${year}`
  const sum = formats.exactDollars(sumUsd)
  const count = i18n._(msg`${plural(countedCount, { one: '# verified gift', other: '# verified gifts' })}`)
  return (
    <div className="column py-section">
      <PageHead
        back={{ to: '/dashboard', label: t`Dashboard` }}
        title={<Trans>Your gifts of {shown}</Trans>}
      />
      {!gifts ? (
        <ListUnavailable />
      ) : (
        <>
          {isWhole ? (
            <p className="figures mt-4 font-display text-heading font-bold" id="sum">
              <Trans comment="The sum of the gifts of a year, and how many it counts">
                {sum}, {count}
              </Trans>
            </p>
          ) : (
            <p className="notice">
              <Trans>These are more gifts than a statement holds. The ledger has them all.</Trans>
            </p>
          )}
          <p className="mt-2 max-w-[65ch] text-muted">
            <Trans>
              From the wallets that you proved, as the public ledger has them; days in UTC. It is not a tax
              receipt: {brand} issues none.
            </Trans>
          </p>
          {gifts.length > 0 && <Table columns={columns} rows={gifts} keyOf={({ id }) => id} />}
          <p className="no-print mt-6 flex flex-wrap gap-x-6">
            {gifts.length > 0 && (
              <a href={`/dashboard/statement.csv?year=${year}`} className="link py-1" download>
                CSV
              </a>
            )}
            {[years.earlier, years.later].map(
              (other) =>
                other && (
                  <Link key={other} to={`/dashboard/statement?year=${other}`} className="link py-1">
                    {other}
                  </Link>
                ),
            )}
          </p>
        </>
      )}
    </div>
  )
}

function Amount({ gift: { tokens } }: { gift: StatedGift }) {
  const { formats } = useLanguage()
  return <bdi>{tokens && formats.tokens(tokens, Number.POSITIVE_INFINITY)}</bdi>
}

function Rate({ gift: { rateUsd, rateSource } }: { gift: StatedGift }) {
  const { formats } = useLanguage()
  return (
    <>
      {rateUsd && <bdi>${withPoint(rateUsd, formats)}</bdi>}{' '}
      <span className="text-sm text-muted">
        <EnglishWords>{rateSource}</EnglishWords>
      </span>
    </>
  )
}

/** The value of a gift. A gift that the sum does not count says why. */
function Dollars({ gift }: { gift: StatedGift }) {
  const { t } = useLingui()
  const { i18n, formats } = useLanguage()
  const { status, amountUsd } = gift
  const words = amountUsd === null ? t`No dollar value yet` : amountWords({ ...gift, tokens: null }, formats)
  return (
    <>
      {words}
      {status !== 'verified' && (
        <span className="block text-sm text-muted">{i18n._(key(statusWords[status]))}</span>
      )}
    </>
  )
}
