import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@remix-run/react'
import { PoolLink } from '~/ledger/pool-link'
import { maxGifts } from '~/ledger/transactions'
import type { Transaction } from '~/ledger/transactions.server'
import { TransactionsTable } from '~/ledger/transactions-table'
import type { Wallet } from '~/ledger/wallets'
import { useLanguage } from '~/platform/locales/react'
import { When } from '~/platform/ui/when'
import { EnglishWords, useLangOfEnglish } from '~/platform/ui/words'
import type { listNews } from './news.server'

type News = Awaited<ReturnType<typeof listNews>>

/**
 * A member's donations (at least one): the sum of the verified donations, the newest update of each pool that
 * received one, and the rows. A list of `maxGifts` donations may be incomplete, so it has no sum. `wallets`
 * are the project's wallets.
 */
export default function DonationList({
  donations,
  news,
  wallets,
}: {
  donations: Transaction[]
  news: News
  wallets: Wallet[]
}) {
  const { t } = useLingui()
  return (
    <>
      <p className="figures mt-4 font-display text-title leading-tight">
        <Summary donations={donations} />
      </p>
      <NewsList news={news} />
      <p className="mt-4">
        <Link
          to={`/dashboard/statement?year=${donations[0]?.occurredAt.getUTCFullYear()}`}
          className="link py-1"
        >
          <Trans>Statement of a year</Trans>
        </Link>
      </p>
      <TransactionsTable
        transactions={donations}
        wallets={wallets}
        caption={t`Your donations, newest first, dates in UTC`}
      />
    </>
  )
}

/** What the pools that a member gave to did last, and what they spent since the member's gifts. */
function NewsList({ news }: { news: News }) {
  const lang = useLangOfEnglish()
  const { formats } = useLanguage()
  if (news.length === 0) return null
  return (
    <>
      <h3 className="mt-8 text-xl">
        <Trans>The newest from the pools that you gave to</Trans>
      </h3>
      <ul className="mt-4 grid gap-x-8 gap-y-8 md:grid-cols-[repeat(auto-fit,minmax(17rem,1fr))]">
        {news.map(({ slug, update, gift }) => {
          const [given, spent] = [gift?.usd ?? 0, gift?.spentUsd ?? 0].map((usd) => formats.exactDollars(usd))
          return (
            <li key={slug}>
              {update && (
                <>
                  <img
                    src={update.picture.path}
                    alt={update.picture.alt}
                    lang={lang}
                    loading="lazy"
                    className="pool-image max-h-80 rounded-block bg-panel"
                  />
                  <p dir="ltr" className="mt-3 line-clamp-4 max-w-[65ch] wrap-anywhere">
                    <EnglishWords>{update.text}</EnglishWords>
                  </p>
                </>
              )}
              <p className="mt-1 text-sm text-muted">
                <PoolLink slug={slug} />
                {update && (
                  <>
                    {' '}
                    · <When date={update.publishedAt} day />
                  </>
                )}
              </p>
              {gift && (
                <p className="figures mt-1">
                  <Trans comment="What a member gave to a pool, and what the pool spent from that day on">
                    You gave it {given}. Since <When date={gift.since} day />, it spent {spent}.
                  </Trans>
                </p>
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}

function Summary({ donations }: { donations: Transaction[] }) {
  const { formats } = useLanguage()
  const count = donations.length
  if (count === maxGifts) return <Trans>Your {maxGifts} newest donations</Trans>
  const verified = donations.filter(({ status }) => status === 'verified')
  const sum = formats.roundDollars(verified.reduce((total, { amountUsd }) => total + (amountUsd ?? 0), 0))
  return (
    <Trans>
      <Plural value={count} one="# donation" other="# donations" /> · {sum} verified
    </Trans>
  )
}
