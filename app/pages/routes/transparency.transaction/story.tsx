import { Trans, useLingui } from '@lingui/react/macro'
import { useFollows } from '~/follow/follow'
import { amountWords } from '~/ledger/amount'
import { Caption } from '~/ledger/caption'
import { GoalLink } from '~/ledger/goal-link'
import type { RowGoal } from '~/ledger/goal-names.server'
import { PoolLink } from '~/ledger/pool-link'
import { isPurchase, recordTitle } from '~/ledger/record'
import type { LedgerRecord } from '~/ledger/record.server'
import { Fact, NamedByUs } from '~/ledger/record-facts'
import { shortHash } from '~/ledger/short-hash'
import { ShownPicture } from '~/ledger/shown-picture'
import type { PoolUpdate } from '~/ledger/updates.server'
import { type Wallet, walletName } from '~/ledger/wallets'
import { Withdrawn } from '~/ledger/withdrawn'
import { Approval, OrderAmount, Purpose } from '~/payments/order-words'
import type { Order } from '~/payments/orders.server'
import { findPool } from '~/platform/impact-pools'
import { key } from '~/platform/locales/key'
import { PageLink, useLanguage } from '~/platform/locales/react'
import { Icon } from '~/platform/ui/icon'
import { When } from '~/platform/ui/when'
import { EnglishWords, useLangOfEnglish } from '~/platform/ui/words'

type StoryRecord = LedgerRecord & { goal?: RowGoal }

/** What a payment bought, or that its purpose is not published; of any other row, what it is. */
export function StoryHeading({ record }: { record: StoryRecord }) {
  const { t } = useLingui()
  const language = useLanguage()
  const { type, note, noteWithdrawn, noteReason } = record
  if (isPurchase(record)) {
    if (note) return <EnglishWords>{note}</EnglishWords>
    if (noteWithdrawn) return <Withdrawn reason={noteReason} />
    if (type === 'spending' || type === 'donation') return t`We don't say yet what this bought`
  }
  return recordTitle(record, language)
}

/** The amount, who received it, when, the receipt, what is behind it and what comes next, beside a picture. */
export function Story({
  record,
  order,
  update,
  next,
  wallets,
}: {
  record: StoryRecord
  order: Order | null
  update: PoolUpdate | null
  next: Order | null
  wallets: Wallet[]
}) {
  const { t } = useLingui()
  const { i18n, formats } = useLanguage()
  const follows = useFollows()
  const { type, goal, note, noteWithdrawn, proofUrl } = record
  const isBought = isPurchase(record)
  const pool = findPool(record.poolSlug)
  const from = walletName(wallets, record.fromAddress)
  const hasOwnTitle = isBought && Boolean(note || noteWithdrawn || type === 'spending' || type === 'donation')
  return (
    <div className={isBought ? 'mt-6 grid gap-x-16 gap-y-8 lg:grid-cols-[1fr_26rem]' : 'mt-2'}>
      <div>
        {hasOwnTitle && (
          <p className="figures font-display text-heading font-bold">
            {amountWords(record, formats) ?? t`No dollar value yet`}
          </p>
        )}
        <dl className="facts">
          <Fact name={t`Received by`}>
            <Receiver record={record} wallets={wallets} />
          </Fact>
          {from && (
            <Fact name={t`Paid by`}>
              {pool?.title === from ? <PoolLink slug={pool.slug} /> : i18n._(key(from))}
            </Fact>
          )}
          {pool && type === 'donation' && record.toAccount === null && (
            <Fact name={t`Impact pool`}>
              <PoolLink slug={pool.slug} />
            </Fact>
          )}
          {goal && (
            <Fact name={t({ message: 'Goal', comment: 'A fundraiser of a member' })}>
              <GoalLink goal={goal} />
            </Fact>
          )}
          <Fact name={t`When`}>
            <When date={record.occurredAt} day />
          </Fact>
          {!isBought && note && (
            <Fact name={t`Note`}>
              <EnglishWords>{note}</EnglishWords>
            </Fact>
          )}
          {!isBought && noteWithdrawn && (
            <Fact name={t`Note`}>
              <Withdrawn reason={record.noteReason} />
            </Fact>
          )}
          {(isBought || proofUrl || record.proofWithdrawn) && (
            <Fact name={isBought ? t`Receipt` : t`Proof`}>
              {proofUrl ? (
                <a href={proofUrl} className="link wrap-anywhere" rel="noopener nofollow">
                  <bdi dir="ltr">{proofUrl}</bdi>
                </a>
              ) : record.proofWithdrawn ? (
                <Withdrawn reason={record.proofReason} />
              ) : (
                t`No receipt yet`
              )}
            </Fact>
          )}
          {order && (
            <Fact name={t`Decided by`}>
              <Approval order={order} />
            </Fact>
          )}
          {isBought && pool && (
            <Fact name={t`Next`}>
              {next ? (
                <PageLink to={`/transparency/orders#order-${next.number}`} className="link">
                  <Trans comment="The next payment of a pool: what for, how much, and the day">
                    <Purpose order={next} />, <OrderAmount order={next} />, <When date={next.dueAt} day />
                  </Trans>
                </PageLink>
              ) : (
                <Trans>No payment is announced.</Trans>
              )}
              {follows && (
                <span className="mt-1 block">
                  <PageLink to={`/follow?topic=${pool.slug}`} className="link">
                    <Trans>Follow this pool</Trans>
                  </PageLink>
                </span>
              )}
            </Fact>
          )}
        </dl>
      </div>
      {isBought && <Picture record={record} update={update} />}
    </div>
  )
}

/** The next update after a payment with its picture; without one, a drawing of the cause. */
function Picture({ record, update }: { record: StoryRecord; update: PoolUpdate | null }) {
  const lang = useLangOfEnglish()
  const published = update?.pictures[0]
  const words = <EnglishWords>{update?.text}</EnglishWords>
  const drawing =
    findPool(record.poolSlug)?.image ??
    (record.statements.length > 0 ? '/drawings/cz-call.svg' : '/drawings/about.svg')
  return (
    <figure>
      <ShownPicture
        picture={published ?? { path: drawing, alt: '', width: 480, height: 270 }}
        lang={published && lang}
      />
      {published && <Caption picture={published} />}
      {update?.text && (
        <figcaption className="mt-2 wrap-anywhere">
          <Trans comment="An update of a pool after a payment, with its day and its words">
            Update of <When date={update.publishedAt} day />: {words}
          </Trans>
        </figcaption>
      )}
    </figure>
  )
}

/** Who received the money: a wallet of ours, a wallet that we named, or an address. */
function Receiver({ record, wallets }: { record: StoryRecord; wallets: Wallet[] }) {
  const { i18n } = useLanguage()
  const { toAddress, direction, counterName, counterNameHash, counterNameReason } = record
  const ours = walletName(wallets, toAddress)
  if (ours) return i18n._(key(ours))
  if (direction === 'out' && counterName) return <NamedByUs name={counterName} />
  if (direction === 'out' && counterNameHash) return <Withdrawn reason={counterNameReason} />
  return (
    <bdi className="hash" title={toAddress}>
      {shortHash(toAddress)}
    </bdi>
  )
}

/** That the latest check found the row on the blockchain, and when. */
export function Checked({ record: { checkedAt } }: { record: Pick<LedgerRecord, 'checkedAt'> }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 font-semibold text-good">
      <span className="flex items-center gap-2">
        <Icon name="check" size={16} />
        <span>
          <Trans>Checked against the blockchain</Trans>
        </span>
      </span>
      {checkedAt && (
        <span className="text-sm font-normal text-muted">
          <When date={checkedAt} />
        </span>
      )}
    </span>
  )
}
