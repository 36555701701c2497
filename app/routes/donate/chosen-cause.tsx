import { Trans } from '@lingui/react/macro'
import { findPool } from '~/impact-pools'
import { PageLink, useLanguage } from '~/locales/react'
import { Pictogram } from '~/ui/pictogram'
import { type Cause, titleOf } from './cause'

/** The cause of the gift with its picture. `what`: the label before the cause. */
export function ChosenCause({ cause, what }: { cause: Cause; what: string }) {
  const { to, goal } = cause
  const { i18n } = useLanguage()
  const pool = findPool(to)
  return (
    <div
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-block bg-panel p-3 sm:p-4"
      data-hue={pool?.slug}
    >
      {pool ? (
        <img src={pool.image} alt="" width="64" height="48" className="h-12 w-16 rounded-lg object-cover" />
      ) : (
        <span className="icon-block bg-raised">
          <Pictogram name={to === 'treasury' ? 'treasury' : goal ? 'dreams' : 'donated'} />
        </span>
      )}
      <p className="min-w-0 grow">
        <span className="block text-muted">{what}</span>
        <strong className="font-display text-xl">
          {goal ? <bdi lang="">{titleOf(cause, i18n)}</bdi> : titleOf(cause, i18n)}
        </strong>
      </p>
      <PageLink to={goal ? `/giveback/${goal.slug}` : '/donate'} className="link font-semibold">
        {goal ? (
          <Trans>See the goal</Trans>
        ) : (
          <Trans>
            Change<span className="sr-only"> the cause</span>
          </Trans>
        )}
      </PageLink>
    </div>
  )
}
