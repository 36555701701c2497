import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { PublishedAct } from '~/acts/published-acts.server'
import { actWords, hasPrivateReason, isActKind, pageOfAct } from '~/console/act-kinds'
import { isGoalKind } from '~/goals/acts'
import { EntryLink } from '~/ledger/entry-link'
import { Hash } from '~/ledger/hash'
import { shortHash } from '~/ledger/short-hash'
import { Withdrawn } from '~/ledger/withdrawn'
import { findPool } from '~/platform/impact-pools'
import { key } from '~/platform/locales/key'
import { PageLink, useLanguage } from '~/platform/locales/react'
import { When } from '~/platform/ui/when'
import { EnglishWords } from '~/platform/ui/words'

/**
 * An act. `goal` is the goal that the act is about; null if the act is about something else, or if the goal
 * has no page. A title is null if it is hidden or was withdrawn.
 */
export type ActRow = PublishedAct & { goal: { title: string | null } | null }

/** The acts, newest first: what was done, who did it and when, and the reason if one was given. */
export function ActList({ acts }: { acts: ActRow[] }) {
  return (
    <ol className="mt-4 border-t-2 border-ink">
      {acts.map((act) => (
        <li
          key={act.id}
          data-key={act.id}
          className="grid gap-x-8 border-b border-hairline py-2.5 lg:grid-cols-[1fr_auto] lg:items-baseline"
        >
          <p className="wrap-anywhere">
            <strong className="font-semibold">
              <What act={act} />
            </strong>
            {': '}
            <About act={act} />
          </p>
          <p className="figures flex flex-wrap items-baseline gap-x-3 text-sm text-muted lg:justify-end [&_time]:whitespace-nowrap">
            <span className="wrap-anywhere">
              <Who act={act} />
            </span>
            <When date={act.recordedAt} />
            <EntryLink logIndex={act.logIndex} />
          </p>
          <Reason act={act} />
        </li>
      ))}
    </ol>
  )
}

function Who({ act: { by, second } }: { act: PublishedAct }) {
  if (!by) return <Trans>by the holder of the secret key</Trans>
  return second ? (
    <Trans comment="Two operators: who did something, and who confirmed it">
      {by}, confirmed by {second}
    </Trans>
  ) : (
    by
  )
}

function Reason({ act: { act, reason, reasonWithdrawn } }: { act: PublishedAct }) {
  const isPrivate = hasPrivateReason(act)
  if (!isPrivate && !reason && !reasonWithdrawn) return null
  return (
    <p className="text-sm whitespace-pre-line text-muted wrap-anywhere">
      {isPrivate ? (
        <Trans>The reason is not public.</Trans>
      ) : reason ? (
        <EnglishWords>{reason}</EnglishWords>
      ) : (
        <Withdrawn reason={undefined} />
      )}
    </p>
  )
}

function What({ act: { act, madeRevision } }: { act: PublishedAct }) {
  const { i18n } = useLanguage()
  return isActKind(act) ? i18n._(actWords(act, madeRevision)) : act
}

/** The subject of an act, with a link to the page that shows it. */
function About({ act: { act, subject, madeKind, madeId, goal } }: { act: ActRow }) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const page = pageOfAct(act, { subject, madeKind, madeId }) ?? '#operators'
  if (madeKind === 'transaction') return <Page to={page}>{t`Payment ${madeId}`}</Page>
  if (madeKind === 'statement')
    return (
      <a href={subject} className="link" rel="noopener nofollow">
        <bdi dir="ltr">{subject.replace(/^https:\/\//, '')}</bdi>
      </a>
    )
  if (madeKind === 'update') {
    const [slug = '', number] = subject.split('/')
    return (
      <Page to={page}>{t`${{ pool: i18n._(key(findPool(slug)?.title ?? slug)) }}, update ${number}`}</Page>
    )
  }
  if (madeKind === 'name')
    return (
      <Page to={page}>
        <span className="hash">{`${subject.slice(0, 8)}…${subject.slice(-6)}`}</span>
      </Page>
    )
  if (madeKind === 'standing-order') return <Page to={page}>{t`Standing order ${{ number: subject }}`}</Page>
  if (act.startsWith('pay')) return <Page to={page}>{t`Payments`}</Page>
  if (madeKind === 'order') return <Page to={page}>{t`Order ${{ number: subject }}`}</Page>
  if (madeKind === 'split-vote') return <Page to={page}>{t`The split of the fees`}</Page>
  if (madeKind === 'withdrawal') return <Hash value={subject} />
  if (act === 'contact')
    return (
      <Page to={page}>
        <span className="hash">{shortHash(subject)}</span>
      </Page>
    )
  if (act === 'arrival-print')
    return (
      <Page to={`/transparency?q=${subject.split('/')[1]}#history`}>
        <span className="hash">{shortHash(subject.split('/')[1] ?? '')}</span>
      </Page>
    )
  if (act === 'answer-words' || act === 'answer-rejection') return `#${subject}`
  if (act === 'mistake-note') return <Page to={page}>{t`Our mistakes`}</Page>
  if (goal)
    return <Page to={`/giveback/${subject}`}>{goal.title ? <bdi lang="">{goal.title}</bdi> : subject}</Page>
  if (isGoalKind(act)) return subject
  return <Page to="#operators">{subject}</Page>
}

function Page({ to, children }: { to: string; children: ReactNode }) {
  return (
    <PageLink to={to} className="link">
      {children}
    </PageLink>
  )
}
