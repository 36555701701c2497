import { ph } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Follow, FollowSection, useFollows } from '~/follow/follow'
import { amountWords } from '~/ledger/amount'
import { ledgerFeeds } from '~/ledger/download-links'
import { filterSearch } from '~/ledger/filter'
import { GoalLink } from '~/ledger/goal-link'
import type { RowGoal } from '~/ledger/goal-names.server'
import type { Transaction } from '~/ledger/transactions.server'
import { findPool } from '~/platform/impact-pools'
import { key } from '~/platform/locales/key'
import { Gap, PageLink, useLanguage } from '~/platform/locales/react'
import type { Cents } from '~/platform/money'
import { brand } from '~/platform/site'
import { Share } from '~/platform/ui/share'
import { When } from '~/platform/ui/when'
import { EnglishWords } from '~/platform/ui/words'

/**
 * The newest payment of the gift's pool, and how to follow the pool. For a gift without a pool, only how to
 * follow a topic.
 */
export function AfterTheGift({
  pool: slug,
  topic,
  newestSpending,
  gift,
  spentSince,
  goal,
}: {
  pool: string | undefined
  topic: string
  newestSpending: Transaction | null
  gift: Pick<Transaction, 'occurredAt' | 'amountUsd' | 'tokens'> | null
  /** What the pool spent from the day of the gift on. */
  spentSince: Cents | null
  goal: RowGoal | null
}) {
  const { t } = useLingui()
  const { i18n, formats } = useLanguage()
  const follows = useFollows()
  const pool = findPool(slug)
  if (goal) return <AfterTheGiftToAGoal goal={goal} />
  if (!pool) return <FollowSection topic={topic} className="border-t border-hairline pt-8 lg:col-span-2" />
  const category = i18n._(key(pool.category))
  const title = i18n._(key(pool.title))
  const given = gift && amountWords(gift, formats)
  const since =
    gift && spentSince !== null
      ? {
          spent: formats.exactDollars(spentSince),
          search: filterSearch({ pool: pool.slug, from: gift.occurredAt.toISOString().slice(0, 10) }),
        }
      : null
  const spentThen = since?.spent
  const spent = (newestSpending && amountWords(newestSpending, formats)) ?? ''
  return (
    <section
      className="no-print grid items-center gap-x-10 gap-y-5 border-t border-hairline pt-8 sm:grid-cols-[1fr_1.2fr] lg:col-span-2"
      aria-labelledby="after"
    >
      <img
        src={pool.image}
        alt=""
        width="480"
        height="270"
        loading="lazy"
        className="pool-image rounded-block"
      />
      <div>
        <h2 id="after" className="text-heading">
          {newestSpending ? (
            <Trans>What {category} bought last</Trans>
          ) : (
            <Trans>What {category} buys next</Trans>
          )}
        </h2>
        {given && since && (
          <p className="figures mt-3 max-w-[65ch]" id="your-gift">
            <Trans>
              Your {given} is with {category}. From that day on, it spent{' '}
              <PageLink to={`/transparency${since.search}#history`} className="link">
                {spentThen}
              </PageLink>
              .
            </Trans>
          </p>
        )}
        {newestSpending && (
          <p className="mt-3 max-w-[65ch]">
            {newestSpending.note && (
              <strong className="block">
                <EnglishWords>{newestSpending.note}</EnglishWords>
              </strong>
            )}
            <Trans>
              {ph({ amount: spent })} on <When date={newestSpending.occurredAt} day />.
            </Trans>
            <Gap />
            <PageLink to={`/transparency/${newestSpending.id}`} className="link inline-block py-0.5">
              <Trans>See this payment</Trans>
            </PageLink>
          </p>
        )}
        <p className="mt-3 text-muted">
          {follows ? (
            <Trans>Follow this pool, and you see what it buys.</Trans>
          ) : (
            <Trans>Follow this pool in a feed reader, and you see what it buys.</Trans>
          )}
        </p>
        <Follow topic={pool.slug} />
        <p className="mt-4 flex flex-wrap gap-3">
          <PageLink to={ledgerFeeds(pool.title, { pool: pool.slug }).atom} className="button">
            {follows ? <Trans>Follow in a feed reader</Trans> : <Trans>Follow {category}</Trans>}
          </PageLink>
          <PageLink to={`/voting/${pool.slug}`} className="button">
            <Trans>Open the pool</Trans>
          </PageLink>
        </p>
        <Share title={t`I gave to ${title} on ${brand}`} url={`/voting/${pool.slug}`} />
      </div>
    </section>
  )
}

/** Links to the page of the goal, which says what the goal's money bought. */
function AfterTheGiftToAGoal({ goal }: { goal: RowGoal }) {
  const { t } = useLingui()
  return (
    <section className="no-print border-t border-hairline pt-8 lg:col-span-2" aria-labelledby="after">
      <h2 id="after" className="text-heading">
        <Trans>What your gift buys</Trans>
      </h2>
      <p className="mt-3 max-w-[65ch]">
        <Trans>
          The wallet belongs to a member. On the page of <GoalLink goal={goal} /> they tell what they buy, and
          report at the end.
        </Trans>
      </p>
      <Follow topic={goal.slug} name={t`this goal`} />
    </section>
  )
}
