import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Fragment, type ReactNode } from 'react'
import { hasNoLimit } from '../chain/token-calls'
import { accountName } from '../ledger/accounts'
import { key } from '../platform/locales/key'
import { Gap, PageLink, useLanguage } from '../platform/locales/react'
import { When } from '../platform/ui/when'
import { EnglishWords } from '../platform/ui/words'
import { daysLeft, isLarge, lacking, paymentsLeft } from './payer-means'
import type { Means, Payer, PayerGap } from './payer-means.server'

const acceptance = '/operator/new/payer-acceptance'

/** Why the last run sent no payment, and why orders wait, in the words of the job. */
export function PayerRunWords({ run }: Pick<Payer, 'run'>) {
  const waiting = Object.entries(run?.waiting ?? {})
    .map(([order, why]) => `order ${order}: ${why}`)
    .join('; ')
  return (
    <>
      {run?.fault && (
        <RunNotice words={run.fault}>{(words) => <Trans>No payment is sent: {words}.</Trans>}</RunNotice>
      )}
      {waiting && (
        <RunNotice words={waiting}>{(words) => <Trans>Payments that wait: {words}.</Trans>}</RunNotice>
      )}
    </>
  )
}

function RunNotice({ words, children }: { words: string; children: (words: ReactNode) => ReactNode }) {
  return <p className="notice max-w-[65ch] wrap-anywhere">{children(<EnglishWords>{words}</EnglishWords>)}</p>
}

/** Why nothing is paid while the ledger lacks transactions of the payer, and how payments go on. */
export function PayerGapWords({ gap }: { gap: PayerGap }) {
  const { formats } = useLanguage()
  const { nonce, since, unread, unmatched } = gap
  const payer = (
    <bdi dir="ltr" className="wrap-anywhere">
      {gap.payer}
    </bdi>
  )
  return (
    <>
      <Trans comment="The payer is the address from which the site sends payments">
        Since <When date={since} />, nothing is paid: the payer {payer} has sent {formats.count(nonce)}{' '}
        transactions, and the ledger knows another number. A backup was restored, or the payer's key was used
        elsewhere.
      </Trans>
      <Gap />
      {unread > 0 && (
        <>
          <Plural
            value={unread}
            one="# payment is not read yet: the job looks for its sender."
            other="# payments are not read yet: the job looks for their senders."
          />
          <Gap />
        </>
      )}
      {unmatched.length > 0 && (
        <>
          <Plural
            value={unmatched.length}
            one="# payment of the payer has no order:"
            other="# payments of the payer have no order:"
          />{' '}
          {unmatched.map((id, at) => (
            <Fragment key={id}>
              {at > 0 && ' '}
              <PageLink to={`/transparency/${id}`} className="link">
                <bdi>#{id}</bdi>
              </PageLink>
            </Fragment>
          ))}
          {'. '}
          <Trans>The payer's key may be stolen: suspend all payments, and set a new key.</Trans>
          <Gap />
        </>
      )}
      {unread + unmatched.length > 0 ? (
        <Trans>
          When each payment of the payer has its order, two operators can{' '}
          <a href={acceptance} className="link">
            let payments go on
          </a>
          .
        </Trans>
      ) : (
        <Trans>
          Each payment of the payer has its order: two operators can{' '}
          <a href={acceptance} className="link">
            let payments go on
          </a>
          .
        </Trans>
      )}
    </>
  )
}

/** The sentence in place of what is known about the payer. */
export function PayerUnknown() {
  return <Trans>We can't load what the site may spend, and whether it pays, right now.</Trans>
}

/** How many payments the payer's coins suffice for. */
export function GasWords({ sight }: { sight: NonNullable<Payer['sight']> }) {
  const left = paymentsLeft(sight)
  const payer = <span className="hash wrap-anywhere">{sight.payer}</span>
  return (
    <Trans comment="The payer is the address from which the site sends payments; gas is the fee of the blockchain">
      The payer {payer} has gas for <Plural value={left} one="# payment" other="# payments" />.
    </Trans>
  )
}

/** When the payer saw the amounts of a page. */
export function SeenWords({ sight }: { sight: NonNullable<Payer['sight']> }) {
  return (
    <Trans comment="When the site read the amounts of this list from the blockchain">
      Seen <When date={sight.seen_at} />.
    </Trans>
  )
}

/** What the site may spend of a token of a wallet, and how long it suffices. */
export function MeansWords({ means, most }: { means: Means; most: number | null }) {
  const { formats } = useLanguage()
  const { allowance, balance, needed, symbol, decimals } = means
  const tokens = (amount: bigint) => (
    <bdi className="figures">{formats.tokens({ amount, symbol, decimals }, 2)}</bdi>
  )
  const days = daysLeft(means)
  const [beyond, short] = [lacking(allowance, means), lacking(balance, means)]
  return (
    <>
      {allowance === null ? (
        <Trans>The allowance is not known yet.</Trans>
      ) : hasNoLimit(allowance) ? (
        <Trans>The allowance has no limit: set one.</Trans>
      ) : (
        <Trans>{tokens(allowance)} may be spent.</Trans>
      )}
      <Gap />
      {days !== null && (
        <>
          <Trans>
            That suffices for <Plural value={days} one="# day" other="# days" /> at the pace of the last 30
            days.
          </Trans>
          <Gap />
        </>
      )}
      {needed > 0n && (
        <>
          <Trans>Orders that wait need {tokens(needed)}.</Trans>
          <Gap />
        </>
      )}
      {beyond > 0n && (
        <>
          <Trans>The allowance is too small by {tokens(beyond)}.</Trans>
          <Gap />
        </>
      )}
      {short > 0n && (
        <>
          <Trans>The wallet has too little: {tokens(short)} are missing.</Trans>
          <Gap />
        </>
      )}
      {allowance !== null && isLarge({ units: allowance, decimals }, most) && <LargeAllowance />}
    </>
  )
}

/** Why an allowance should be smaller. */
export function LargeAllowance() {
  return (
    <Trans>
      This is more than three times what one order may pay. A thief of the payer's key could take all of it.
    </Trans>
  )
}

/** 'USDT of Treasury': a token of a wallet. */
export function useMeansName(): (means: Pick<Means, 'account' | 'symbol'>) => string {
  const { t, i18n } = useLingui()
  return ({ account, symbol }) => {
    const wallet = i18n._(key(accountName(account) ?? account))
    return t({ message: `${symbol} of ${wallet}`, comment: 'The balance of a token in a wallet' })
  }
}
