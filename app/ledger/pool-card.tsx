import type { ReactNode } from 'react'
import { listWords } from '../list'
import { useLanguage } from '../locales/react'
import { formatDollars } from '../money'
import { DonateButton } from '../ui/donate-button'
import { Pictogram } from '../ui/pictogram'
import { When } from '../ui/when'
import { leftOut } from './provenance'
import { SourceLink } from './source-link'
import { helpingWords } from './totals'
import type { PoolWithTotals } from './totals.server'

/** A pool on the list. 'View Details' links to the pool's page; a script shows that page's first section as a modal. */
export function PoolCard({ pool }: { pool: PoolWithTotals }) {
  return (
    <li id={pool.slug} className="pool-card">
      <img
        src={pool.totals?.pictured?.path ?? pool.image}
        alt={pool.totals?.pictured?.alt ?? ''}
        width={pool.totals?.pictured?.width ?? 480}
        height={pool.totals?.pictured?.height ?? 270}
        loading="lazy"
        className="pool-image"
      />
      <div className="px-5 pt-5 sm:px-6">
        <div className="flex items-start justify-between gap-3 @max-[16rem]/column:flex-wrap">
          <h3 className="text-2xl">{pool.title}</h3>
          <span className="icon-block">
            <Pictogram name={pool.icon} />
          </span>
        </div>
        <p className="mt-3">
          <span className="badge badge-line" data-hue={pool.slug}>
            <span className="swatch hue-fill" />
            {pool.category}
          </span>
        </p>
        <p className="mt-3 text-muted">{pool.description}</p>
      </div>
      <div className="flex flex-col px-5 pb-5 sm:px-6 sm:pb-6">
        <PoolFigures pool={pool} />
        <div className="mt-auto grid grid-cols-[1.2fr_1fr] gap-3">
          <a href={`/voting/${pool.slug}`} className="button px-3" data-dialog="">
            View Details<span className="sr-only"> of {pool.title}</span>
          </a>
          <DonateButton to={pool.slug}>
            Donate<span className="sr-only"> to {pool.title}</span>
          </DonateButton>
        </div>
      </div>
    </li>
  )
}

/** The figures of a pool: total donated, whom it helps, last donation. */
function PoolFigures({ pool }: { pool: PoolWithTotals }) {
  const { totals } = pool
  const language = useLanguage()
  const helping = totals?.helping
  const { totalUsd, lastDonationAt } = totals ?? {}
  const missing = totals ? leftOut(totals, language.i18n) : []
  return (
    <dl className="figures mt-5 mb-6 border-t-2 border-ink">
      <Figure label="Total Donated" note="given to this pool">
        <span className="font-display text-2xl font-bold">
          {totalUsd === undefined ? (
            <span className="text-lg text-muted">Can't load</span>
          ) : (
            formatDollars(totalUsd)
          )}
        </span>
        {missing.length > 0 && (
          <span className="block text-sm text-muted">left out: {listWords(missing, 'and')}</span>
        )}
      </Figure>
      <Figure label="Unlimited capacity">
        <span className="text-sm text-muted">It can always take more.</span>
      </Figure>
      <Figure label="Helping">
        {helping ? (
          <>
            {helpingWords(helping.count, pool, language)}
            <span className="block text-sm text-muted">
              as of <When date={helping.at} day />
              <SourceLink url={helping.source} />
            </span>
          </>
        ) : (
          <>
            {helpingWords(0, pool, language)}
            <span className="block text-sm text-muted">no report yet</span>
          </>
        )}
      </Figure>
      <Figure label="Last donation" note="money that came in">
        {totals === null ? (
          <span className="text-muted">Can't load</span>
        ) : lastDonationAt ? (
          <When date={lastDonationAt} day />
        ) : (
          '-'
        )}
      </Figure>
    </dl>
  )
}

function Figure({ label, note, children }: { label: string; note?: string; children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-x-4 border-b border-hairline py-2.5 @max-[16rem]/column:flex-wrap">
      <dt className="basis-2/5 grow">
        <span className="text-muted">{label}</span>
        {note && <span className="block text-sm text-muted">{note}</span>}
      </dt>
      <dd className="ml-auto max-w-3/5 min-w-0 text-right wrap-break-word @max-[16rem]/column:max-w-full">
        {children}
      </dd>
    </div>
  )
}
