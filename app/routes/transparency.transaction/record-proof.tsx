import { ExplorerLink } from '~/ledger/explorer-link'
import { Hash, WholeHash } from '~/ledger/hash'
import type { ShownAnchor, ShownProof } from '~/ledger/proof.server'
import type { LedgerRecord } from '~/ledger/record.server'
import { Fact } from '~/ledger/record-facts'
import { formatTokens } from '~/ledger/transactions'
import { ListUnavailable } from '~/ledger/unavailable'
import { StatusBadge } from '~/ledger/verification-status'
import { Cosigned, type ShownWitnesses } from '~/ledger/witnesses'
import { formatCount, formatDollars } from '~/money'
import { plural } from '~/plural'
import { type Column, Table } from '~/ui/table'
import { When } from '~/ui/when'

const none = <span className="text-muted">None</span>

const checkColumns: Column<LedgerRecord['checks'][number]>[] = [
  { name: 'Checked', className: 'figures', cell: ({ checkedAt }) => <When date={checkedAt} /> },
  {
    name: 'Found',
    cell: ({ status, reason }) => (
      <span className="grid">
        <StatusBadge status={status} />
        {reason && <span className="text-sm text-muted wrap-anywhere">{reason}</span>}
      </span>
    ),
  },
  {
    name: 'Block',
    className: 'figures',
    cell: ({ blockNumber, blockHash, blockTime }) =>
      blockNumber === null ? (
        none
      ) : (
        <span className="grid justify-items-start">
          <Block number={blockNumber} />
          {blockHash && <Hash value={blockHash} />}
          {blockTime && (
            <span className="text-sm text-muted">
              <When date={blockTime} />
            </span>
          )}
        </span>
      ),
  },
  {
    name: 'Confirmations',
    className: 'figures',
    cell: ({ confirmations }) => (confirmations === null ? none : formatCount(confirmations)),
  },
]

/** The latest checks of the row against the chain, newest first. */
export function RecordChecks({ checks }: { checks: LedgerRecord['checks'] }) {
  if (checks.length === 0) return <p className="mt-4 text-muted">Not checked against the blockchain yet.</p>
  return (
    <Table
      caption="Latest checks, newest first. We keep them all."
      columns={checkColumns}
      rows={checks}
      keyOf={({ id }) => id}
    />
  )
}

function Block({ number }: { number: number }) {
  const text = formatCount(number)
  return (
    <ExplorerLink kind="block" value={`${number}`} plain={<span>{text}</span>}>
      {text}
    </ExplorerLink>
  )
}

interface LogProofProps {
  record: Pick<LedgerRecord, 'id' | 'logIndex' | 'previousId' | 'nextId'>
  /** 'none' until a signed checkpoint covers the row; null if it cannot be read. */
  proof: ShownProof | 'none' | null
  anchor: ShownAnchor | null
  witnesses: ShownWitnesses
  /** URLs of the endpoints from which the visitor's browser may request the transaction. */
  endpoints: string[]
  siteUrl: string
  /** URLs of the modules that check in the browser. */
  checkers: { row: string; chain: string }
}

/** Explains the row's proof. The entry, its path to the root, the checkpoint and its signature are in a disclosure. */
export function LogProof({ record, proof, anchor, witnesses, endpoints, siteUrl, checkers }: LogProofProps) {
  const { id, logIndex } = record
  if (proof === null) return <ListUnavailable what="We can't load the proof right now." />
  if (proof === 'none')
    return (
      <>
        <p className="mt-3 max-w-[65ch]">
          This row is in the log. Not signed yet: we sign a checkpoint about every minute.
        </p>
        <Neighbours record={record} />
      </>
    )
  return (
    <>
      <p className="mt-3 max-w-[65ch]">
        This row is in a log that can only grow. We signed the fingerprint of the whole log,{' '}
        {plural(proof.size, { one: '# entry', other: '# entries' })}, on <When date={proof.signedAt} />.
        Change anything in this row, and that fingerprint no longer matches.
      </p>
      {anchor && (
        <p className="mt-3 max-w-[65ch]">
          We also wrote a checkpoint that covers this row to the blockchain. It can't be changed there:{' '}
          <TransactionLink anchor={anchor} />.
        </p>
      )}
      {witnesses.list.length > 0 && <Cosigned note={proof.note} witnesses={witnesses} />}
      <div
        className="panel mt-6"
        data-check-row={proof.file}
        data-vkey={proof.vkey}
        data-row={id}
        data-endpoints={endpoints.join(' ')}
        data-checker={checkers.row}
        data-chain-checker={endpoints.length > 0 ? checkers.chain : undefined}
      >
        <p>
          <a href={`/transparency/${id}/proof`} className="button" download>
            Download the proof
          </a>
        </p>
        <p className="mt-4 max-w-[65ch] text-muted">
          Check it on your own computer with{' '}
          <a href="/verify-ledger.mjs" className="link" download>
            verify-ledger.mjs
          </a>
          , or with any program that reads C2SP tlog-proof:
        </p>
        <pre className="commands">
          <code>{`curl -fO ${siteUrl}/transparency/log/vkey
node verify-ledger.mjs --row ${id}.tlog-proof --id ${id} --vkey vkey`}</code>
        </pre>
      </div>
      <details className="mt-6">
        <summary className="link inline-block cursor-pointer py-1">Show the whole proof</summary>
        <dl className="facts mt-4">
          <Fact name="Log position">{formatCount(logIndex)}</Fact>
          <Fact name="Entry">
            <code className="hash wrap-anywhere">{proof.entry}</code>
          </Fact>
          <Fact name="Leaf: SHA-256 of 00 and the entry">
            <WholeHash value={proof.leaf} what="the leaf hash" />
          </Fact>
          <Fact name="Path, from the leaf to the root">
            <ol className="grid gap-1">
              {proof.path.map((hash) => (
                <li key={hash} className="hash wrap-anywhere">
                  {hash}
                </li>
              ))}
            </ol>
          </Fact>
          <Fact name="Root">
            <WholeHash value={proof.root} what="the root hash" />
          </Fact>
          <Fact name="Checkpoint with its signature">
            <code className="hash whitespace-pre-wrap wrap-anywhere">{proof.note}</code>
          </Fact>
          <Fact name="Verifier key">
            <WholeHash value={proof.vkey} what="the verifier key" />
          </Fact>
        </dl>
      </details>
      <Neighbours record={record} />
    </>
  )
}

function TransactionLink({ anchor }: { anchor: ShownAnchor }) {
  return (
    <ExplorerLink kind="tx" value={anchor.txHash}>
      see the transaction in block {formatCount(anchor.block)}
    </ExplorerLink>
  )
}

/** Links to the rows before and after this one, by id. */
function Neighbours({ record: { previousId, nextId } }: Pick<LogProofProps, 'record'>) {
  return (
    <p className="mt-5 flex flex-wrap gap-x-6 gap-y-2">
      {previousId !== null && (
        <a href={`/transparency/${previousId}`} className="link py-1" rel="prev">
          Previous: row {formatCount(previousId)}
        </a>
      )}
      {nextId !== null && (
        <a href={`/transparency/${nextId}`} className="link py-1" rel="next">
          Next: row {formatCount(nextId)}
        </a>
      )}
    </p>
  )
}

/** The first record and each correction. A correction is a separate row. */
export function Corrections({ revisions, id }: Pick<LedgerRecord, 'revisions' | 'id'>) {
  return (
    <ol className="mt-4 border-t-2 border-ink">
      {revisions.map((revision, at) => (
        <li key={revision.id} className="grid gap-x-6 border-b border-hairline py-3 sm:grid-cols-[12rem_1fr]">
          <span className="text-muted">
            <When date={revision.recordedAt} />
          </span>
          <span>
            {revision.id === id ? (
              <strong>Row {formatCount(revision.id)}, this one</strong>
            ) : (
              <a href={`/transparency/${revision.id}`} className="link">
                Row {formatCount(revision.id)}
              </a>
            )}
            : {at === 0 ? 'recorded as' : 'corrected to'} {worth(revision)}
            {revision.note && <span className="block text-sm text-muted wrap-anywhere">{revision.note}</span>}
          </span>
        </li>
      ))}
    </ol>
  )
}

function worth({ amountUsd, tokens }: LedgerRecord['revisions'][number]): string {
  const parts = [amountUsd !== null && formatDollars(amountUsd), tokens && formatTokens(tokens)].filter(
    Boolean,
  )
  return parts.join(', ') || 'an unknown amount'
}
