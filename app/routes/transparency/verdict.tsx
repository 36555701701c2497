import { msg, ph, plural } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { notChecked } from '~/ledger/filter'
import { ComparedAt, compareWallets, comparisonUrl } from '~/ledger/match-line'
import { leftOut } from '~/ledger/provenance'
import type { Reconciliation } from '~/ledger/reconciliations.server'
import { countedCount } from '~/ledger/totals'
import type { Totals } from '~/ledger/totals.server'
import type { Wallet } from '~/ledger/wallets'
import type { Language } from '~/locales/language'
import { Gap, PageLink, useLanguage } from '~/locales/react'
import type { Cents } from '~/money'

type Sign = 'match' | 'differ' | 'unknown'

/**
 * The verdict on the accounts: how many payments are counted, what the others are worth, and
 * whether the wallets match the blockchain. Red if a payment or a wallet differs. Green if none differs, even
 * if payments still await a check. Without a colour if something can't be read or compared. A prop that can't
 * be read is null.
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
  const sign = worst([payments.sign, wallets?.sign])
  return (
    <div className={`grid gap-2 rounded-block p-4 sm:p-6 ${looks[sign].wash}`}>
      <div className="flex items-center gap-4">
        <Shield sign={sign} />
        <p className="min-w-0 font-display text-xl font-semibold wrap-anywhere">{payments.words}</p>
      </div>
      {payments.reasons && (
        <p>
          <span className={payments.sign === 'differ' ? 'text-bad' : undefined}>{payments.reasons}</span>
          {uncheckedUsd ? (
            <>
              <Gap />
              <Trans>
                Those with a dollar value add up to {ph({ amount: formats.exactDollars(uncheckedUsd) })}.
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
        <p>
          {wallets.sign === 'unread' ? (
            wallets.words
          ) : (
            <>
              <PageLink to={comparisonUrl} className={wallets.sign === 'differ' ? 'link text-bad' : 'link'}>
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

/** The number of counted payments, and why the other payments are not counted. */
function checkPayments(
  totals: Totals | null,
  { i18n, formats }: Language,
): {
  sign?: Sign | 'unread'
  words: string
  reasons?: string
} {
  if (!totals)
    return { sign: 'unread', words: i18n._(msg`We can't load the number of counted payments right now.`) }
  const { transactionsCount: count, disputedCount } = totals
  const counted = countedCount(totals)
  if (count === 0) return { words: i18n._(msg`Nothing to check yet: no payment has been made.`) }
  const number = formats.count(counted)
  const words = i18n._(
    msg`${number} of ${plural(count, { one: '# payment', other: '# payments' })} verified and counted.`,
  )
  if (counted === count) return { sign: 'match', words }
  return {
    sign: disputedCount > 0 ? 'differ' : 'match',
    words,
    reasons: i18n._(msg`${{ reasons: formats.words(leftOut(totals, i18n), 'and') }}.`),
  }
}

/** The worst sign: 'differ', then 'unknown'. A part that has nothing to check has no sign. */
function worst(signs: (Sign | 'unread' | undefined)[]): Sign {
  if (signs.includes('differ')) return 'differ'
  const known = signs.filter((sign) => sign !== undefined)
  return known.length > 0 && known.every((sign) => sign === 'match') ? 'match' : 'unknown'
}

const looks: Record<Sign, { wash: string; tone: string; mark: string }> = {
  match: { wash: 'bg-good-wash', tone: 'text-good', mark: 'M7 13.5l3.7 3.7L17.5 10' },
  differ: { wash: 'bg-bad-wash', tone: 'text-bad', mark: 'M12 7v8M12 19.5v.1' },
  unknown: { wash: 'bg-panel', tone: 'text-muted', mark: 'M7.5 13.5h9' },
}

/** A shield that contains the sign. */
function Shield({ sign }: { sign: Sign }) {
  const { tone, mark } = looks[sign]
  return (
    <svg viewBox="0 0 24 28" width="42" height="49" className={`shrink-0 ${tone}`} aria-hidden="true">
      <path d="M12 0l12 4v9c0 7-5 12.5-12 15C5 25.5 0 20 0 13V4z" fill="currentColor" />
      <path
        d={mark}
        fill="none"
        stroke="var(--color-paper)"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
