import { formatCount, formatDollars } from '../money'
import { Hash } from '../ui/hash'
import { When } from '../ui/when'
import { type Explorer, explorerLink } from './explorer'
import type { Check, LedgerRecord, Place, Revision } from './record'
import { Fact, Whole } from './record-facts'
import { formatTokens } from './transactions'
import { StatusBadge } from './verification-status'

/** Each time the row was held against the chain, and what was found. */
export function RecordChecks({ checks, explorer }: { checks: Check[]; explorer: Explorer }) {
  if (checks.length === 0)
    return <p className="mt-4 text-muted">Nobody has held this row against the chain yet.</p>
  return (
    <table className="ledger">
      <caption>The latest checks, newest first; every one is kept</caption>
      <thead>
        <tr>
          <th scope="col">Checked</th>
          <th scope="col">Found</th>
          <th scope="col">Block</th>
          <th scope="col">Confirmations</th>
        </tr>
      </thead>
      <tbody>
        {checks.map(({ id, status, checkedAt, reason, blockNumber, blockHash, blockTime, confirmations }) => (
          <tr key={id}>
            <td data-label="Checked" className="figures">
              <When date={checkedAt} />
            </td>
            <td data-label="Found">
              <span className="grid">
                <StatusBadge status={status} checkedAt={checkedAt} />
                {reason && <span className="text-sm text-muted wrap-anywhere">{reason}</span>}
              </span>
            </td>
            <td data-label="Block" className="figures">
              {blockNumber === null ? (
                <span className="text-muted">None</span>
              ) : (
                <span className="grid justify-items-start">
                  <Block number={blockNumber} explorer={explorer} />
                  {blockHash && <Hash value={blockHash} href={null} />}
                  {blockTime && (
                    <span className="text-sm text-muted">
                      <When date={blockTime} />
                    </span>
                  )}
                </span>
              )}
            </td>
            <td data-label="Confirmations" className="figures">
              {confirmations === null ? <span className="text-muted">None</span> : formatCount(confirmations)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Block({ number, explorer }: { number: number; explorer: Explorer }) {
  const link = explorerLink(explorer, 'block', `${number}`)
  return link ? (
    <a href={link} className="link" rel="noopener">
      {formatCount(number)}
    </a>
  ) : (
    <span>{formatCount(number)}</span>
  )
}

/** The place of the row in the log, and whether a signed checkpoint covers it. */
export function ChainPlace({ place }: { place: Place }) {
  const { index, hash, previousId, nextId, signedSize } = place
  return (
    <>
      <ol className="chain">
        <li>
          {previousId === null ? (
            <strong>The beginning</strong>
          ) : (
            <a href={`/transparency/${previousId}`} className="link font-semibold" rel="prev">
              Row before
            </a>
          )}
        </li>
        <li className="chain-here" aria-current="true">
          <strong>Entry {formatCount(index)} of the log, this one</strong>
          <Hash value={hash} href={null} />
        </li>
        <li className={nextId === null ? 'chain-open' : undefined}>
          {nextId === null ? (
            <span className="text-muted">Not written yet</span>
          ) : (
            <a href={`/transparency/${nextId}`} className="link font-semibold" rel="next">
              Row after
            </a>
          )}
        </li>
      </ol>
      <dl className="facts mt-6">
        <Fact name="Leaf hash of this row">
          <Whole value={hash} href={null} what="the leaf hash of this row" />
        </Fact>
        <Fact name="Signed">
          {signedSize === null
            ? 'No signed checkpoint covers this row yet.'
            : `The checkpoint of ${formatCount(signedSize)} entries covers this row.`}
        </Fact>
      </dl>
    </>
  )
}

/** What this record said at first, and what it says now: a correction takes a place of its own. */
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
              <strong>Entry {formatCount(revision.index)}, this one</strong>
            ) : (
              <a href={`/transparency/${revision.id}`} className="link">
                Entry {formatCount(revision.index)}
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

function worth({ amount, tokens }: Revision): string {
  const parts = [amount !== null && formatDollars(amount), tokens && formatTokens(tokens)].filter(Boolean)
  return parts.join(', ') || 'an amount that is not stated'
}
