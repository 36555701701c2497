import type { ReactNode } from 'react'
import { findPool } from '../impact-pools'
import { formatDollars } from '../money'
import { When } from '../ui/when'
import { WholeHash } from './hash'
import { chainName } from './record'
import type { LedgerRecord } from './record.server'
import { directionWords, formatTokens, typeLabel, valueMissing } from './transactions'
import { type Wallet, walletName } from './wallets'
import { Withdrawn } from './withdrawn'

interface Props {
  record: LedgerRecord
  wallets: Wallet[]
}

/** The facts of a row, in full and unrounded. */
export function RecordFacts({ record, wallets }: Props) {
  const { direction, fromAddress, toAddress, amountUsd, tokens, tokenAddress, rateUsd, rateSource } = record
  const { poolSlug, proofUrl, note, ordinal, chainId } = record
  const isMove = Boolean(walletName(wallets, fromAddress) && walletName(wallets, toAddress))
  return (
    <dl className="facts">
      <Fact name="When">
        <When date={record.occurredAt} local />
      </Fact>
      <Fact name="Type">{typeLabel(record.type)}</Fact>
      <Fact name="Direction">{directionWords(direction, isMove)}</Fact>
      <Fact name="Value in US dollars">{amountUsd === null ? valueMissing : formatDollars(amountUsd)}</Fact>
      {tokens && <Fact name="Amount in tokens">{formatTokens(tokens, Number.POSITIVE_INFINITY)}</Fact>}
      {(rateUsd || rateSource) && (
        <Fact name="Rate">
          {rateUsd && tokens && `$${rateUsd} for 1 ${tokens.symbol}`}
          {rateSource && <span className="block text-muted">Source: {rateSource}</span>}
        </Fact>
      )}
      {poolSlug && (
        <Fact name="Impact pool">
          <a href={`/voting/${poolSlug}`} className="link">
            {findPool(poolSlug)?.title ?? poolSlug}
          </a>
        </Fact>
      )}
      {note && <Fact name="Note">{note}</Fact>}
      {record.noteWithdrawn && (
        <Fact name="Note">
          <Withdrawn reason={record.noteReason} />
        </Fact>
      )}
      {proofUrl && (
        <Fact name="Proof">
          <a href={proofUrl} className="link wrap-anywhere" rel="noopener nofollow">
            {proofUrl}
          </a>
        </Fact>
      )}
      {record.proofWithdrawn && (
        <Fact name="Proof">
          <Withdrawn reason={record.proofReason} />
        </Fact>
      )}
      <Party
        name="From"
        what="the sender's address"
        address={fromAddress}
        record={record}
        wallets={wallets}
      />
      <Party name="To" what="the recipient's address" address={toAddress} record={record} wallets={wallets} />
      <Fact name="Transaction">
        <WholeHash value={record.txHash} kind="tx" what="the transaction hash" />
        <span className="block text-muted">
          {chainName(chainId)} (chain {chainId}),{' '}
          {ordinal === -1 ? 'BNB transfer' : `token transfer no. ${ordinal} in this transaction`}
        </span>
      </Fact>
      {tokenAddress && (
        <Fact name="Token contract">
          <WholeHash value={tokenAddress} kind="token" what="the token contract address" />
        </Fact>
      )}
      <Fact name="Added to the ledger">
        <When date={record.recordedAt} />
      </Fact>
    </dl>
  )
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Party({
  name,
  what,
  address,
  record: { direction, fromAddress, toAddress, counterName, counterNameHash, counterNameReason },
  wallets,
}: Props & { name: string; what: string; address: string }) {
  const ours = walletName(wallets, address)
  const isOther = address === (direction === 'in' ? fromAddress : toAddress)
  return (
    <Fact name={name}>
      {ours && <span className="block font-semibold">{ours}</span>}
      {!ours && isOther && counterNameHash && (
        <span className="block">
          {counterName === null ? (
            <Withdrawn reason={counterNameReason} />
          ) : (
            <>
              <strong className="font-semibold">{counterName}</strong>{' '}
              <span className="text-muted">as named by us</span>
            </>
          )}
        </span>
      )}
      <WholeHash value={address} kind="address" what={what} />
    </Fact>
  )
}
