import { Trans, useLingui } from '@lingui/react/macro'
import { ControlLine } from '~/custody/control-words'
import type { WalletControl } from '~/custody/controls.server'
import { leftOut } from '~/ledger/provenance'
import { SourceLink } from '~/ledger/source-link'
import { helpingWords } from '~/ledger/totals'
import type { PoolWithTotals } from '~/ledger/totals.server'
import type { Transaction } from '~/ledger/transactions.server'
import { key } from '~/platform/locales/key'
import { Gap, PageLink, useLanguage } from '~/platform/locales/react'
import { Icon } from '~/platform/ui/icon'
import { When } from '~/platform/ui/when'
import { EnglishWords } from '~/platform/ui/words'
import { PoolSums } from './pool-money'

/** The money given to a pool, in large type, and a plain sentence about the pool. */
export function Received({ pool: { totals } }: { pool: PoolWithTotals }) {
  const { i18n, formats } = useLanguage()
  const missing = totals ? leftOut(totals, i18n) : []
  const parts = formats.words(missing, 'and')
  return (
    <>
      <p>
        <span className="font-semibold">
          <Trans>Total Donated</Trans>
        </span>{' '}
        <span className="text-sm text-muted lg:block">
          {missing.length > 0 ? (
            <Trans>from the treasury and from gifts; left out: {parts}</Trans>
          ) : (
            <Trans>from the treasury and from gifts</Trans>
          )}
        </span>
      </p>
      {totals ? (
        <p className="figures font-display text-title font-bold">{formats.roundDollars(totals.totalUsd)}</p>
      ) : (
        <p className="text-lg text-muted">
          <Trans>Can't load</Trans>
        </p>
      )}
    </>
  )
}

/** The newest verified payment from a pool. */
export function BoughtLast({ payment }: { payment: Transaction }) {
  const { t } = useLingui()
  const { formats } = useLanguage()
  const { id, occurredAt, note, counterName, amountUsd } = payment
  const recipient = <EnglishWords>{counterName}</EnglishWords>
  const amount = amountUsd !== null && formats.exactDollars(amountUsd)
  const purpose = (
    <PageLink to={`/transparency/${id}`} className="link font-semibold">
      {note ? <EnglishWords>{note}</EnglishWords> : t`We don't say yet what this bought`}
    </PageLink>
  )
  return (
    <p className="mt-4 flex items-center gap-4 rounded-block bg-panel px-4 py-2 sm:py-3">
      <Icon name="receipt" size={28} />
      <span>
        <span className="block text-sm text-muted">
          <Trans>
            Bought last, <When date={occurredAt} day />
          </Trans>
        </span>
        {amount ? (
          <Trans comment="What a payment bought, and for how much">
            {purpose}, {amount}
          </Trans>
        ) : (
          purpose
        )}
        {counterName && (
          <span className="block text-sm text-muted">
            <Trans comment="Below what a payment bought: who sold it">from {recipient}</Trans>
          </span>
        )}
      </span>
    </p>
  )
}

/** The other figures of a pool, and its purpose. */
export function PoolStory({
  pool,
  keys,
}: {
  pool: PoolWithTotals
  keys: { control: WalletControl | undefined } | null
}) {
  const { t } = useLingui()
  const language = useLanguage()
  const { i18n } = language
  const { slug, totals } = pool
  return (
    <>
      <p className="mt-5" data-hue={slug}>
        <span className="badge badge-line">
          <span className="swatch hue-fill" />
          <span className="sr-only">
            <Trans>Category:</Trans>
            <Gap />
          </span>
          {i18n._(key(pool.category))}
        </span>
      </p>
      <dl className="facts">
        {keys && (
          <div>
            <dt>
              <Trans comment="The term before who can move the money of a pool's wallet">Keys</Trans>
            </dt>
            <dd>
              <ControlLine control={keys.control} />
            </dd>
          </div>
        )}
        <div>
          <dt>
            <Trans comment="The term before a number of people or animals">Helping</Trans>
          </dt>
          <dd>
            {helpingWords(totals?.helping?.count ?? 0, pool, language)}
            {totals?.helping && (
              <span className="block text-sm text-muted">
                <Trans comment="Below a number of people or animals: all whom the pool helps, by the report of that day">
                  all together, as of <When date={totals.helping.at} day />
                </Trans>
                <SourceLink url={totals.helping.source} />
              </span>
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
            <span className="block text-sm text-muted">
              <Trans>received</Trans>
            </span>
          </dd>
        </div>
      </dl>
      {pool.detailedDescription.map((paragraph) => (
        <p key={paragraph} className="mt-4 max-w-[65ch]">
          {i18n._(key(paragraph))}
        </p>
      ))}
      <p className="mt-4">
        <Trans>Unlimited capacity: it can always take more.</Trans>
      </p>
      <PoolSums pool={pool} />
    </>
  )
}
