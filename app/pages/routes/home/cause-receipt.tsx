import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { amountWords } from '~/ledger/amount'
import type { CausePayment } from '~/ledger/cause-payments.server'
import { countedCount, hasPayments } from '~/ledger/totals'
import type { PoolWithTotals, Totals } from '~/ledger/totals.server'
import { shownUrl } from '~/ledger/update-picture'
import { findPool } from '~/platform/impact-pools'
import { key } from '~/platform/locales/key'
import { Gap, PageLink, useLanguage } from '~/platform/locales/react'
import { Icon } from '~/platform/ui/icon'
import { When } from '~/platform/ui/when'
import { EnglishWords, OriginalWords } from '~/platform/ui/words'

/**
 * Shows the newest verified payments to causes, and how many payments are verified. Says which part can't be read.
 * Before the first payment, shows a drawing in place of the receipt.
 */
export function CauseReceipt({
  payments,
  totals,
  pools,
  age,
}: {
  payments: CausePayment[] | null
  totals: Totals | null
  pools: PoolWithTotals[]
  /** The age of the figures. */
  age?: ReactNode
}) {
  return (
    <section id="receipt" className="receipt" aria-labelledby="latest">
      <div className="receipt-head">
        <h2 id="latest">
          <Trans>Latest payments to causes</Trans>
        </h2>
        {age}
      </div>
      {payments === null ? (
        <>
          <img
            src="/drawings/unavailable.svg"
            alt=""
            width="480"
            height="270"
            className="h-auto w-full max-lg:hidden"
          />
          <p className="receipt-gap">
            <Trans>
              <strong>We can't load the payments right now.</strong> Nothing is lost: every payment is on the
              blockchain.
            </Trans>
          </p>
        </>
      ) : (
        <ol>
          {payments.map((payment, at) => (
            <Line key={payment.id} payment={payment} pools={pools} isNewest={at === 0} />
          ))}
        </ol>
      )}
      {payments && <OriginalWords className="px-4 py-1 lg:px-6" />}
      {totals && (
        <p className="receipt-checked">
          <Icon name={totals.disputedCount ? 'alert' : 'check'} size={14} />{' '}
          <PageLink to="/transparency" className="receipt-verdict">
            <Counted totals={totals} />
          </PageLink>
        </p>
      )}
    </section>
  )
}

/** Whether the page shows a receipt: there are payments to causes, or the data can't be read. */
export function hasReceipt(payments: CausePayment[] | null, totals: Totals | null): boolean {
  return hasPayments(totals) && (payments === null || payments.length > 0)
}

function Line({
  payment,
  pools,
  isNewest,
}: {
  payment: CausePayment
  pools: PoolWithTotals[]
  isNewest: boolean
}) {
  const { t } = useLingui()
  const { i18n, formats } = useLanguage()
  const { id, isNamed, poolSlug, note, occurredAt } = payment
  const pool = pools.find(({ slug }) => slug === poolSlug)
  const cause = pool ? i18n._(key(pool.category)) : isNamed ? 'CZ Call' : t`Another cause`
  const amount = amountWords(payment, formats)
  const picture =
    pool?.totals?.pictured?.path ??
    findPool(poolSlug)?.image ??
    (isNamed ? '/drawings/cz-call.svg' : '/drawings/about.svg')
  return (
    <li data-key={id}>
      <img
        src={shownUrl(picture)}
        alt=""
        width="480"
        height="270"
        className={isNewest ? 'receipt-picture' : 'receipt-thumb'}
        loading={isNewest ? undefined : 'lazy'}
      />
      <p className="receipt-line">
        <PageLink to={`/transparency/${id}`} className="receipt-what" dir={note ? 'ltr' : undefined}>
          {note ? <EnglishWords>{note}</EnglishWords> : t`We don't say yet what this bought`}
          <span className="sr-only">
            <Trans>
              : {amount} for {cause}
            </Trans>
          </span>
        </PageLink>
        <strong className="receipt-amount">{amount ?? t`No dollar value yet`}</strong>
      </p>
      <p className="receipt-line text-sm text-muted">
        <span data-hue={poolSlug ?? 'other-causes'}>
          <span className="swatch hue-fill" />
          {isNamed ? <Trans>{cause}, named by CZ</Trans> : cause}
        </span>
        <span className="receipt-date">
          <Icon name="check" size={14} />
          <span className="sr-only">
            <Trans>Verified on chain,</Trans>
            <Gap />
          </span>
          <When date={occurredAt} day />
        </span>
      </p>
    </li>
  )
}

/** '215 of 221 payments verified and counted; 2 don't match'. */
function Counted({ totals }: { totals: Totals }) {
  const { formats } = useLanguage()
  const { transactionsCount: all, disputedCount } = totals
  const count = formats.count(countedCount(totals))
  return (
    <Trans>
      {count} of <Plural value={all} one="# payment" other="# payments" /> verified and counted
      <Plural value={disputedCount} _0="" one="; # doesn't match" other="; # don't match" />
    </Trans>
  )
}
