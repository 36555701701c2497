import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { PoolPage } from '~/goals/pools.server'
import { PageLink, useLanguage } from '~/platform/locales/react'
import { EnglishWords } from '~/platform/ui/words'

/** A page of the member's FundMe pools, each with its status and progress. */
export function PoolList({ list: { pools, page, hasNext } }: { list: PoolPage }) {
  const { t } = useLingui()
  if (pools.length === 0 && page === 1)
    return <EmptyPools to="/giveback" aria-describedby="creating-closed" />
  return (
    <>
      <p id="details-closed" className="mt-3 text-sm text-muted">
        <Trans>View Details will work once FundMe opens.</Trans>
      </p>
      <ul className="mt-4">
        {pools.map((pool) => (
          <li key={pool.id} className="grid gap-3 border-t border-hairline py-5">
            <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
              <h3 className="min-w-0 text-xl wrap-anywhere" dir="auto" lang="">
                {pool.title}
              </h3>
              <StatusBadge status={pool.status} />
            </div>
            {pool.description && (
              <p className="max-w-[65ch] text-muted wrap-anywhere" dir="auto" lang="">
                {pool.description}
              </p>
            )}
            <Progress current={pool.currentAmount} goal={pool.goalAmount} />
            <div>
              {/* Not `disabled`: the keyboard must reach the button and its reason. */}
              <button type="button" className="button" aria-disabled="true" aria-describedby="details-closed">
                <Trans>View Details</Trans>
              </button>
            </div>
          </li>
        ))}
      </ul>
      {(page > 1 || hasNext) && (
        <nav
          aria-label={t`Pages of pools`}
          className="mt-6 flex flex-wrap gap-3 border-t border-hairline pt-5"
        >
          {page > 1 && (
            <a href={`/dashboard?page=${page - 1}#pools-title`} className="button">
              <Trans>Newer</Trans>
            </a>
          )}
          {hasNext && (
            <a href={`/dashboard?page=${page + 1}#pools-title`} className="button">
              <Trans>Older</Trans>
            </a>
          )}
        </nav>
      )}
    </>
  )
}

/** A link to create the first pool, for a member without pools. */
export function EmptyPools(link: { to: string; 'aria-describedby'?: string }) {
  return (
    <div className="grid justify-items-center gap-4 py-8 text-center">
      <img src="/drawings/empty-pools.svg" alt="" width="240" height="120" />
      <p>
        <Trans>You haven't created any FundMe pools yet.</Trans>
      </p>
      <PageLink className="button" {...link}>
        <Trans>Create Your First Pool</Trans>
      </PageLink>
    </div>
  )
}

const tones: Record<string, string> = {
  active: 'bg-good-wash text-good',
  completed: 'bg-done-wash text-done',
}

/** The translated statuses. The database also allows other words. */
const statusWords: Record<string, MessageDescriptor> = {
  active: msg({ message: 'active', context: 'pool' }),
  voting: msg({ message: 'voting', context: 'pool', comment: 'The status of a pool: token holders vote' }),
  completed: msg({ message: 'completed', context: 'pool' }),
}

/** Green for active, blue for completed, grey for anything else (spec §4). */
function StatusBadge({ status }: { status: string }) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const tone = Object.hasOwn(tones, status) ? tones[status] : 'bg-plain-wash text-muted'
  const words = Object.hasOwn(statusWords, status) ? statusWords[status] : undefined
  return (
    <span className={`badge ${tone}`}>
      {words ? i18n._(words) : status ? <EnglishWords>{status}</EnglishWords> : t`unknown`}
    </span>
  )
}

export function Progress({ current, goal }: { current: number; goal: number | null }) {
  const { t } = useLingui()
  const { formats } = useLanguage()
  const amounts = `${formats.roundDollars(current)} / ${goal === null ? '∞' : formats.roundDollars(goal)}`
  return (
    <div className="grid gap-1.5">
      <p className="figures flex flex-wrap justify-between gap-x-4">
        <span className="text-muted">
          <Trans>Progress</Trans>
        </span>
        <bdi dir="ltr" className="font-semibold">
          {amounts}
        </bdi>
      </p>
      {goal !== null && goal > 0 && (
        <progress
          className="progress"
          max={goal}
          value={Math.min(Math.max(current, 0), goal)}
          aria-label={t`Progress`}
        >
          {amounts}
        </progress>
      )}
    </div>
  )
}
