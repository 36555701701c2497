import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { findPool } from '~/impact-pools'
import { Hash } from '~/ledger/hash'
import { Withdrawn } from '~/ledger/withdrawn'
import { key } from '~/locales/key'
import { PageLink, useLanguage } from '~/locales/react'
import { actWords, hasPrivateReason, isActKind, isGoalKind } from '~/operator/kinds'
import type { PublishedAct } from '~/operator/published-acts.server'
import { type Column, Table } from '~/ui/table'
import { When } from '~/ui/when'
import { EnglishWords } from '~/ui/words'

const columns: Column<ActRow>[] = [
  { name: msg`Date`, className: 'figures', cell: ({ recordedAt }) => <When date={recordedAt} /> },
  {
    name: msg`Who`,
    cell: ({ by, second }) => (
      <span className="wrap-anywhere">
        {by ?? <Trans>by the holder of the secret key</Trans>}
        {second && (
          <span className="block text-sm text-muted">
            <Trans>confirmed by {second}</Trans>
          </span>
        )}
      </span>
    ),
  },
  { name: msg`What`, cell: (act) => <What act={act} /> },
  {
    name: msg({ message: 'About', context: 'act', comment: 'The column of what an act concerns' }),
    cell: (act) => <About act={act} />,
  },
  {
    name: msg`Reason`,
    cell: ({ act, reason, reasonWithdrawn }) =>
      isActKind(act) && hasPrivateReason(act) ? (
        <span className="text-muted">
          <Trans comment="In place of a reason">not public</Trans>
        </span>
      ) : reason ? (
        <span className="whitespace-pre-line wrap-anywhere">
          <EnglishWords>{reason}</EnglishWords>
        </span>
      ) : reasonWithdrawn ? (
        <Withdrawn reason={undefined} />
      ) : (
        <span className="text-muted">
          <Trans>none given</Trans>
        </span>
      ),
  },
  {
    name: msg({ message: 'Proof', context: 'of an entry of the log' }),
    cell: (act) => <Proof act={act} />,
  },
]

function Proof({ act: { logIndex } }: { act: PublishedAct }) {
  const { t } = useLingui()
  return (
    <a
      href={`/transparency/entries/${logIndex}/proof`}
      className="link inline-block py-1 whitespace-nowrap"
      download
      aria-label={t`Entry ${logIndex}: proof`}
    >
      <Trans>Entry {logIndex}</Trans>
    </a>
  )
}

/**
 * An act. `goal` is the goal that the act is about; null if the act is about something else, or if the goal
 * has no page. A title is null if it is hidden or was withdrawn.
 */
export type ActRow = PublishedAct & { goal: { title: string | null } | null }

/** The acts, newest first. */
export function ActTable({ acts }: { acts: ActRow[] }) {
  return <Table columns={columns} rows={acts} keyOf={({ id }) => id} live className="mt-6" />
}

function What({ act: { act, madeRevision } }: { act: PublishedAct }) {
  const { i18n } = useLanguage()
  return isActKind(act) ? i18n._(actWords(act, madeRevision)) : act
}

/**
 * As a flex container, a two-line link aligns by the baseline of its first line, like the row's other cells.
 */
const subjectLink = 'link inline-flex py-1 wrap-anywhere'

/** The subject of an act, with a link to the page that shows it. */
function About({ act: { act, subject, madeKind, madeId, goal } }: { act: ActRow }) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  if (madeKind === 'transaction') return <Page to={`/transparency/${madeId}`}>{t`Payment ${madeId}`}</Page>
  if (madeKind === 'statement')
    return (
      <a href={subject} className={subjectLink} rel="noopener nofollow">
        <bdi dir="ltr">{subject.replace(/^https:\/\//, '')}</bdi>
      </a>
    )
  if (madeKind === 'update') {
    const [slug = '', number] = subject.split('/')
    return (
      <Page
        to={`/voting/${slug}`}
      >{t`${{ pool: i18n._(key(findPool(slug)?.title ?? slug)) }}, update ${number}`}</Page>
    )
  }
  if (madeKind === 'name')
    return (
      <Page to={`/transparency?q=${subject}`}>
        <span className="hash">{`${subject.slice(0, 8)}…${subject.slice(-6)}`}</span>
      </Page>
    )
  if (act.startsWith('payments-')) return <Page to="/transparency/orders">{t`Payments`}</Page>
  if (madeKind === 'order')
    return (
      <Page to={`/transparency/orders?before=${Number(subject) + 1}`}>{t`Order ${{ number: subject }}`}</Page>
    )
  if (madeKind === 'split-vote')
    return <Page to={`/giveback/${subject}/votes`}>{t`The split of the fees`}</Page>
  if (madeKind === 'withdrawal') return <Hash value={subject} />
  if (goal)
    return <Page to={`/giveback/${subject}`}>{goal.title ? <bdi lang="">{goal.title}</bdi> : subject}</Page>
  if (isActKind(act) && isGoalKind(act)) return subject
  return <Page to="#operators">{subject}</Page>
}

function Page({ to, children }: { to: string; children: ReactNode }) {
  return (
    <PageLink to={to} className={subjectLink}>
      {children}
    </PageLink>
  )
}
