import { Plural, Trans } from '@lingui/react/macro'
import { Fragment } from 'react'
import { Gap, PageLink, useLanguage } from '../locales/react'
import { When } from '../ui/when'
import type { PayerGap } from './payer-gap.server'

const acceptance = '/operator/new/payer-acceptance'

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
        transactions, and the ledger lacks some of them. A backup was restored, or the payer's key was used
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

/** The sentence in place of the words if the gap cannot be read. */
export function PayerGapUnknown() {
  return <Trans>We can't load whether the ledger knows all transactions of the payer.</Trans>
}
