import { msg, ph, plural } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { notChecked } from '~/ledger/filter'
import { ComparedAt, compareWallets, comparisonUrl } from '~/ledger/match-line'
import { leftOut } from '~/ledger/provenance'
import type { Reconciliation } from '~/ledger/reconciliations.server'
import { countedCount } from '~/ledger/totals'
import type { Totals } from '~/ledger/totals.server'
import type { Wallet } from '~/ledger/wallets'
import type { Language } from '~/platform/locales/language'
import { Gap, PageLink, useLanguage } from '~/platform/locales/react'
import type { Cents } from '~/platform/money'

/**
 * The verdict on the accounts: which part of the payments is counted, as a large ring; what is open; and whether
 * the wallets match the blockchain. Red only if money left a wallet and no row says so. A prop that can't be
 * read is null.
 */
export function Verdict({
  totals,
  uncheckedUsd,
  reconciliations,
  wallets: ours,
}: {
  totals: Totals | null
  uncheckedUsd: Cents | null
  reconciliations: Reconciliation[] | null
  wallets: Wallet[]
}) {
  const language = useLanguage()
  const { formats } = language
  const payments = checkPayments(totals, language)
  const wallets = compareWallets(reconciliations, ours, language)
  const isShort = wallets !== null && wallets.sign !== 'unread' && wallets.isShort
  return (
    <div className={`grid gap-2 ${isShort ? 'rounded-block bg-bad-wash p-4 sm:p-6' : ''}`}>
      <div className="flex items-center gap-4">
        {payments.percent !== undefined && <Ring percent={payments.percent} />}
        <p className="min-w-0 font-display text-xl font-semibold wrap-anywhere">{payments.words}</p>
      </div>
      {payments.reasons && (
        <p className="text-muted">
          {payments.reasons}
          {uncheckedUsd ? (
            <>
              <Gap />
              <Trans>
                Those with a dollar value add up to {ph({ amount: formats.roundDollars(uncheckedUsd) })}.
              </Trans>
            </>
          ) : null}
          <Gap />
          <PageLink to={`/transparency?status=${notChecked}#history`} className="link">
            <Trans>Show these payments</Trans>
          </PageLink>
        </p>
      )}
      {wallets && (
        <p className="text-muted">
          {wallets.sign === 'unread' ? (
            wallets.words
          ) : (
            <>
              <PageLink to={comparisonUrl} className={isShort ? 'link text-bad' : 'link'}>
                {wallets.words}
              </PageLink>
              <Gap />
              <ComparedAt at={wallets.at} />
            </>
          )}
        </p>
      )}
    </div>
  )
}

/** The number and the part of the counted payments, and why the other payments are not counted. */
function checkPayments(
  totals: Totals | null,
  { i18n, formats }: Language,
): {
  words: string
  /** Rounded down, so that 100 means all. */
  percent?: number
  reasons?: string
} {
  if (!totals) return { words: i18n._(msg`We can't load the number of counted payments right now.`) }
  const count = totals.transactionsCount
  const counted = countedCount(totals)
  if (count === 0) return { words: i18n._(msg`Nothing to check yet: no payment has been made.`) }
  const number = formats.count(counted)
  const words = i18n._(
    msg`${number} of ${plural(count, { one: '# payment', other: '# payments' })} verified and counted.`,
  )
  const percent = Math.floor((100 * counted) / count)
  if (counted === count) return { words, percent }
  return {
    words,
    percent,
    reasons: i18n._(msg`${{ reasons: formats.words(leftOut(totals, i18n), 'and') }}.`),
  }
}

/** The counted part of the payments. The sentence beside it says the same with the numbers. */
function Ring({ percent }: { percent: number }) {
  const { formats } = useLanguage()
  return (
    <span className="verdict-ring" aria-hidden="true">
      <svg viewBox="0 0 36 36" aria-hidden="true">
        <circle cx="18" cy="18" r="15.9" pathLength="100" className="text-hairline" />
        <circle
          cx="18"
          cy="18"
          r="15.9"
          pathLength="100"
          strokeDasharray={`${percent} 100`}
          transform="rotate(-90 18 18)"
          className="text-good"
        />
      </svg>
      <span className="font-display text-xl font-bold">{formats.percent(percent)}</span>
    </span>
  )
}
