import { Trans, useLingui } from '@lingui/react/macro'
import { answerWords, callTitle, sharedWords } from '~/ledger/calls'
import type { Call } from '~/ledger/calls.server'
import { Hash } from '~/ledger/hash'
import { SourceMark, StatementText } from '~/ledger/statement-text'
import { StatusBadge, VerificationNote } from '~/ledger/verification-status'
import { Withdrawn } from '~/ledger/withdrawn'
import { OrderAmount, OrderState, Recipient } from '~/payments/order-words'
import type { Order } from '~/payments/orders.server'
import { PageLink, useLanguage } from '~/platform/locales/react'
import { Copy } from '~/platform/ui/copy'
import { Share } from '~/platform/ui/share'
import { When } from '~/platform/ui/when'
import { EnglishWords } from '~/platform/ui/words'

/**
 * The statements in the given order. Each item is a pair: the statement and the receipt of the payment that
 * followed. Source, times and hashes are in the disclosure 'Proof'. The statement is quoted as text, so no
 * script from another site runs here.
 */
export function CallFeed({ calls, now }: { calls: OrderedCall[]; now: number }) {
  return (
    <ol className="feed">
      {calls.map((call) => (
        <li key={call.id} id={`call-${call.id}`} data-key={call.id}>
          <CallArticle call={call} now={now} />
        </li>
      ))}
    </ol>
  )
}

/** A statement, with the order of its payment until it is paid and confirmed. */
type OrderedCall = Call & { order: Order | undefined }

function CallArticle({ call, now }: { call: OrderedCall; now: number }) {
  const { t } = useLingui()
  const { id, postedAt, verified, tweetUrl, author } = call
  const language = useLanguage()
  return (
    <article className="call" aria-labelledby={`call-${id}-said`}>
      <div>
        <blockquote className="quote call-quote" cite={tweetUrl ?? undefined}>
          <p>
            <StatementText said={call} reason={call.tweetReason} />
          </p>
        </blockquote>
        <SourceMark said={call} />
        <p className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-1">
          <span id={`call-${id}-said`} className="text-muted">
            <bdi>{author}</bdi> · <When date={postedAt} day />
          </span>
          <span className={verified ? 'badge bg-good-wash text-good' : 'badge bg-plain-wash'}>
            {verified ? (
              t`Source confirmed`
            ) : call.order?.standing != null ? (
              <Trans comment="Of a statement that no person has published or confirmed">
                Read by the system
              </Trans>
            ) : (
              t`Source not confirmed`
            )}
          </span>
        </p>
      </div>
      <Receipt call={call} now={now} />
      <div className="folded-row">
        <Proof call={call} />
        <Share
          quiet
          title={callTitle(call, language)}
          url={`/cz-call?before=${call.startCursor}#call-${id}`}
        />
      </div>
    </article>
  )
}

/** What the donation wallet paid after a statement, and how long this took. */
function Receipt({
  call: { postedAt, actionTaken, actionReason, answer, txHash, order },
  now,
}: {
  call: OrderedCall
  now: number
}) {
  const { t } = useLingui()
  const language = useLanguage()
  const action =
    actionTaken !== null ? <EnglishWords>{actionTaken}</EnglishWords> : <Withdrawn reason={actionReason} />
  const { approvedBy, approvedSecond } = order ?? {}
  if (!answer && order)
    return (
      <div className="call-receipt border-edge">
        <h3>
          <Trans comment="An amount, and who receives it">
            <OrderAmount order={order} /> to <Recipient order={order} />
          </Trans>
        </h3>
        <p className="mt-1 wrap-anywhere">
          <OrderState order={order} now={now} />
        </p>
        <p className="mt-1 wrap-anywhere">
          {order.standing === null ? (
            action
          ) : (
            <PageLink to={`/transparency/orders#standing-${order.standing}`} className="link">
              {approvedBy && approvedSecond ? (
                <Trans>
                  Automatic rule of {approvedBy} and {approvedSecond}
                </Trans>
              ) : (
                <Trans>Automatic rule</Trans>
              )}
            </PageLink>
          )}
        </p>
      </div>
    )
  if (!answer)
    return (
      <div className="call-receipt border-edge">
        <h3>{txHash ? t`Paid, not in the ledger yet` : t`No payment`}</h3>
        <p className="mt-1 wrap-anywhere">{action}</p>
      </div>
    )
  return (
    <div className="call-receipt bg-raised">
      <p className="text-sm text-muted">{answerWords(postedAt, answer.at, language)}</p>
      <h3 className="figures">
        <PageLink to={`/transparency/${answer.id}`} className="link">
          {answer.amount === null ? t`No dollar value yet` : language.formats.exactDollars(answer.amount)}
        </PageLink>
      </h3>
      <p className="mt-1 wrap-anywhere">{action}</p>
      <div className="mt-3 border-t border-dashed border-edge pt-3">
        <StatusBadge status={answer.status} />
      </div>
    </div>
  )
}

/** Where the statement was read, how it was confirmed, and the transaction that followed. */
function Proof({ call }: { call: Call }) {
  const { t } = useLingui()
  const { postedAt, tweetUrl, capturedAt, confirmedBy, statementSha256: sha256, answer, txHash } = call
  const language = useLanguage()
  const said = language.formats.day(postedAt)
  const shared = sharedWords(call, language)
  const words = <EnglishWords>{confirmedBy}</EnglishWords>
  return (
    <details className="text-sm text-muted">
      <summary className="py-1">
        <Trans>
          Proof<span className="sr-only"> of {said}</span>
        </Trans>
      </summary>
      <p>
        <When date={postedAt} local />
      </p>
      {tweetUrl && (
        <p>
          <a href={tweetUrl} className="link me-2 inline-block py-0.5" rel="noopener nofollow">
            <Trans>
              Read the original<span className="sr-only"> of {said}</span>
            </Trans>
          </a>{' '}
          <bdi dir="ltr">{new URL(tweetUrl).host}</bdi>
        </p>
      )}
      {confirmedBy && (
        <p>
          <Trans>How we confirmed it: {words}</Trans>
        </p>
      )}
      {capturedAt && (
        <p>
          <Trans>
            Saved <When date={capturedAt} />
          </Trans>
        </p>
      )}
      {sha256 && (
        <p className="flex flex-wrap items-center gap-x-2">
          <span>
            <Trans>
              Text fingerprint: <Hash value={sha256} />
            </Trans>
          </span>
          <Copy text={sha256} what={t`the fingerprint of the text`} quiet />
        </p>
      )}
      {txHash && (
        <p>
          <Hash value={txHash} kind="tx" />
        </p>
      )}
      {answer && <VerificationNote verification={answer} />}
      {shared && <p>{shared}</p>}
    </details>
  )
}
