import type { ReactNode } from 'react'
import { formatTokens } from '~/ledger/transactions'
import { formatDollars } from '~/money'
import { kindOf } from '~/operator/kinds'
import type { Listening } from '~/operator/listening.server'
import type { QueuedPayment, Queues } from '~/operator/overview.server'
import { When } from '~/ui/when'

interface Row {
  key: string
  href: string
  label: ReactNode
  detail?: ReactNode
}

interface Queue {
  title: string
  count: number
  rows: Row[]
}

/** What waits for an operator, each queue with its count. */
export function QueueList({ queues, listening }: { queues: Queues; listening: Listening }) {
  const all = [...listeningQueues(listening), ...queuesOf(queues)]
  const waiting = all.filter(({ count }) => count > 0)
  if (waiting.length === 0) return <p className="mt-6 text-xl">Nothing waits for you.</p>
  return (
    <div className="mt-8 grid gap-x-12 gap-y-8 md:grid-cols-2">
      {waiting.map(({ title, count, rows }) => (
        <section key={title} aria-label={title}>
          <h2 className="flex items-baseline justify-between gap-3 border-b-2 border-ink pb-2 text-xl">
            {title} <span className="figures">{count > 100 ? '100+' : count}</span>
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
          {count > rows.length && (
            <p className="mt-2 text-sm text-muted">The first {rows.length} are listed.</p>
          )}
        </section>
      ))}
    </div>
  )
}

/** Posts to decide, and statements whose post has changed at its source. */
function listeningQueues({ posts, changed }: Listening): Queue[] {
  return [
    {
      title: 'Posts about charity',
      count: posts.count,
      rows: posts.items.map(({ id, author, posted_at, edited_at, url }) => ({
        key: `${id}`,
        href: `/operator/posts/${id}`,
        label: (
          <>
            {author}, <When date={posted_at} />
          </>
        ),
        detail: edited_at ? (
          <>
            Edited at its source on <When date={edited_at} />. {url}
          </>
        ) : (
          url
        ),
      })),
    },
    {
      title: 'Statements that changed at their source',
      count: changed.count,
      rows: changed.items.map(({ id, author, url, edited_at, gone_at, text_hash }) => ({
        key: `${id}`,
        href: gone_at
          ? begin('withdrawal', text_hash)
          : `/operator/new/statement?${new URLSearchParams({ subject: url, post: `${id}` })}`,
        label: gone_at ? 'Withdraw its text' : 'Publish its new words',
        detail: (
          <>
            {author}, {gone_at ? 'no longer at its source since ' : 'edited at its source on '}
            {(gone_at ?? edited_at) && <When date={(gone_at ?? edited_at) as Date} />}. {url}
          </>
        ),
      })),
    },
  ]
}

function queuesOf({ waiting, statements, other, purposes, names, drafts }: Queues): Queue[] {
  return [
    {
      title: 'Wait for a second person',
      count: waiting.count,
      rows: waiting.items.map(({ id, kind, by, at, mine }) => ({
        key: id,
        href: `/operator/acts/${id}`,
        label: kindOf(kind).title,
        detail: (
          <>
            Proposed by {mine ? 'you' : by}, <When date={at} />
          </>
        ),
      })),
    },
    {
      title: 'Statements to confirm',
      count: statements.count,
      rows: statements.items.map(({ link, author, postedAt }) => ({
        key: link,
        href: begin('confirmation', link),
        label: (
          <>
            {author}, <When date={postedAt} />
          </>
        ),
        detail: link,
      })),
    },
    { title: "Payments of type 'other'", count: other.count, rows: other.items.map(paymentRow) },
    { title: 'Spending without a purpose', count: purposes.count, rows: purposes.items.map(paymentRow) },
    {
      title: 'Recipients without a name',
      count: names.count,
      rows: names.items.map(({ address }) => ({
        key: address,
        href: `/operator/new/name?${new URLSearchParams({ address })}`,
        label: address,
      })),
    },
    {
      title: 'Your drafts',
      count: drafts.count,
      rows: drafts.items.map(({ id, kind, at }) => ({
        key: id,
        href: `/operator/acts/${id}`,
        label: kindOf(kind).title,
        detail: (
          <>
            Saved <When date={at} />
          </>
        ),
      })),
    },
  ]
}

function paymentRow({ subject, id, occurredAt, tokens, amountUsd, toAddress }: QueuedPayment): Row {
  const amount = tokens ? formatTokens(tokens) : `Payment ${id}`
  return {
    key: subject,
    href: begin('purpose', subject),
    label: amountUsd === null ? amount : `${amount} (${formatDollars(amountUsd)})`,
    detail: (
      <>
        <When date={occurredAt} />, to {toAddress}
      </>
    ),
  }
}

function begin(kind: 'confirmation' | 'purpose' | 'withdrawal', subject: string): string {
  return `/operator/new/${kind}?${new URLSearchParams({ subject })}`
}
