import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { isGoalSlug } from '../platform/goal-slug'
import { withPoint } from '../platform/locales/formats'
import { key } from '../platform/locales/key'
import { Sentence, useLanguage } from '../platform/locales/react'
import { When } from '../platform/ui/when'
import { EnglishWords } from '../platform/ui/words'
import type { RowGoal } from './goal-names.server'
import { WholeHash } from './hash'
import { PoolLink } from './pool-link'
import { chainName } from './record'
import type { LedgerRecord } from './record.server'
import { firstWithin, firstWrap } from './token-transfers'
import { directionWords, typeLabel, valueMissing } from './transactions'
import { type Wallet, walletName } from './wallets'
import { Withdrawn } from './withdrawn'

interface Props {
  record: LedgerRecord & { goal?: RowGoal }
  wallets: Wallet[]
}

/** What the blockchain has of a row, unrounded. */
export function RecordFacts({ record, wallets }: Props) {
  const { t } = useLingui()
  const { i18n, formats } = useLanguage()
  const { fromAddress, toAddress, amountUsd, tokens, tokenAddress, rateUsd, rateSource } = record
  const { poolSlug, ordinal, chainId } = record
  const source = <EnglishWords>{rateSource}</EnglishWords>
  const chain = i18n._(chainName(chainId))
  const isMove = Boolean(walletName(wallets, fromAddress) && walletName(wallets, toAddress))
  return (
    <dl className="facts">
      <Fact name={t`When`}>
        <When date={record.occurredAt} local />
      </Fact>
      <Fact name={t`Type`}>{i18n._(key(typeLabel(record.type)))}</Fact>
      <Fact name={t`Direction`}>{i18n._(directionWords(record, isMove))}</Fact>
      <Fact name={t`Value in US dollars`}>
        {amountUsd === null ? i18n._(valueMissing) : formats.exactDollars(amountUsd)}
      </Fact>
      {tokens && <Fact name={t`Amount in tokens`}>{formats.tokens(tokens, Number.POSITIVE_INFINITY)}</Fact>}
      {(rateUsd || rateSource) && (
        <Fact name={t`Rate`}>
          {rateUsd && tokens && (
            <Sentence>
              {t`$${{ rateUsd: withPoint(rateUsd, formats) }} for 1 ${{ symbol: tokens.symbol }}`}
            </Sentence>
          )}
          {rateSource && (
            <span className="block text-muted">
              <Trans>Source: {source}</Trans>
            </span>
          )}
        </Fact>
      )}
      {poolSlug && !isGoalSlug(poolSlug) && (
        <Fact name={t`Impact pool`}>
          <PoolLink slug={poolSlug} />
        </Fact>
      )}
      <Party
        name={t({ message: 'From', context: 'sender' })}
        what={t`the sender's address`}
        address={fromAddress}
        record={record}
        wallets={wallets}
      />
      <Party
        name={t({ message: 'To', context: 'recipient' })}
        what={t`the recipient's address`}
        address={toAddress}
        record={record}
        wallets={wallets}
      />
      <Fact name={t`Transaction`}>
        <WholeHash value={record.txHash} kind="tx" what={t`the transaction hash`} />
        <span className="block text-muted">
          {ordinal === -1 ? (
            <Trans>
              {chain} (chain {chainId}), BNB transfer
            </Trans>
          ) : ordinal >= firstWithin ? (
            <Trans>
              {chain} (chain {chainId}), paid within this transaction by a contract. The balances before and
              after its block showed it when we found it.
            </Trans>
          ) : ordinal >= firstWrap ? (
            <Trans>
              {chain} (chain {chainId}), a wrapped coin made or unwrapped in this transaction
            </Trans>
          ) : (
            <Trans>
              {chain} (chain {chainId}), token transfer no. {ordinal} in this transaction
            </Trans>
          )}
        </span>
      </Fact>
      {tokenAddress && (
        <Fact name={t`Token contract`}>
          <WholeHash value={tokenAddress} kind="token" what={t`the token contract address`} />
        </Fact>
      )}
      <Fact name={t`Added to the ledger`}>
        <When date={record.recordedAt} />
      </Fact>
    </dl>
  )
}

/** The name that we give to a wallet that is not ours. */
export function NamedByUs({ name }: { name: string }) {
  return (
    <>
      <strong className="font-semibold">
        <EnglishWords>{name}</EnglishWords>
      </strong>{' '}
      <span className="text-muted">
        <Trans>as named by us</Trans>
      </span>
    </>
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
  const { i18n } = useLanguage()
  const ours = walletName(wallets, address)
  const isOther = address === (direction === 'in' ? fromAddress : toAddress)
  return (
    <Fact name={name}>
      {ours && <span className="block font-semibold">{i18n._(key(ours))}</span>}
      {!ours && isOther && counterNameHash && (
        <span className="block">
          {counterName === null ? (
            <Withdrawn reason={counterNameReason} />
          ) : (
            <EnglishWords>{counterName}</EnglishWords>
          )}
        </span>
      )}
      <WholeHash value={address} kind="address" what={what} />
    </Fact>
  )
}
