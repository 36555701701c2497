import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { accountName } from '../ledger/accounts'
import { amountWords, hasDollars } from '../ledger/amount'
import { span } from '../ledger/calls'
import { namedByUs } from '../ledger/names'
import { Withdrawn } from '../ledger/withdrawn'
import { key } from '../platform/locales/key'
import { PageLink, useLanguage } from '../platform/locales/react'
import { When } from '../platform/ui/when'
import { EnglishWords } from '../platform/ui/words'
import type { Order } from './orders.server'
import { type ShownState, shownState } from './states'

/** The words for the states of an order. */
export const stateWords: Record<ShownState, MessageDescriptor> = {
  announced: msg({ message: 'Announced', context: 'order' }),
  due: msg({ message: 'Due', context: 'order' }),
  taken: msg({ message: 'Paid by hand', context: 'order' }),
  sent: msg({ message: 'Sent', context: 'order' }),
  paid: msg({ message: 'Paid', context: 'order' }),
  failed: msg({ message: 'Failed', context: 'order' }),
  mismatched: msg({ message: 'Does not match', context: 'order' }),
  lost: msg({ message: 'Lost', context: 'order' }),
  stopped: msg({ message: 'Stopped', context: 'order' }),
  expired: msg({ message: 'Expired', context: 'order' }),
}

/** What each state means for a giver, and its tone. */
export const stateMeanings: Record<ShownState, { tone: string; words: MessageDescriptor }> = {
  announced: { tone: 'text-done', words: msg`an operator can stop it` },
  due: { tone: 'text-done', words: msg`is paid next` },
  taken: { tone: 'text-done', words: msg`an operator pays it by hand` },
  sent: { tone: 'text-done', words: msg`is on its way, and can't be stopped` },
  paid: { tone: 'text-good', words: msg`has arrived` },
  failed: { tone: 'text-bad', words: msg`the blockchain refused it` },
  mismatched: { tone: 'text-bad', words: msg`another amount left the wallet` },
  lost: { tone: 'text-bad', words: msg`another transaction took its place` },
  stopped: { tone: 'text-muted', words: msg`an operator stopped it` },
  expired: { tone: 'text-muted', words: msg`was not paid in time` },
}

/** '$500.00', or '500 USDT' if the value is unknown: the whole amount of an order. */
export function OrderAmount({ order }: { order: Pick<Order, 'tokens' | 'amountUsd'> }) {
  const { formats } = useLanguage()
  const tokens = order.tokens && formats.tokens(order.tokens, Number.POSITIVE_INFINITY)
  return (
    <bdi className="figures" title={hasDollars(order) ? (tokens ?? undefined) : undefined}>
      {amountWords(order, formats, Number.POSITIVE_INFINITY)}
    </bdi>
  )
}

/** The name of an account of ours. */
export function AccountName({ slug }: { slug: string }) {
  const { i18n } = useLanguage()
  return i18n._(key(accountName(slug) ?? slug))
}

/** The recipient of an order in a title or a button, which has no links. */
export function RecipientWords({ order }: { order: Order }) {
  const { recipientAccount, recipientName, goalTitle, toAddress } = order
  if (recipientName !== null) return <EnglishWords>{recipientName}</EnglishWords>
  if (accountName(recipientAccount)) return <AccountName slug={`${recipientAccount}`} />
  return goalTitle ? <bdi lang="">{goalTitle}</bdi> : toAddress
}

/** Who receives the payment: a pool, a goal, the donation wallet, or a wallet with a name. */
export function Recipient({ order }: { order: Order }) {
  const { i18n } = useLanguage()
  const { recipient, recipientAccount, recipientName, goalTitle, toAddress } = order
  if (recipient === 'pool' && recipientAccount)
    return (
      <PageLink to={`/voting/${recipientAccount}`} className="link">
        <AccountName slug={recipientAccount} />
      </PageLink>
    )
  if (recipient === 'goal')
    return (
      <PageLink to={`/giveback/${recipientAccount}`} className="link">
        {goalTitle ? (
          <bdi lang="">{goalTitle}</bdi>
        ) : (
          <Trans comment="In place of the title of a goal (a fundraiser), which is hidden">a goal</Trans>
        )}
      </PageLink>
    )
  if (recipient === 'wallet' && recipientAccount) return <AccountName slug={recipientAccount} />
  return recipientName === null ? (
    <Withdrawn reason={undefined} />
  ) : (
    <span title={i18n._(namedByUs(toAddress))}>
      <EnglishWords>{recipientName}</EnglishWords>
    </span>
  )
}

/** What happens with an order next, or what happened. */
export function OrderState({ order, now }: { order: Order; now: number }) {
  const language = useLanguage()
  const { announcedAt, dueAt, expiresAt, movedAt, paidAt, transactionId, stoppedBy, takenBy } = order
  switch (shownState(order, now)) {
    case 'announced':
      return (
        <Trans>
          Will be paid on <When date={dueAt} />, unless an operator stops it.
        </Trans>
      )
    case 'due':
      return (
        <Trans>
          Due since <When date={dueAt} />. It ends on <When date={expiresAt} /> if it is not paid by then.
        </Trans>
      )
    case 'taken':
      return (
        <Trans>
          {takenBy} pays it by hand, since <When date={movedAt} />. The site does not pay it. It ends on{' '}
          <When date={expiresAt} />.
        </Trans>
      )
    case 'sent':
      return order.isRemoved ? (
        <Trans>
          The blockchain replaced a block, and its payment disappeared on <When date={movedAt} />. The site
          sends it again.
        </Trans>
      ) : (
        <Trans>Sent to the blockchain. It can no longer be stopped.</Trans>
      )
    case 'paid': {
      if (order.isRemoved)
        return (
          <Trans>
            Paid on <When date={paidAt ?? movedAt} />, and{' '}
            <PageLink to={`/transparency/${transactionId}`} className="link">
              the payment
            </PageLink>{' '}
            is no longer on the blockchain.
          </Trans>
        )
      const time = span((paidAt ?? movedAt).getTime() - announcedAt.getTime(), language)
      return (
        <Trans>
          <PageLink to={`/transparency/${transactionId}`} className="link">
            Paid
          </PageLink>{' '}
          on <When date={paidAt ?? movedAt} />, {time} after its approval.
        </Trans>
      )
    }
    case 'stopped': {
      if (order.stopReasonHash === null)
        return stoppedBy === null ? (
          <Trans>
            Stopped by the holder of the secret key on <When date={movedAt} />.
          </Trans>
        ) : (
          <Trans>
            Stopped by {stoppedBy} on <When date={movedAt} />.
          </Trans>
        )
      const reason =
        order.stopReason === null ? (
          <Withdrawn reason={undefined} />
        ) : (
          <EnglishWords>{order.stopReason}</EnglishWords>
        )
      return stoppedBy === null ? (
        <Trans>
          Stopped by the holder of the secret key on <When date={movedAt} />: {reason}
        </Trans>
      ) : (
        <Trans>
          Stopped by {stoppedBy} on <When date={movedAt} />: {reason}
        </Trans>
      )
    }
    case 'failed':
      return (
        <Trans>
          The transaction failed on <When date={movedAt} />. The money stayed in the wallet.
        </Trans>
      )
    case 'mismatched':
      return (
        <Trans>
          Another amount than ordered left the wallet on <When date={movedAt} />. The site pays nothing more
          in this token.
        </Trans>
      )
    case 'lost':
      return stoppedBy ? (
        <Trans>
          Ended by {stoppedBy} and another operator on <When date={movedAt} />:{' '}
          <EnglishWords>{order.stopReason ?? ''}</EnglishWords>
        </Trans>
      ) : (
        <Trans>
          Another transaction took its place on <When date={movedAt} />. All payments by the site stopped.
        </Trans>
      )
    case 'expired':
      return takenBy ? (
        <Trans>
          Taken by {takenBy} to be paid by hand, not paid, and ended on <When date={movedAt} />.
        </Trans>
      ) : (
        <Trans>
          It was not paid in time, and ended on <When date={movedAt} />.
        </Trans>
      )
  }
}

/** Who approved an order, and when, or the standing order that made it. */
export function Approval({ order: { approvedBy, approvedSecond, announcedAt, standing } }: { order: Order }) {
  if (!approvedBy || !approvedSecond) return null
  if (standing !== null)
    return (
      <Trans>
        Made by{' '}
        <PageLink to={`/transparency/orders#standing-${standing}`} className="link">
          standing order {standing}
        </PageLink>{' '}
        of {approvedBy} and {approvedSecond} on <When date={announcedAt} />.
      </Trans>
    )
  return (
    <Trans>
      Approved by {approvedBy} and {approvedSecond} on <When date={announcedAt} day />.
    </Trans>
  )
}

/** What an order is for. */
export function Purpose({ order: { purpose } }: { order: Pick<Order, 'purpose'> }) {
  return purpose === null ? <Withdrawn reason={undefined} /> : <EnglishWords>{purpose}</EnglishWords>
}
