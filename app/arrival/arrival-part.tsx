import { Trans, useLingui } from '@lingui/react/macro'
import type { Arrival } from '../ledger/arrivals'
import { EntryLink } from '../ledger/entry-link'
import { ListUnavailable } from '../ledger/unavailable'
import { Withdrawn } from '../ledger/withdrawn'
import { Gap, PageLink, useLanguage } from '../platform/locales/react'
import { Part } from '../platform/ui/section'
import { When } from '../platform/ui/when'
import { EnglishWords, WordsOfMember } from '../platform/ui/words'
import type { Answer, Exchange } from './answers.server'
import { answerWords, ExchangeWords, StrengthWords } from './words'

/** On the page of a payment: what its recipient says, in three strengths that are never added up. */
export function ArrivalPart({
  id,
  answers,
  state,
  exchange,
}: {
  id: number
  /** Null if they cannot be read. */
  answers: Answer[] | null
  state: Arrival | undefined
  exchange: Exchange | undefined
}) {
  const { t } = useLingui()
  const open = answers?.find(({ isStandingNo, notes }) => isStandingNo && notes.length === 0)
  return (
    <Part id="arrival" title={t`Did it arrive?`} live="ledger acts">
      {open && (
        <p className="notice border-s-4 border-bad bg-bad-wash">
          <strong>
            <Trans>The recipient says it didn't arrive.</Trans>
          </strong>
          <Gap />
          <Trans>We have not explained it yet.</Trans>
        </p>
      )}
      {!answers ? (
        <ListUnavailable />
      ) : answers.length === 0 ? (
        <p className="mt-3">
          {state === 'asked' ? (
            <Trans>We asked the recipient, who has not answered yet.</Trans>
          ) : (
            <Trans>We have not asked the recipient. The transaction proves only that the money left.</Trans>
          )}
        </p>
      ) : (
        <ol className="mt-4 border-t-2 border-ink">
          {answers.map((answer) => (
            <AnswerItem key={answer.id} answer={answer} />
          ))}
        </ol>
      )}
      {state === 'asked' && answers && answers.length > 0 && (
        <p className="mt-3">
          <Trans>The payment was corrected since, and we asked again. There is no new answer yet.</Trans>
        </p>
      )}
      <p className="mt-3 text-sm text-muted">
        <Trans>
          The newest answer counts. An answer proves who gave it, as it says, and not that things reached the
          people they are for.
        </Trans>
        <Gap />
        {exchange ? (
          <ExchangeWords said={exchange} />
        ) : (
          <PageLink to={`/transparency/${id}/arrived`} className="link">
            <Trans>Was your wallet paid? Answer with it</Trans>
          </PageLink>
        )}
      </p>
    </Part>
  )
}

function AnswerItem({ answer: given }: { answer: Answer }) {
  const { i18n } = useLanguage()
  const { answer, recordedAt, isCurrent, name, words, wordsWait, wordsWithdrawn, logIndex, notes } = given
  const { rejectedBy, rejectedBecause } = given
  return (
    <li className="border-b border-hairline py-3">
      <p>
        <strong className={given.isStandingNo ? 'text-bad' : undefined}>{i18n._(answerWords[answer])}</strong>
        , <When date={recordedAt} /> {logIndex !== null && <EntryLink logIndex={logIndex} />}
      </p>
      <p className="text-sm text-muted">
        <StrengthWords said={given} />
        {!isCurrent && (
          <>
            {' · '}
            <Trans>about the payment as it was before a correction</Trans>
          </>
        )}
      </p>
      {(words || name) && (
        <p className="mt-1 whitespace-pre-line wrap-anywhere">
          <WordsOfMember>{[words, name].filter(Boolean).join('\n')}</WordsOfMember>
        </p>
      )}
      {wordsWait && (
        <p className="mt-1 text-sm text-muted">
          <Trans>Their words wait for one of our operators.</Trans>
        </p>
      )}
      {rejectedBy && (
        <p className="mt-1 text-sm text-muted">
          <Trans>{rejectedBy} did not publish their words, because:</Trans>{' '}
          {rejectedBecause ? <EnglishWords>{rejectedBecause}</EnglishWords> : <Withdrawn />}
        </p>
      )}
      {wordsWithdrawn && (
        <p className="mt-1 text-sm">
          <Withdrawn />
        </p>
      )}
      {notes.map(({ by, text, saidAt }) => (
        <p key={saidAt.toISOString()} className="mt-1 border-s-2 border-ink ps-3">
          {text ? <EnglishWords>{text}</EnglishWords> : <Withdrawn />}{' '}
          <span className="text-sm text-muted">
            {by}, <When date={saidAt} day />
          </span>
        </p>
      ))}
    </li>
  )
}
