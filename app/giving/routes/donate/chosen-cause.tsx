import { Trans } from '@lingui/react/macro'
import { PoolLink } from '~/ledger/pool-link'
import { findPool } from '~/platform/impact-pools'
import { PageLink, useLanguage } from '~/platform/locales/react'
import { Pictogram } from '~/platform/ui/pictogram'
import { type Cause, titleOf } from './cause'

/** The cause of the gift with its picture. `what`: the label before the cause. */
export function ChosenCause({ cause, what }: { cause: Cause; what: string }) {
  const { to, goal } = cause
  const { i18n } = useLanguage()
  const pool = findPool(to)
  return (
    <div
      className="grid grid-cols-[4rem_minmax(0,1fr)] items-center gap-x-4 gap-y-1 rounded-block bg-panel p-3 sm:p-4 @min-[26rem]/column:grid-cols-[4rem_minmax(0,1fr)_auto] @max-[16rem]/column:block"
      data-hue={pool?.slug}
    >
      {pool ? (
        <img src={pool.image} alt="" width="64" height="48" className="h-12 w-16 rounded-lg object-cover" />
      ) : (
        <span className="icon-block h-12 w-16 rounded-lg bg-raised">
          <Pictogram name={to === 'treasury' ? 'treasury' : goal ? 'dreams' : 'donated'} />
        </span>
      )}
      <p>
        <span className="block text-muted">{what}</span>
        <strong className="font-display text-xl">
          {goal ? (
            <PageLink to={`/giveback/${goal.slug}`} className="link">
              <bdi lang="">{titleOf(cause, i18n)}</bdi>
            </PageLink>
          ) : (
            <PoolLink slug={to} name={titleOf(cause, i18n)} />
          )}
        </strong>
      </p>
      <PageLink
        to={goal ? '/giveback' : '/donate'}
        className="link justify-self-start font-semibold @max-[26rem]/column:col-start-2"
      >
        <Trans>
          Change<span className="sr-only"> the cause</span>
        </Trans>
      </PageLink>
    </div>
  )
}
