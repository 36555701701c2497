import { leftOut } from '~/ledger/provenance'
import { SourceLink } from '~/ledger/source-link'
import { helpingWords } from '~/ledger/totals'
import type { PoolWithTotals } from '~/ledger/totals.server'
import type { Transaction } from '~/ledger/transactions.server'
import { listWords } from '~/list'
import { formatDollars, formatExactDollars } from '~/money'
import { Icon } from '~/ui/icon'
import { When } from '~/ui/when'

/** What a pool received, in large type, with its plain words. */
export function Received({ pool: { totals } }: { pool: PoolWithTotals }) {
  const missing = totals ? leftOut(totals) : []
  return (
    <>
      <p className="font-semibold">Total Donated</p>
      {totals ? (
        <p className="figures font-display text-title font-bold">{formatDollars(totals.totalUsd)}</p>
      ) : (
        <p className="text-lg text-muted">Can't load</p>
      )}
      <p className="text-sm text-muted">
        paid into this pool
        {missing.length > 0 && `; left out: ${listWords(missing, 'and')}`}
      </p>
    </>
  )
}

/** The newest verified payment out of a pool. */
export function BoughtLast({ payment }: { payment: Transaction }) {
  const { id, occurredAt, note, counterName, amountUsd } = payment
  return (
    <p className="mt-4 flex items-center gap-4 rounded-block bg-panel px-4 py-3">
      <Icon name="receipt" size={28} />
      <span>
        <span className="block text-sm text-muted">
          Bought last, <When date={occurredAt} day />
        </span>
        <a href={`/transparency/${id}`} className="link font-semibold">
          {note ?? 'Purpose not published yet'}
        </a>
        {amountUsd !== null && `, ${formatExactDollars(amountUsd)}`}
        {counterName && <span className="block text-sm text-muted">from {counterName}</span>}
      </span>
    </p>
  )
}

/** The other figures of a pool, and what it is for. */
export function PoolStory({ pool }: { pool: PoolWithTotals }) {
  const { slug, totals, beneficiaries } = pool
  return (
    <>
      <dl className="facts">
        <div>
          <dt>Category</dt>
          <dd data-hue={slug}>
            <span className="badge badge-line">
              <span className="swatch hue-fill" />
              {pool.category}
            </span>
          </dd>
        </div>
        <div>
          <dt>Helping</dt>
          <dd>
            {totals?.helping ? helpingWords(totals.helping.count, pool) : beneficiaries}
            {totals?.helping && (
              <span className="block text-sm text-muted">
                as of <When date={totals.helping.at} day />
                <SourceLink url={totals.helping.source} />
              </span>
            )}
          </dd>
        </div>
        <div>
          <dt>Last donation</dt>
          <dd>
            {totals === null ? (
              "Can't load"
            ) : totals.lastDonationAt ? (
              <When date={totals.lastDonationAt} day />
            ) : (
              '-'
            )}
            <span className="block text-sm text-muted">money that came in</span>
          </dd>
        </div>
        <div>
          <dt>Unlimited capacity</dt>
          <dd>It can always take more.</dd>
        </div>
      </dl>
      {pool.detailedDescription.map((paragraph) => (
        <p key={paragraph} className="mt-4 max-w-[65ch]">
          {paragraph}
        </p>
      ))}
    </>
  )
}
