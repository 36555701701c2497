import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { PageLink, useLanguage } from '../platform/locales/react'
import { When } from '../platform/ui/when'
import { EnglishWords } from '../platform/ui/words'
import { amountWords } from './amount'
import { namedByUs } from './names'
import { shortHash } from './short-hash'
import type { Transaction } from './transactions.server'
import { StatusBadge } from './verification-status'

/** A payment in a list. `name`: the words of the link to its page. `children`: further lines. */
export function PaymentItem({
  payment,
  name,
  hasStatus = payment.status !== 'verified',
  children,
}: {
  payment: Transaction
  name: ReactNode
  hasStatus?: boolean
  children: ReactNode
}) {
  const { t } = useLingui()
  const { formats } = useLanguage()
  const { id, occurredAt, status } = payment
  return (
    <li data-key={id}>
      <span className="payment-date text-sm text-muted">
        <When date={occurredAt} day />
      </span>
      <PageLink to={`/transparency/${id}`} className="link font-semibold">
        {name}
      </PageLink>
      <span className="payment-amount figures font-display text-lg font-semibold">
        {amountWords(payment, formats, 2) ?? t`No dollar value yet`}
      </span>
      {children}
      {hasStatus && (
        <span>
          <StatusBadge status={status} />
        </span>
      )}
    </li>
  )
}

/** A wallet of others, by the name that we gave it, with a link to its payments. */
export function Party({ address, name }: { address: string; name: string | null }) {
  const { i18n } = useLanguage()
  return (
    <PageLink
      to={`/transparency?q=${address}#history`}
      className={name ? 'link' : 'link hash'}
      title={name ? i18n._(namedByUs(address)) : address}
    >
      {name ? <EnglishWords>{name}</EnglishWords> : <bdi>{shortHash(address)}</bdi>}
    </PageLink>
  )
}
