import { Hash } from '../ui/hash'
import { Icon } from '../ui/icon'
import { When } from '../ui/when'
import type { Call } from './calls'
import { type Explorer, explorerLink } from './explorer'

/** Statements, newest first, each with what was done about it. The quotation is text: no one else's script runs here. */
export function CallFeed({ calls, explorer }: { calls: Call[]; explorer: Explorer }) {
  return (
    <ol className="feed">
      {calls.map((call) => (
        <li key={call.id}>
          <span
            className={call.verified ? 'feed-block bg-gold text-on-gold' : 'feed-block'}
            aria-hidden="true"
          >
            {call.verified && <Icon name="check" />}
          </span>
          <article className="min-w-0 lg:grid lg:grid-cols-[1.7fr_1fr] lg:gap-x-12">
            <p className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1 lg:col-span-2">
              <When date={call.date} />
              <span className={call.verified ? 'badge bg-good-wash text-good' : 'badge bg-plain-wash'}>
                {call.verified ? 'Confirmed by its source' : 'Not confirmed'}
              </span>
            </p>
            <div>
              <blockquote className="quote" cite={call.tweetUrl ?? undefined}>
                <p>{call.tweet}</p>
              </blockquote>
              <p className="mt-3 text-muted">
                {call.author}
                {call.tweetUrl && (
                  <>
                    {' · '}
                    <a href={call.tweetUrl} className="link" rel="noopener nofollow">
                      Read the original
                    </a>
                  </>
                )}
              </p>
            </div>
            <dl className="feed-facts">
              <dt>Action taken</dt>
              <dd className="wrap-anywhere">{call.action}</dd>
              <dt>Transaction</dt>
              <dd>
                {call.txHash ? (
                  <Hash value={call.txHash} href={explorerLink(explorer, 'tx', call.txHash)} />
                ) : (
                  <span className="text-muted">None so far</span>
                )}
              </dd>
            </dl>
          </article>
        </li>
      ))}
    </ol>
  )
}
