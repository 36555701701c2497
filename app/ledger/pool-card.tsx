import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { key } from '../platform/locales/key'
import { PageLink, useLanguage } from '../platform/locales/react'
import { DonateButton } from '../platform/ui/donate-button'
import { Pictogram } from '../platform/ui/pictogram'
import { When } from '../platform/ui/when'
import { EnglishWords, useLangOfEnglish } from '../platform/ui/words'
import type { CausePayment } from './cause-payments.server'
import { leftOut } from './provenance'
import { SourceLink } from './source-link'
import { helpingWords } from './totals'
import type { PoolWithTotals } from './totals.server'
import { shownUrl } from './update-picture'

/**
 * A pool in the list: its newest picture with the sentence of this update, the money, what it bought last and,
 * smaller, its facts. The title leads to the pool's page. 'View Details' does too; a script shows the first
 * section of that page as a modal.
 */
export function PoolCard({ pool, bought }: { pool: PoolWithTotals; bought: CausePayment[] | null }) {
  const { i18n } = useLanguage()
  const title = i18n._(key(pool.title))
  const pictured = pool.totals?.pictured
  return (
    <li id={pool.slug} className="pool-card" data-hue={pool.slug}>
      <img
        src={shownUrl(pictured?.path ?? pool.image)}
        alt={pictured?.alt ?? ''}
        lang={useLangOfEnglish()}
        width={pictured?.width ?? 480}
        height={pictured?.height ?? 270}
        loading="lazy"
        className="pool-image"
      />
      <div className="pool-card-lead">
        <h3>
          <PageLink to={`/voting/${pool.slug}`} className="cover">
            {title}
          </PageLink>
        </h3>
        <p className="pool-card-news">
          {pictured?.text ? <EnglishWords>{pictured.text}</EnglishWords> : i18n._(key(pool.description))}
        </p>
      </div>
      <Money pool={pool} />
      {bought && bought.length > 0 ? <Bought payments={bought} /> : <span />}
      <div className="pool-card-ways">
        <DonateButton to={pool.slug} plain>
          <Trans>
            Donate<span className="sr-only"> to {title}</span>
          </Trans>
        </DonateButton>
        <PageLink to={`/voting/${pool.slug}`} className="button px-3" data-dialog="">
          <Trans>
            View Details<span className="sr-only"> of {title}</span>
          </Trans>
        </PageLink>
      </div>
      <Facts pool={pool} isDescribed={!pictured?.text} />
    </li>
  )
}

/** The total donated and, as a bar, the part of it that is spent. */
function Money({ pool: { slug, totals } }: { pool: PoolWithTotals }) {
  const { t } = useLingui()
  const { i18n, formats } = useLanguage()
  const missing = totals ? leftOut(totals, i18n) : []
  const parts = formats.words(missing, 'and')
  const spent = totals && formats.roundDollars(totals.spentUsd)
  const held = totals && totals.spentUsd + totals.leftUsd
  return (
    <div className="figures pool-card-money">
      {totals && held !== null && held > 0 && totals.leftUsd >= 0 && (
        <progress
          className="progress progress-left"
          value={totals.spentUsd}
          max={held}
          data-hue={slug}
          aria-label={t`Spent`}
        />
      )}
      <dl>
        <dt>
          <Trans>Total Donated</Trans>
        </dt>
        <dd className="flex flex-wrap items-baseline justify-between gap-x-4">
          {totals ? (
            <>
              <span className="font-display text-2xl font-bold">{formats.roundDollars(totals.totalUsd)}</span>{' '}
              {totals.spentUsd > 0 && (
                <Trans comment="After the sum that a pool received: how much of it the pool spent">
                  {spent} spent
                </Trans>
              )}
            </>
          ) : (
            <span className="text-lg text-muted">{t`Can't load`}</span>
          )}
        </dd>
        {missing.length > 0 && (
          <dd className="text-sm text-muted">
            <Trans>left out: {parts}</Trans>
          </dd>
        )}
      </dl>
    </div>
  )
}

/** How many purchases a card lists. */
const mostBought = 3

/** The last payments of a pool whose purpose is known, one a line, and how many of `payments` have none. */
function Bought({ payments }: { payments: CausePayment[] }) {
  const { t } = useLingui()
  const { formats } = useLanguage()
  const known = payments.filter(({ note }) => note)
  const unknown = payments.length - known.length
  return (
    <ul className="pool-card-bought figures" aria-label={t`Bought last`}>
      {known.slice(0, mostBought).map(({ id, note, amountUsd, tokens }) => (
        <li key={id} data-key={id}>
          <PageLink to={`/transparency/${id}`} className="link">
            <EnglishWords>{note}</EnglishWords>
          </PageLink>{' '}
          <span>
            {amountUsd === null ? tokens && formats.tokens(tokens) : formats.roundDollars(amountUsd)}
          </span>
        </li>
      ))}
      {unknown > 0 && (
        <li className="text-muted">
          <Plural value={unknown} one="# without a purpose yet" other="# without a purpose yet" />
        </li>
      )}
    </ul>
  )
}

/**
 * A pool's category, its description, how many people or animals it helps, and its last donation: folded once
 * the card has a picture with its sentence.
 */
function Facts({ pool, isDescribed }: { pool: PoolWithTotals; isDescribed: boolean }) {
  const { t } = useLingui()
  const language = useLanguage()
  const { i18n, formats } = language
  const { totals } = pool
  const helping = totals?.helping
  const month = helping && formats.month(helping.at)
  const title = i18n._(key(pool.title))
  return (
    <details className="pool-card-facts" open={isDescribed}>
      <summary className="link w-fit py-1">
        <Trans comment="The facts of a pool; its name is for screen readers">
          Facts<span className="sr-only"> about {title}</span>
        </Trans>
      </summary>
      <p>
        <span className="badge badge-line">
          <Pictogram name={pool.icon} />
          {i18n._(key(pool.category))}
        </span>{' '}
        <Trans>Unlimited capacity</Trans>
      </p>
      {!isDescribed && <p className="mt-2">{i18n._(key(pool.description))}</p>}
      <dl>
        <div>
          <dt>
            <Trans comment="The term before a number of people or animals">Helping</Trans>
          </dt>
          <dd>
            {helpingWords(helping?.count ?? 0, pool, language)},{' '}
            {helping ? (
              <>
                <Trans comment="After a number of people or animals: the month of the report">
                  as of {month}
                </Trans>
                <SourceLink url={helping.source} />
              </>
            ) : (
              <Trans>no report yet</Trans>
            )}
          </dd>
        </div>
        <div>
          <dt>
            <Trans>Last donation</Trans>
          </dt>
          <dd>
            {totals === null ? (
              t`Can't load`
            ) : totals.lastDonationAt ? (
              <When date={totals.lastDonationAt} day />
            ) : (
              '-'
            )}
          </dd>
        </div>
      </dl>
    </details>
  )
}
