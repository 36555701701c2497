import { Trans, useLingui } from '@lingui/react/macro'
import { callTitle, paidWords, sharedWords } from '~/ledger/calls'
import type { Call } from '~/ledger/calls.server'
import { Hash } from '~/ledger/hash'
import { SourceMark, StatementText } from '~/ledger/statement-text'
import { VerificationNote } from '~/ledger/verification-status'
import { Withdrawn } from '~/ledger/withdrawn'
import { PageLink, useLanguage } from '~/locales/react'
import { Copy } from '~/ui/copy'
import { Icon } from '~/ui/icon'
import { Share } from '~/ui/share'
import { When } from '~/ui/when'
import { EnglishWords } from '~/ui/words'

/**
 * The statements in the given order. A tick marks a verified payment. Each item shows the payment, the action, the transaction and then the
 * statement. The statement is quoted as text, so no script from another site runs here.
 */
export function CallFeed({ calls }: { calls: Call[] }) {
  return (
    <ol className="feed">
      {calls.map((call) => (
        <li key={call.id} id={`call-${call.id}`} data-key={call.id}>
          <span className={isPaid(call) ? 'feed-block bg-ink text-paper' : 'feed-block'} aria-hidden="true">
            {isPaid(call) && <Icon name="check" />}
          </span>
          <CallArticle call={call} />
        </li>
      ))}
    </ol>
  )
}

function isPaid({ answer }: Call): boolean {
  return answer?.status === 'verified'
}

function CallArticle({ call }: { call: Call }) {
  const { t } = useLingui()
  const { id, postedAt, verified, tweetUrl, author, actionTaken, answer, txHash } = call
  const language = useLanguage()
  const answerId = answer?.id
  const said = language.formats.day(postedAt)
  const shared = sharedWords(call, language)
  return (
    <article
      className="min-w-0 lg:grid lg:grid-cols-[1fr_1.7fr] lg:gap-x-12"
      aria-labelledby={`call-${id}-paid`}
    >
      <div>
        <h3 id={`call-${id}-paid`} className="figures text-2xl">
          {answer
            ? paidWords(postedAt, answer, language)
            : txHash
              ? t`Paid, not in the ledger yet`
              : t`No payment`}
        </h3>
        <p className="mt-2 wrap-anywhere">
          {actionTaken !== null ? (
            <EnglishWords>{actionTaken}</EnglishWords>
          ) : (
            <Withdrawn reason={call.actionReason} />
          )}
        </p>
        {answer && (
          <div className="mt-2">
            <VerificationNote verification={answer} />
          </div>
        )}
        {txHash && (
          <p className="mt-1">
            <Hash value={txHash} kind="tx" />
          </p>
        )}
        {shared && <p className="text-sm text-muted">{shared}</p>}
        {answer ? (
          <p>
            <PageLink to={`/transparency/${answer.id}`} className="link inline-block py-0.5">
              <Trans>
                See the payment<span className="sr-only">, transaction {answerId}</span>
              </Trans>
            </PageLink>
          </p>
        ) : (
          txHash && (
            <p className="text-sm text-muted">
              <Trans>Not in the ledger yet</Trans>
            </p>
          )
        )}
      </div>
      <div className="mt-4 lg:mt-0">
        <p className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1">
          <When date={postedAt} local />
          <span className={verified ? 'badge bg-good-wash text-good' : 'badge bg-plain-wash'}>
            {verified ? t`Source confirmed` : t`Source not confirmed`}
          </span>
        </p>
        <blockquote className="quote" cite={tweetUrl ?? undefined}>
          <p>
            <StatementText said={call} reason={call.tweetReason} />
          </p>
        </blockquote>
        <SourceMark said={call} />
        <p className="mt-3 text-muted">
          {author}
          {tweetUrl && (
            <>
              {' '}
              <a href={tweetUrl} className="link ms-2 inline-block py-0.5" rel="noopener nofollow">
                <Trans>
                  Read the original<span className="sr-only"> of {said}</span>
                </Trans>
              </a>{' '}
              <bdi dir="ltr">{new URL(tweetUrl).host}</bdi>
            </>
          )}
        </p>
        <div className="feed-tools">
          <Source call={call} />
          <Share
            quiet
            title={callTitle(call, language)}
            url={`/cz-call?before=${call.startCursor}#call-${id}`}
          />
        </div>
      </div>
    </article>
  )
}

/** How the statement was captured and confirmed. */
function Source({ call: { capturedAt, confirmedBy, statementSha256: sha256 } }: { call: Call }) {
  const words = <EnglishWords>{confirmedBy}</EnglishWords>
  const { t } = useLingui()
  return (
    <details className="text-sm text-muted">
      <summary className="py-1">
        <Trans>Details</Trans>
      </summary>
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
    </details>
  )
}
