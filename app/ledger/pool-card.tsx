import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { key } from '../locales/key'
import { PageLink, useLanguage } from '../locales/react'
import { DonateButton } from '../ui/donate-button'
import { Pictogram } from '../ui/pictogram'
import { When } from '../ui/when'
import { useLangOfEnglish } from '../ui/words'
import { leftOut } from './provenance'
import { SourceLink } from './source-link'
import { helpingWords } from './totals'
import type { PoolWithTotals } from './totals.server'

/**
 * A pool in the list. 'View Details' links to the pool's page; a script shows the first section of that page
 * as a modal.
 */
export function PoolCard({ pool }: { pool: PoolWithTotals }) {
  const { i18n } = useLanguage()
  const title = i18n._(key(pool.title))
  return (
    <li id={pool.slug} className="pool-card">
      <img
        src={pool.totals?.pictured?.path ?? pool.image}
        alt={pool.totals?.pictured?.alt ?? ''}
        lang={useLangOfEnglish()}
        width={pool.totals?.pictured?.width ?? 480}
        height={pool.totals?.pictured?.height ?? 270}
        loading="lazy"
        className="pool-image"
      />
      <div className="px-5 pt-5 sm:px-6">
        <div className="flex items-start justify-between gap-3 @max-[16rem]/column:flex-wrap">
          <h3 className="text-2xl">
            <PageLink to={`/voting/${pool.slug}`} className="link">
              {title}
            </PageLink>
          </h3>
          <span className="icon-block">
            <Pictogram name={pool.icon} />
          </span>
        </div>
        <p className="mt-3">
          <span className="badge badge-line" data-hue={pool.slug}>
            <span className="swatch hue-fill" />
            {i18n._(key(pool.category))}
          </span>
        </p>
        <p className="mt-3 text-muted">{i18n._(key(pool.description))}</p>
      </div>
      <div className="flex flex-col px-5 pb-5 sm:px-6 sm:pb-6">
        <PoolFigures pool={pool} />
        <div className="pool-card-ways">
          <PageLink to={`/voting/${pool.slug}`} className="button px-3" data-dialog="">
            <Trans>
              View Details<span className="sr-only"> of {title}</span>
            </Trans>
          </PageLink>
          <DonateButton to={pool.slug} plain>
            <Trans>
              Donate<span className="sr-only"> to {title}</span>
            </Trans>
          </DonateButton>
        </div>
      </div>
    </li>
  )
}

/** A pool's figures: the total donated, how many people or animals the pool helps, and the last donation. */
function PoolFigures({ pool }: { pool: PoolWithTotals }) {
  const { totals } = pool
  const { t } = useLingui()
  const language = useLanguage()
  const { formats } = language
  const helping = totals?.helping
  const { totalUsd, lastDonationAt } = totals ?? {}
  const missing = totals ? leftOut(totals, language.i18n) : []
  const parts = formats.words(missing, 'and')
  const cannotLoad = t`Can't load`
  return (
    <dl className="figures mt-5 mb-6 border-t-2 border-ink">
      <Figure
        label={t`Total Donated`}
        note={t`from the treasury and from gifts`}
        below={missing.length > 0 && <Trans>left out: {parts}</Trans>}
      >
        <span className="font-display text-2xl font-bold">
          {totalUsd === undefined ? (
            <span className="text-lg text-muted">{cannotLoad}</span>
          ) : (
            formats.dollars(totalUsd)
          )}
        </span>
      </Figure>
      <Figure label={t`Unlimited capacity`}>∞</Figure>
      <Figure
        label={t`Helping`}
        below={
          helping ? (
            <>
              <Trans>
                as of <When date={helping.at} day />
              </Trans>
              <SourceLink url={helping.source} />
            </>
          ) : (
            <Trans>no report yet</Trans>
          )
        }
      >
        {helpingWords(helping?.count ?? 0, pool, language)}
      </Figure>
      <Figure label={t`Last donation`} note={t`received`}>
        {totals === null ? (
          <span className="text-muted">{cannotLoad}</span>
        ) : lastDonationAt ? (
          <When date={lastDonationAt} day />
        ) : (
          '-'
        )}
      </Figure>
    </dl>
  )
}

/**
 * A figure beside its label. `below` is a note on its own line: the note would be too narrow beside the
 * figure.
 */
function Figure({
  label,
  note,
  below,
  children,
}: {
  label: string
  note?: string
  below?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 border-b border-hairline py-2.5">
      <dt className="basis-1/3 grow">
        <span className="text-muted">{label}</span>
        {note && <span className="block text-sm text-muted">{note}</span>}
      </dt>
      <dd className="ms-auto min-w-0 text-end wrap-break-word">{children}</dd>
      {below && <dd className="w-full text-end text-sm text-muted">{below}</dd>}
    </div>
  )
}
