import { Copy } from '../ui/copy'
import { Hash } from '../ui/hash'
import { Icon } from '../ui/icon'
import { When } from '../ui/when'
import { answerWords, type Call } from './calls'
import { type Explorer, explorerLink } from './explorer'
import { VerificationNote } from './verification-status'

/** Statements, newest first, each with what was done about it. The quotation is text: no one else's script runs here. */
export function CallFeed({ calls, explorer }: { calls: Call[]; explorer: Explorer }) {
  return (
    <ol className="feed">
      {calls.map((call) => (
        <li key={call.id} id={`call-${call.id}`}>
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
              <p className="mt-1 flex flex-wrap items-center gap-x-2 text-sm text-muted">
                {call.capturedAt && (
                  <span>
                    Captured <When date={call.capturedAt} />
                  </span>
                )}
                <span>
                  SHA-256 of the text: <Hash value={call.sha256} href={null} />
                </span>
                <Copy text={call.sha256} what="the SHA-256 of the statement" quiet />
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
                {call.txHash && <Answer call={call} />}
              </dd>
            </dl>
          </article>
        </li>
      ))}
    </ol>
  )
}

/** What the ledger says of the payment: a hash alone proves nothing. */
function Answer({ call: { date, answer } }: { call: Call }) {
  if (!answer) return <p className="text-sm text-muted">Not in the ledger yet, so not verified</p>
  return (
    <>
      <VerificationNote standing={answer.standing} />
      <p>
        {answerWords(date, answer.at)}.{' '}
        <a href={`/transparency/${answer.id}`} className="link inline-block py-0.5">
          The payment in the ledger<span className="sr-only">, transaction {answer.id}</span>
        </a>
      </p>
    </>
  )
}
