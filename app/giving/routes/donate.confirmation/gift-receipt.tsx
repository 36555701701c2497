import { ph } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { amountWords } from '~/ledger/amount'
import { GoalLink } from '~/ledger/goal-link'
import { WholeHash } from '~/ledger/hash'
import { PoolLink } from '~/ledger/pool-link'
import { chainName } from '~/ledger/record'
import { Fact, NamedByUs } from '~/ledger/record-facts'
import { typeLabel } from '~/ledger/transactions'
import type { Transaction } from '~/ledger/transactions.server'
import { VerificationNote } from '~/ledger/verification-status'
import { type listWallets, walletName } from '~/ledger/wallets'
import { key } from '~/platform/locales/key'
import { PageLink, useLanguage } from '~/platform/locales/react'
import { When } from '~/platform/ui/when'
import { checksumAddress } from '~/wallet/address'
import { isGift } from './payment-state'

/** A receipt if the payment is a gift that is verified, otherwise its facts. */
export function GiftReceipt({
  transfer,
  wallets,
  hash,
  chainId,
}: {
  transfer: Transaction
  wallets: ReturnType<typeof listWallets>
  hash: string
  chainId: number
}) {
  const { t } = useLingui()
  const { i18n, formats } = useLanguage()
  const { id, amountUsd, tokens, occurredAt, fromAddress, toAddress, type, direction, goal } = transfer
  const [payer, wallet] = [fromAddress, toAddress].map((address) => walletName(wallets, address))
  const other = transfer.counterName && <NamedByUs name={transfer.counterName} />
  const name = goal ? goal.title : wallet && i18n._(key(wallet))
  const amount = amountWords(transfer, formats) ?? t`An amount without a dollar value`
  return (
    <section className="sheet mb-6 break-inside-avoid" aria-label={t`Payment ${id}`}>
      <p className="mb-1 font-semibold">
        {isGift(transfer) && transfer.status === 'verified' ? (
          <Trans>Receipt</Trans>
        ) : (
          <Trans>A payment in our ledger</Trans>
        )}
      </p>
      <h2 className="text-heading">
        {name ? (
          <Trans>
            {amount} to {name}
          </Trans>
        ) : (
          amount
        )}
      </h2>
      <dl className="facts">
        <Fact name={t`Status`}>
          <VerificationNote verification={transfer} />
        </Fact>
        {tokens && <Fact name={t`Amount in tokens`}>{formats.tokens(tokens, Number.POSITIVE_INFINITY)}</Fact>}
        <Fact name={t`Value in US dollars`}>
          {amountUsd === null ? t`No dollar value yet` : formats.exactDollars(amountUsd)}
        </Fact>
        <Fact name={t`When`}>
          <When date={occurredAt} local />
        </Fact>
        <Fact name={t`Type`}>{i18n._(key(typeLabel(type)))}</Fact>
        <Fact name={t({ message: 'From', context: 'sender' })}>
          {payer ? (
            <span className="block font-semibold">{i18n._(key(payer))}</span>
          ) : (
            direction === 'in' && other
          )}
          <WholeHash value={checksumAddress(fromAddress)} kind="address" what={t`the sender's address`} />
        </Fact>
        <Fact name={t({ message: 'To', context: 'recipient' })}>
          {goal ? (
            <span className="block font-semibold">
              <GoalLink goal={goal} />
            </span>
          ) : name ? (
            <span className="block font-semibold">
              <PoolLink slug={transfer.toAccount} name={name} />
            </span>
          ) : (
            direction === 'out' && other
          )}
          <WholeHash value={checksumAddress(toAddress)} kind="address" what={t`the recipient's address`} />
        </Fact>
        <Fact name={t`Transaction`}>
          <WholeHash value={hash} kind="tx" what={t`the transaction hash`} />
          <span className="block text-muted">
            <Trans>
              {ph({ chain: i18n._(chainName(chainId)) })} (chain {chainId})
            </Trans>
          </span>
        </Fact>
        <Fact name={t`Checks and proof`}>
          <PageLink to={`/transparency/${id}`} className="link inline-block py-0.5">
            <Trans>
              Payment {id}: how we checked it<span className="sr-only">, transaction {id}</span>
            </Trans>
          </PageLink>
        </Fact>
      </dl>
      <button type="button" className="button mt-5" hidden data-print="">
        <Trans>Print</Trans>
      </button>
    </section>
  )
}
