import { msg, ph } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ExplorerLink } from '~/ledger/explorer-link'
import { Hash, WholeHash } from '~/ledger/hash'
import type { ShownAnchor, ShownProof } from '~/ledger/proof.server'
import type { LedgerRecord } from '~/ledger/record.server'
import { Fact } from '~/ledger/record-facts'
import { firstWithin } from '~/ledger/token-transfers'
import { ListUnavailable } from '~/ledger/unavailable'
import { StatusBadge } from '~/ledger/verification-status'
import { Cosigned, type ShownWitnesses } from '~/ledger/witnesses'
import { PageLink, useLanguage } from '~/platform/locales/react'
import { ScriptSentences } from '~/platform/locales/sentences'
import { CommandLines } from '~/platform/ui/command-lines'
import { type Column, Table } from '~/platform/ui/table'
import { When } from '~/platform/ui/when'
import { EnglishWords } from '~/platform/ui/words'
import { checkSentences } from './check-sentences'

function None() {
  return (
    <span className="text-muted">
      <Trans>None</Trans>
    </span>
  )
}

function Count({ count }: { count: number }) {
  return useLanguage().formats.count(count)
}

const checkColumns: Column<LedgerRecord['checks'][number]>[] = [
  { name: msg`Checked`, className: 'figures', cell: ({ checkedAt }) => <When date={checkedAt} /> },
  {
    name: msg`Found`,
    cell: ({ status, reason }) => (
      <span className="grid">
        <StatusBadge status={status} />
        {reason && (
          <span className="text-sm text-muted wrap-anywhere">
            <EnglishWords>{reason}</EnglishWords>
          </span>
        )}
      </span>
    ),
  },
  {
    name: msg`Block`,
    className: 'figures',
    cell: ({ blockNumber, blockHash, blockTime }) =>
      blockNumber === null ? (
        <None />
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
    name: msg`Confirmations`,
    className: 'figures',
    cell: ({ confirmations }) => (confirmations === null ? <None /> : <Count count={confirmations} />),
  },
]

/** The latest checks of the row against the blockchain, newest first, and what a check compares. */
export function RecordChecks({ record: { checks, ordinal } }: { record: LedgerRecord }) {
  const { t } = useLingui()
  if (checks.length === 0)
    return (
      <p className="mt-4 text-muted">
        <Trans>Not checked against the blockchain yet.</Trans>
      </p>
    )
  return (
    <>
      <p className="mt-3 max-w-[65ch] text-muted">
        {ordinal >= firstWithin ? (
          <Trans>
            A check sees that the transaction is in a block and succeeded. It doesn't compare what a contract
            paid within it: the balances before and after its block showed that when we found this payment.
          </Trans>
        ) : (
          <Trans>
            A check compares the token, the sender, the recipient and the amount with the transaction. It
            doesn't see what the payment was for.
          </Trans>
        )}
      </p>
      <Table
        caption={t`Latest checks, newest first. We keep them all.`}
        columns={checkColumns}
        rows={checks}
        keyOf={({ id }) => id}
      />
    </>
  )
}

function Block({ number }: { number: number }) {
  const { formats } = useLanguage()
  const text = formats.count(number)
  return (
    <ExplorerLink kind="block" value={`${number}`} plain={<span>{text}</span>}>
      {text}
    </ExplorerLink>
  )
}

interface LogProofProps {
  record: Pick<LedgerRecord, 'id' | 'logIndex' | 'checks'>
  /** 'none' until a signed checkpoint covers the row; null if the proof cannot be read. */
  proof: ShownProof | 'none' | null
  anchor: ShownAnchor | null
  witnesses: ShownWitnesses
  /** URLs of the endpoints from which the visitor's browser may request the transaction. */
  endpoints: string[]
  siteUrl: string
  /** URLs of the modules that check in the browser. */
  checkers: { row: string; chain: string }
}

/**
 * Explains the proof of the row. A disclosure contains the entry, its path to the root, the checkpoint and
 * its signature.
 */
export function LogProof({ record, proof, anchor, witnesses, endpoints, siteUrl, checkers }: LogProofProps) {
  const { t } = useLingui()
  const { formats } = useLanguage()
  const { id, logIndex } = record
  if (proof === null) return <ListUnavailable what={t`We can't load the proof right now.`} />
  if (proof === 'none')
    return (
      <p className="mt-3 max-w-[65ch]">
        <Trans>This row is in the log. Not signed yet: no checkpoint covers it.</Trans>
      </p>
    )
  const block = record.checks.find(({ blockNumber }) => blockNumber !== null)?.blockNumber
  const commands = `curl -fO ${siteUrl}/transparency/log/vkey
node verify-ledger.mjs --row ${id}.tlog-proof --id ${id} --vkey vkey`
  return (
    <>
      <p className="mt-3 max-w-[65ch]">
        <Trans>
          This row is in a log that can only grow. We signed the fingerprint of the whole log,{' '}
          <Plural value={proof.size} one="# entry" other="# entries" />, on <When date={proof.signedAt} />.
          Change anything in this row, and that fingerprint no longer matches.
        </Trans>
      </p>
      {anchor && (
        <p className="mt-3 max-w-[65ch]">
          <Trans>
            We also wrote a checkpoint that covers this row to the blockchain. It can't be changed there:{' '}
            <TransactionLink anchor={anchor} />.
          </Trans>
        </p>
      )}
      {witnesses.list.length > 0 && <Cosigned note={proof.note} witnesses={witnesses} />}
      <div
        className="panel mt-6"
        data-check-row={proof.file}
        data-vkey={proof.vkey}
        data-row={id}
        data-block={block == null ? undefined : `0x${block.toString(16)}`}
        data-endpoints={endpoints.join(' ')}
        data-checker={checkers.row}
        data-chain-checker={endpoints.length > 0 ? checkers.chain : undefined}
      >
        <noscript>
          <p className="mb-3">
            <Trans>
              The button that checks this payment in your browser needs JavaScript. Without it, download the
              proof and check it with a program.
            </Trans>
          </p>
        </noscript>
        <p>
          <a href={`/transparency/${id}/proof`} className="button" download>
            <Trans>Download the proof</Trans>
          </a>
        </p>
        <p className="mt-4 max-w-[65ch] text-muted">
          <Trans>
            Check it on your own computer with{' '}
            <a href="/verify-ledger.mjs" className="link" download>
              verify-ledger.mjs
            </a>
            , or with any program that reads C2SP tlog-proof:
          </Trans>
        </p>
        <CommandLines>{commands}</CommandLines>
      </div>
      <ScriptSentences of={checkSentences} />
      <details className="mt-6">
        <summary className="link inline-block cursor-pointer py-1">
          <Trans>Show the whole proof</Trans>
        </summary>
        <dl className="facts mt-4">
          <Fact name={t`Log position`}>{formats.count(logIndex)}</Fact>
          <Fact name={t`Entry`}>
            <code className="hash wrap-anywhere">{proof.entry}</code>
          </Fact>
          <Fact name={t`Leaf: SHA-256 of 00 and the entry`}>
            <WholeHash value={proof.leaf} what={t`the leaf hash`} />
          </Fact>
          <Fact name={t`Path, from the leaf to the root`}>
            <ol className="grid justify-items-start gap-1">
              {proof.path.map((hash) => (
                <li key={hash} className="hash wrap-anywhere">
                  {hash}
                </li>
              ))}
            </ol>
          </Fact>
          <Fact name={t`Root`}>
            <WholeHash value={proof.root} what={t`the root hash`} />
          </Fact>
          <Fact name={t`Checkpoint with its signature`}>
            <code className="hash whitespace-pre-wrap wrap-anywhere">{proof.note}</code>
          </Fact>
          <Fact name={t`Verifier key`}>
            <WholeHash value={proof.vkey} what={t`the verifier key`} />
          </Fact>
        </dl>
      </details>
    </>
  )
}

function TransactionLink({ anchor }: { anchor: ShownAnchor }) {
  const { formats } = useLanguage()
  return (
    <ExplorerLink kind="tx" value={anchor.txHash}>
      <Trans>see the transaction in block {ph({ block: formats.count(anchor.block) })}</Trans>
    </ExplorerLink>
  )
}

/** Links to the rows with the previous and the next id. */
export function Neighbours({
  record: { previousId, nextId },
}: {
  record: Pick<LedgerRecord, 'previousId' | 'nextId'>
}) {
  const { formats } = useLanguage()
  return (
    <p className="mt-5 flex flex-wrap gap-x-6 gap-y-2">
      {previousId !== null && (
        <PageLink to={`/transparency/${previousId}`} className="link py-1" rel="prev">
          <Trans>Previous: row {ph({ previousId: formats.count(previousId) })}</Trans>
        </PageLink>
      )}
      {nextId !== null && (
        <PageLink to={`/transparency/${nextId}`} className="link py-1" rel="next">
          <Trans>Next: row {ph({ nextId: formats.count(nextId) })}</Trans>
        </PageLink>
      )}
    </p>
  )
}

/** The first version of the record and each correction, which are separate rows. */
export function Corrections({ revisions, id }: Pick<LedgerRecord, 'revisions' | 'id'>) {
  const { formats } = useLanguage()
  return (
    <ol className="mt-4 border-t-2 border-ink">
      {revisions.map((revision, at) => (
        <li key={revision.id} className="grid gap-x-6 border-b border-hairline py-3 sm:grid-cols-[12rem_1fr]">
          <span className="text-muted">
            <When date={revision.recordedAt} />
          </span>
          <span>
            {revision.id === id ? (
              <strong>
                <Trans>Row {ph({ id: formats.count(revision.id) })}, this one</Trans>
              </strong>
            ) : (
              <PageLink to={`/transparency/${revision.id}`} className="link">
                <Trans>Row {ph({ id: formats.count(revision.id) })}</Trans>
              </PageLink>
            )}
            <Worth revision={revision} former={revisions[at - 1]} />
            {revision.note && (
              <span className="block text-sm text-muted wrap-anywhere">
                <EnglishWords>{revision.note}</EnglishWords>
              </span>
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}

type Revision = LedgerRecord['revisions'][number]

function Worth({ revision, former }: { revision: Revision; former: Revision | undefined }) {
  const { t } = useLingui()
  const { formats } = useLanguage()
  const { amountUsd, tokens } = revision
  const parts = [amountUsd !== null && formats.exactDollars(amountUsd), tokens && formats.tokens(tokens)]
  const amount = parts.filter(Boolean).join(', ') || t`an unknown amount`
  if (former && former.amountUsd === amountUsd && former.tokens?.amount === tokens?.amount)
    return former.note !== revision.note ? (
      former.note ? (
        <Trans comment="After 'Row 12'">: purpose changed</Trans>
      ) : (
        <Trans comment="After 'Row 12'">: purpose added</Trans>
      )
    ) : (
      <Trans comment="After 'Row 12'">: corrected, with the same amount</Trans>
    )
  return !former ? (
    <Trans comment="After 'Row 12'">: recorded as {amount}</Trans>
  ) : (
    <Trans comment="After 'Row 12'">: corrected to {amount}</Trans>
  )
}
