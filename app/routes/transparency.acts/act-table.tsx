import { findPool } from '~/impact-pools'
import { Hash } from '~/ledger/hash'
import { Withdrawn } from '~/ledger/withdrawn'
import { actWords, isActKind } from '~/operator/kinds'
import type { PublishedAct } from '~/operator/record.server'
import { type Column, Table } from '~/ui/table'
import { When } from '~/ui/when'

const columns: Column<PublishedAct>[] = [
  { name: 'Date', className: 'figures', cell: ({ recordedAt }) => <When date={recordedAt} /> },
  {
    name: 'Who',
    cell: ({ by, second }) => (
      <span className="wrap-anywhere">
        {by ?? 'by the command line'}
        {second && <span className="block text-sm text-muted">confirmed by {second}</span>}
      </span>
    ),
  },
  { name: 'What', cell: (act) => whatWords(act) },
  { name: 'About', cell: (act) => <About act={act} /> },
  {
    name: 'Reason',
    cell: ({ reason, reasonWithdrawn }) =>
      reason ? (
        <span className="whitespace-pre-line wrap-anywhere">{reason}</span>
      ) : reasonWithdrawn ? (
        <Withdrawn reason={undefined} />
      ) : (
        <span className="text-muted">none given</span>
      ),
  },
  {
    name: 'Proof',
    cell: ({ logIndex, id }) => (
      <a
        href={`/transparency/entries/${logIndex}/proof`}
        className="link inline-block py-1 whitespace-nowrap"
        download
        aria-label={`Proof of act ${id}`}
      >
        Entry {logIndex}
      </a>
    ),
  },
]

/** The acts, newest first. */
export function ActTable({ acts }: { acts: PublishedAct[] }) {
  return <Table columns={columns} rows={acts} keyOf={({ id }) => id} live className="mt-6" />
}

function whatWords({ act, madeRevision }: PublishedAct): string {
  return isActKind(act) ? actWords(act, madeRevision) : act
}

/** What an act is about, linked to where it is published. */
function About({ act: { subject, madeKind, madeId } }: { act: PublishedAct }) {
  if (madeKind === 'transaction') return <Page href={`/transparency/${madeId}`}>{`Payment ${madeId}`}</Page>
  if (madeKind === 'statement')
    return (
      <a href={subject} className="link inline-block py-1 wrap-anywhere" rel="noopener nofollow">
        {subject.replace(/^https:\/\//, '')}
      </a>
    )
  if (madeKind === 'update') {
    const [slug = '', number] = subject.split('/')
    return <Page href={`/voting/${slug}`}>{`${findPool(slug)?.title ?? slug}, update ${number}`}</Page>
  }
  if (madeKind === 'name')
    return <Page href={`/transparency?q=${subject}`}>{`${subject.slice(0, 8)}…${subject.slice(-6)}`}</Page>
  if (madeKind === 'withdrawal') return <Hash value={subject} />
  return <Page href="#operators">{subject}</Page>
}

function Page({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} className="link inline-block py-1 wrap-anywhere">
      {children}
    </a>
  )
}
