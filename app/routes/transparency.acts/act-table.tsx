import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { findPool } from '~/impact-pools'
import { Hash } from '~/ledger/hash'
import { Withdrawn } from '~/ledger/withdrawn'
import { key } from '~/locales/key'
import { PageLink, useLanguage } from '~/locales/react'
import { actWords, hasPrivateReason, isActKind, isGoalKind } from '~/operator/kinds'
import type { PublishedAct } from '~/operator/record.server'
import { type Column, Table } from '~/ui/table'
import { When } from '~/ui/when'
import { EnglishWords } from '~/ui/words'

const columns: Column<ActRow>[] = [
  { name: msg`Date`, className: 'figures', cell: ({ recordedAt }) => <When date={recordedAt} /> },
  {
    name: msg`Who`,
    cell: ({ by, second }) => (
      <span className="wrap-anywhere">
        {by ?? <Trans>by the command line</Trans>}
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
          <Trans comment="In place of a reason">for the member only</Trans>
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
    name: msg`Proof`,
    cell: (act) => <Proof act={act} />,
  },
]

function Proof({ act: { logIndex, id } }: { act: PublishedAct }) {
  const { t } = useLingui()
  return (
    <a
      href={`/transparency/entries/${logIndex}/proof`}
      className="link inline-block py-1 whitespace-nowrap"
      download
      aria-label={t`Proof of act ${id}`}
    >
      <Trans>Entry {logIndex}</Trans>
    </a>
  )
}

/** An act. `hasGoals`: whether goals have pages. */
export type ActRow = PublishedAct & { hasGoals: boolean }

/** The acts, newest first. */
export function ActTable({ acts }: { acts: ActRow[] }) {
  return <Table columns={columns} rows={acts} keyOf={({ id }) => id} live className="mt-6" />
}

function What({ act: { act, madeRevision } }: { act: PublishedAct }) {
  const { i18n } = useLanguage()
  return isActKind(act) ? i18n._(key(actWords(act, madeRevision))) : act
}

/** The subject of an act, with a link to the page that shows it. */
function About({ act: { act, subject, madeKind, madeId, hasGoals } }: { act: ActRow }) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  if (madeKind === 'transaction') return <Page to={`/transparency/${madeId}`}>{t`Payment ${madeId}`}</Page>
  if (madeKind === 'statement')
    return (
      <a href={subject} className="link inline-block py-1 wrap-anywhere" rel="noopener nofollow">
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
  if (madeKind === 'withdrawal') return <Hash value={subject} />
  // A returned or rejected goal has no page.
  if (isActKind(act) && isGoalKind(act))
    return hasGoals && !hasPrivateReason(act) ? <Page to={`/giveback/${subject}`}>{subject}</Page> : subject
  return <Page to="#operators">{subject}</Page>
}

function Page({ to, children }: { to: string; children: ReactNode }) {
  return (
    <PageLink to={to} className="link inline-block py-1 wrap-anywhere">
      {children}
    </PageLink>
  )
}
