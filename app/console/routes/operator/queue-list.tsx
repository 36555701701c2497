import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { type ActKind, kindOf } from '~/console/act-kinds'
import type { QueuedPayment, Queues, WaitingAct } from '~/console/overview.server'
import { subjectName } from '~/console/subject-name'
import type { GoalQueues } from '~/goals/reviewed-goals.server'
import { findAccount } from '~/ledger/accounts'
import { dollarsTyped } from '~/payments/order-texts'
import { OrderAmount, OrderState, Purpose, Recipient } from '~/payments/order-words'
import type { Order } from '~/payments/orders.server'
import { shownState } from '~/payments/states'
import type { I18n } from '~/platform/locales/i18n'
import { key } from '~/platform/locales/key'
import type { Language } from '~/platform/locales/language'
import { Gap, useLanguage } from '~/platform/locales/react'
import { brand } from '~/platform/site'
import { BreakableUrl } from '~/platform/ui/breakable-url'
import { When } from '~/platform/ui/when'
import { EnglishWords } from '~/platform/ui/words'
import type { Listening } from '~/statements/operator-queue.server'
import type { VoteQueues } from '~/votes/operator-queue.server'

interface Row {
  key: string
  href: string
  label: ReactNode
  detail?: ReactNode
}

interface Queue {
  key: string
  title: ReactNode
  count: number
  rows: Row[]
  /** Nothing of this has to be done now. The next payments are below the tasks; the other payments are folded. */
  isQuiet?: boolean
}

/** How many of the next payments the page shows. */
const mostNext = 3

/** The order of the queues: what loses money first, then what loses time. */
const urgency = [
  ...[
    'wrong',
    'due',
    'waiting',
    'vote-unpaid',
    'vote-waits',
    'complaints',
    'changed',
    'updates',
    'updates-waiting',
    'statements',
  ],
  ...['goals', 'reports', 'posts', 'other', 'purposes', 'names', 'drafts'],
  ...['next', 'by-site', 'announced', 'mine', 'overdue', 'expired'],
]

/** The queues of tasks for operators, each with its count. */
export function QueueList({
  queues,
  orders,
  orderClock,
  names,
  listening,
  goals,
  votes,
}: {
  queues: Queues
  /** Null if they cannot be read. */
  orders: { open: Order[]; wrong: Order[]; expired: Order[]; sitePays: boolean } | null
  /** In milliseconds. */
  orderClock: number
  /** The names of recipients by their address. */
  names: Record<string, string>
  listening: Listening
  /** Null while FundMe is closed. */
  goals: GoalQueues | null
  /** Null if they cannot be read; undefined while voting is closed. */
  votes: VoteQueues | null | undefined
}) {
  const { i18n, formats } = useLanguage()
  const all = [
    ...(orders ? orderQueues(orders, orderClock) : []),
    ...listeningQueues(listening),
    ...(goals ? goalQueues(goals) : []),
    ...(votes ? voteQueues(votes, formats.dollars) : []),
    ...queuesOf(
      queues,
      (act) => aboutOf(act, names, { i18n, formats }),
      (address) => nameOf(address, names, i18n),
    ),
  ]
    .filter(({ count }) => count > 0)
    .sort((one, other) => urgency.indexOf(one.key) - urgency.indexOf(other.key))
  const waiting = all.filter(({ isQuiet }) => !isQuiet)
  const next = all.filter(({ key }) => key === 'next')
  const quiet = all.filter(({ key, isQuiet }) => isQuiet && key !== 'next')
  const unread = votes === null && (
    <p className="mt-6 text-bad">
      <Trans>We can't load what waits about votes right now.</Trans>
    </p>
  )
  return (
    <>
      {unread}
      {waiting.length === 0 && !unread && (
        <p className="mt-6 text-xl">
          <Trans>Nothing waits for you.</Trans>
        </p>
      )}
      <QueueSections queues={waiting} />
      <QueueSections queues={next} />
      {quiet.length > 0 && (
        <details className="mt-2">
          <summary className="link w-fit py-2">
            <Trans comment="What is folded below the lists of tasks">Needs nothing from you now</Trans>
          </summary>
          <QueueSections queues={quiet} />
        </details>
      )}
    </>
  )
}

function QueueSections({ queues }: { queues: Queue[] }) {
  return (
    <div className="mt-8 gap-x-12 md:columns-2 [&_time]:whitespace-nowrap">
      {queues.map(({ key, title, count, rows }) => (
        <section key={key} aria-labelledby={`queue-${key}`} className="mb-8 break-inside-avoid">
          <h2 className="flex items-baseline justify-between gap-3 border-b-2 border-ink pb-2 text-xl">
            <span id={`queue-${key}`}>{title}</span>{' '}
            <span className="figures">{count > 100 ? '100+' : count}</span>
          </h2>
          <ul>
            {rows.map(({ key, href, label, detail }) => (
              <li key={key} className="border-b border-hairline py-2">
                <a href={href} className="link inline-block py-1 wrap-anywhere">
                  {label}
                </a>
                {detail && <span className="block text-sm text-muted wrap-anywhere">{detail}</span>}
              </li>
            ))}
          </ul>
          {key === 'next' && (
            <p className="mt-2 text-sm text-muted">
              <Trans>An operator can stop each payment until it is sent.</Trans>
            </p>
          )}
          {count > rows.length && (
            <p className="mt-2 text-sm text-muted">
              <Listed count={rows.length} />
            </p>
          )}
        </section>
      ))}
    </div>
  )
}

/** The name of a recipient; null for an address without a name. */
function nameOf(address: string, names: Record<string, string>, i18n: I18n): ReactNode {
  const name = names[address]
  if (name === undefined) return null
  return findAccount(name) ? i18n._(key(name)) : <EnglishWords>{name}</EnglishWords>
}

/** What an act that waits is about: the amount and the recipient of an order, otherwise the name of its subject. */
function aboutOf(
  { kind, subject, arguments: values }: WaitingAct,
  names: Record<string, string>,
  { i18n, formats }: Pick<Language, 'i18n' | 'formats'>,
): ReactNode {
  if (kind === 'order') {
    const usd = dollarsTyped(String(values.amount))
    const amount = usd === null ? '' : formats.dollars(usd)
    const address = String(values.to)
    const recipient = nameOf(address, names, i18n) ?? address
    return (
      <Trans comment="An amount, and who receives it">
        {amount} to {recipient}
      </Trans>
    )
  }
  if (kind === 'name') return <EnglishWords>{String(values.name)}</EnglishWords>
  return subject && subjectName(kind, subject, i18n, {})
}

/** Payments that went wrong, due ones, announced ones, and those that were not paid in time in the last days. */
function orderQueues(
  { open, wrong, expired, sitePays }: { open: Order[]; wrong: Order[]; expired: Order[]; sitePays: boolean },
  now: number,
): Queue[] {
  const byDay = [...open].sort((one, other) => one.dueAt.getTime() - other.dueAt.getTime())
  const due = byDay.filter((order) => shownState(order, now) === 'due')
  const taken = byDay.filter(({ state }) => state === 'taken')
  const byHand = sitePays ? taken : [...due, ...taken]
  const bySite = sitePays ? due : []
  const announced = byDay.filter((order) => !due.includes(order) && !taken.includes(order))
  const next = [...bySite, ...announced].slice(0, mostNext)
  const later = (orders: Order[]) => orders.filter((order) => !next.includes(order))
  const queueOf = (key: string, title: ReactNode, orders: Order[], isQuiet = false): Queue => ({
    ...{ key, title, isQuiet, count: orders.length },
    rows: orders.slice(0, 10).map((order) => ({
      key: `${order.number}`,
      href:
        isQuiet && order.state === 'announced'
          ? `/operator/payments/stop?order=${order.number}`
          : '/operator/payments',
      label:
        key === 'next' ? (
          <Trans comment="What a payment is for, and how much it is">
            <Purpose order={order} />, <OrderAmount order={order} />
          </Trans>
        ) : (
          <Trans comment="The number of an order, its amount, and who receives it">
            Order {order.number}: <OrderAmount order={order} />
          </Trans>
        ),
      detail: (
        <>
          <Recipient order={order} />. <OrderState order={order} now={now} />
        </>
      ),
    })),
  })
  const titles = {
    wrong: <Trans comment="The title of a list of tasks">Payments that went wrong</Trans>,
    due: <Trans comment="The title of a list of tasks">Payments to make</Trans>,
    next: <Trans>Coming next</Trans>,
    'by-site': <Trans comment="The title of a list of tasks">The site pays these now</Trans>,
    announced: <Trans comment="The title of a list of tasks">Announced payments</Trans>,
    expired: <Trans comment="The title of a list of tasks">Ended without a payment</Trans>,
  }
  return [
    queueOf('wrong', titles.wrong, wrong),
    queueOf('due', titles.due, byHand),
    queueOf('next', titles.next, next, true),
    queueOf('by-site', titles['by-site'], later(bySite), true),
    queueOf('announced', titles.announced, later(announced), true),
    queueOf('expired', titles.expired, expired, true),
  ]
}

/** Posts that need a decision, and statements whose post has changed at its source. */
function listeningQueues({ posts, changed }: Listening): Queue[] {
  return [
    {
      key: 'posts',
      title: <Trans comment="The title of a list of tasks">Posts about charity</Trans>,
      count: posts.count,
      rows: posts.items.map(({ id, author, posted_at, edited_at, url }) => ({
        key: `${id}`,
        href: `/operator/posts/${id}`,
        label: (
          <Trans>
            {author}, <When date={posted_at} />
          </Trans>
        ),
        detail: <PostDetail editedAt={edited_at} url={url} />,
      })),
    },
    {
      key: 'changed',
      title: <Trans comment="The title of a list of tasks">Statements that changed at their source</Trans>,
      count: changed.count,
      rows: changed.items.map(({ id, author, url, edited_at, gone_at, text_hash }) => ({
        key: `${id}`,
        href: gone_at
          ? begin('withdrawal', text_hash)
          : `/operator/new/statement?${new URLSearchParams({ subject: url, post: `${id}` })}`,
        label: gone_at ? <Trans>Withdraw its text</Trans> : <Trans>Publish its new words</Trans>,
        detail: (
          <>
            {gone_at ? (
              <Trans>
                {author}, no longer at its source since <When date={gone_at} />.
              </Trans>
            ) : (
              edited_at && (
                <Trans>
                  {author}, edited at its source on <When date={edited_at} />.
                </Trans>
              )
            )}
            <Gap />
            <BreakableUrl url={url} />
          </>
        ),
      })),
    },
  ]
}

/** Goals to review, goals with complaints or new updates, reports of ended goals, and overdue reports. */
function goalQueues({ submitted, complaints, updates, waiting, reports, overdue }: GoalQueues): Queue[] {
  const rowOf = (slug: string, title: string | null, detail: ReactNode): Row => ({
    key: slug,
    href: `/operator/goals/${slug}`,
    label: <bdi lang="">{title ?? slug}</bdi>,
    detail,
  })
  return [
    {
      key: 'goals',
      title: <Trans comment="The title of a list of tasks">Goals to review</Trans>,
      count: submitted.count,
      rows: submitted.items.map(({ slug, title, submittedAt, mine }) =>
        rowOf(
          slug,
          title,
          mine ? (
            <Trans>
              Yours: another operator decides. Submitted <When date={submittedAt} />
            </Trans>
          ) : (
            <Trans>
              Submitted <When date={submittedAt} />
            </Trans>
          ),
        ),
      ),
    },
    {
      key: 'complaints',
      title: <Trans comment="The title of a list of tasks">Complaints about goals</Trans>,
      count: complaints.count,
      rows: complaints.items.map(({ slug, title, count, oldestAt }) => ({
        ...rowOf(slug, title, <ComplaintCount count={count} since={oldestAt} />),
        href: `/operator/complaints#${slug}`,
      })),
    },
    {
      key: 'updates',
      title: <Trans comment="The title of a list of tasks">New updates of goals</Trans>,
      count: updates.count,
      rows: updates.items.map(({ slug, title, dueAt }) =>
        rowOf(
          slug,
          title,
          <Trans>
            Followers get it by email from <When date={dueAt} />, unless you freeze the goal
          </Trans>,
        ),
      ),
    },
    {
      key: 'updates-waiting',
      title: <Trans comment="The title of a list of tasks">Updates that name {brand}</Trans>,
      count: waiting.count,
      rows: waiting.items.map(({ slug, title, madeAt }) =>
        rowOf(
          slug,
          title,
          <Trans>
            Written <When date={madeAt} />, not public yet
          </Trans>,
        ),
      ),
    },
    {
      key: 'reports',
      title: <Trans comment="The title of a list of tasks">Final reports to accept</Trans>,
      count: reports.count,
      rows: reports.items.map(({ slug, title, endedAt }) => rowOf(slug, title, <Ended at={endedAt} />)),
    },
    {
      key: 'overdue',
      isQuiet: true,
      title: <Trans comment="The title of a list of tasks">Reports overdue</Trans>,
      count: overdue.count,
      rows: overdue.items.map(({ slug, title, endedAt }) => rowOf(slug, title, <Ended at={endedAt} />)),
    },
  ]
}

/** Votes that the schedule could not draw, open or count, and goals that won and are not paid. */
function voteQueues({ waits, unpaid }: VoteQueues, dollars: (cents: number) => string): Queue[] {
  const rowOf = (goal: string, title: string | null, detail: ReactNode): Row => ({
    key: goal,
    href: goal.startsWith('split-') ? `/giveback/${goal}/votes` : `/giveback/${goal}#vote`,
    label: <bdi lang="">{title ?? goal}</bdi>,
    detail,
  })
  return [
    {
      key: 'vote-waits',
      title: <Trans comment="The title of a list of tasks">Votes that wait for the blockchain</Trans>,
      count: waits.count,
      rows: waits.items.map(({ goal, title, reason, since }) =>
        rowOf(
          goal,
          title,
          <>
            <Trans>
              Since <When date={since} />
            </Trans>
            : <span lang="en">{reason}</span>
          </>,
        ),
      ),
    },
    {
      key: 'vote-unpaid',
      isQuiet: unpaid.count > 0 && unpaid.items.every(({ ordered, frozen }) => ordered || frozen),
      title: <Trans comment="The title of a list of tasks">Won, not paid yet</Trans>,
      count: unpaid.count,
      rows: unpaid.items.map(
        ({ goal, title, decidedAt, targetUsd, receivedUsd, frozen, wallet, ordered }) => {
          const amount = dollars(targetUsd - receivedUsd)
          return rowOf(
            goal,
            title,
            frozen ? (
              <Trans>
                Won on <When date={decidedAt} />. It is frozen: nothing is paid now.
              </Trans>
            ) : (
              <>
                <Trans>
                  Won on <When date={decidedAt} />. The treasury should send {amount}.
                </Trans>
                <Gap />
                {ordered ? (
                  <Trans>An order to it waits to be paid.</Trans>
                ) : (
                  <a
                    href={`/operator/new/order?${new URLSearchParams({ goal, to: wallet, amount: ((targetUsd - receivedUsd) / 100).toFixed(2) })}`}
                    className="link"
                  >
                    <Trans>Order this payment</Trans>
                  </a>
                )}
              </>
            ),
          )
        },
      ),
    },
  ]
}

function PostDetail({ editedAt, url: address }: { editedAt: Date | null; url: string }) {
  const url = <BreakableUrl url={address} />
  if (!editedAt) return url
  return (
    <Trans>
      Edited at its source on <When date={editedAt} />. {url}
    </Trans>
  )
}

function ComplaintCount({ count, since }: { count: number; since: Date }) {
  return (
    <>
      <Plural value={count} one="# complaint" other="# complaints" />
      {' · '}
      <Trans comment="After a number of complaints: the time of the oldest one">
        since <When date={since} />
      </Trans>
    </>
  )
}

function Ended({ at }: { at: Date }) {
  return (
    <Trans>
      Ended <When date={at} />
    </Trans>
  )
}

function queuesOf(
  { waiting, statements, other, purposes, names, drafts }: Queues,
  what: (act: WaitingAct) => ReactNode,
  whom: (address: string) => ReactNode,
): Queue[] {
  const [mine, others] = [waiting.items.filter(({ mine }) => mine), waiting.items.filter(({ mine }) => !mine)]
  const rowOf = (act: WaitingAct): Row => {
    const { id, kind, by, at } = act
    const about = what(act)
    return {
      key: id,
      href: `/operator/acts/${id}`,
      label: (
        <>
          <KindTitle kind={kind} />
          {about && (
            <>
              : <bdi>{about}</bdi>
            </>
          )}
        </>
      ),
      detail: act.mine ? (
        <Trans>
          Proposed by you, <When date={at} />
        </Trans>
      ) : (
        <Trans>
          Proposed by {by}, <When date={at} />
        </Trans>
      ),
    }
  }
  return [
    {
      key: 'waiting',
      title: <Trans comment="The title of a list of tasks">Wait for a second person</Trans>,
      // Of more than ten acts, the list has the first ten, and the count the own ones too.
      count: waiting.count > waiting.items.length ? waiting.count : others.length,
      rows: others.map(rowOf),
    },
    {
      key: 'mine',
      title: <Trans comment="The title of a list of tasks">Wait for another operator</Trans>,
      count: mine.length,
      rows: mine.map(rowOf),
      isQuiet: true,
    },
    {
      key: 'statements',
      title: <Trans comment="The title of a list of tasks">Statements to confirm</Trans>,
      count: statements.count,
      rows: statements.items.map(({ link, author, postedAt }) => ({
        key: link,
        href: begin('confirmation', link),
        label: (
          <Trans>
            {author}, <When date={postedAt} />
          </Trans>
        ),
        detail: <BreakableUrl url={link} />,
      })),
    },
    {
      key: 'other',
      title: (
        <Trans comment="The title of a list of tasks; 'other' is a type of payments">
          Payments of type 'other'
        </Trans>
      ),
      count: other.count,
      rows: other.items.map((payment) => paymentRow(payment, whom)),
    },
    {
      key: 'purposes',
      title: <Trans comment="The title of a list of tasks">Spending without a purpose</Trans>,
      count: purposes.count,
      rows: purposes.items.map((payment) => paymentRow(payment, whom)),
    },
    {
      key: 'names',
      title: <Trans comment="The title of a list of tasks">Recipients without a name</Trans>,
      count: names.count,
      rows: names.items.map(({ address }) => ({
        key: address,
        href: `/operator/new/name?${new URLSearchParams({ address })}`,
        label: <span className="hash">{address}</span>,
      })),
    },
    {
      key: 'drafts',
      title: <Trans comment="The title of a list of tasks">Your drafts</Trans>,
      count: drafts.count,
      rows: drafts.items.map(({ id, kind, at }) => ({
        key: id,
        href: `/operator/acts/${id}`,
        label: <KindTitle kind={kind} />,
        detail: (
          <Trans>
            Saved <When date={at} />
          </Trans>
        ),
      })),
    },
  ]
}

function paymentRow(payment: QueuedPayment, whom: (address: string) => ReactNode): Row {
  const { subject, occurredAt } = payment
  const name = whom(payment.toAddress)
  const toAddress = name === null ? <span className="hash">{payment.toAddress}</span> : <bdi>{name}</bdi>
  return {
    key: subject,
    href: begin('purpose', subject),
    label: <PaymentLabel payment={payment} />,
    detail: (
      <Trans comment="The time of a payment, and who received it">
        <When date={occurredAt} />, to {toAddress}
      </Trans>
    ),
  }
}

function PaymentLabel({ payment: { id, tokens, amountUsd } }: { payment: QueuedPayment }) {
  const { t } = useLingui()
  const { formats } = useLanguage()
  const amount = tokens ? formats.tokens(tokens) : t`Payment ${id}`
  if (amountUsd === null) return <bdi>{amount}</bdi>
  return (
    <>
      <bdi>{amount}</bdi> <bdi>({formats.exactDollars(amountUsd)})</bdi>
    </>
  )
}

function KindTitle({ kind }: { kind: ActKind }) {
  const { i18n } = useLanguage()
  return i18n._(kindOf(kind).title)
}

function Listed({ count }: { count: number }) {
  return <Trans>The first {count} are listed.</Trans>
}

function begin(kind: 'confirmation' | 'purpose' | 'withdrawal', subject: string): string {
  return `/operator/new/${kind}?${new URLSearchParams({ subject })}`
}
