import { Trans, useLingui } from '@lingui/react/macro'
import { chainName } from '~/ledger/record'
import { AccountName, Approval, OrderAmount, Purpose, Recipient } from '~/payments/order-words'
import type { Order } from '~/payments/orders.server'
import { Gap, useLanguage } from '~/platform/locales/react'
import { formatTokens } from '~/platform/tokens'
import { Copy } from '~/platform/ui/copy'
import { When } from '~/platform/ui/when'
import { checksumAddress, groupsOfFour } from '~/wallet/address'
import { QrCodePicture } from '~/wallet/qr-code'
import type { QrCode } from '~/wallet/qr-code.server'

/** A payment that a person makes now: with a wallet of this browser, with another device, or with a Safe. */
export function DuePayment({ order, isDemo }: { order: Order & { code: QrCode }; isDemo: boolean }) {
  const { t } = useLingui()
  const { i18n, href } = useLanguage()
  const { number, tokens, tokenAddress, chainId, code } = order
  const [from, to] = [checksumAddress(order.fromAddress), checksumAddress(order.toAddress)]
  const amount = tokens ? formatTokens(tokens, { places: 18, count: String }) : ''
  const account = <AccountName slug={order.account} />
  return (
    <article
      className="mt-8 border-t-2 border-ink pt-4 wrap-anywhere"
      id={`pay-${number}`}
      aria-labelledby={`pay-${number}-title`}
    >
      <h3 id={`pay-${number}-title`} className="text-xl">
        <Trans comment="An amount, and who receives it">
          <OrderAmount order={order} /> to <Recipient order={order} />
        </Trans>
      </h3>
      <p className="mt-1 font-semibold whitespace-pre-line">
        <Purpose order={order} />
      </p>
      <p className="mt-1 text-muted">
        <Trans>
          Order {number}, from {account}.
        </Trans>
        <Gap />
        <Approval order={order} />
        <Gap />
        <Trans>
          Due since <When date={order.dueAt} />. It ends on <When date={order.expiresAt} /> if it is not paid
          by then.
        </Trans>
      </p>
      <section
        hidden
        className="mt-4"
        data-pay=""
        data-from={from}
        data-after={href('/donate')}
        data-to={to}
        data-token={tokenAddress}
        data-symbol={tokens?.symbol}
        data-units={`${tokens?.amount}`}
        data-amount={amount}
        data-cause={order.recipientName ?? to}
        data-chain={chainId}
        data-chain-name={i18n._(chainName(chainId))}
      >
        <div className="flex flex-wrap gap-3" data-wallets="" />
        <p className="mt-2" role="status" data-wallet-status="" />
      </section>
      <dl className="facts mt-4">
        <div>
          <dt>{t({ message: 'From', context: 'sender' })}</dt>
          <dd className="hash">{from}</dd>
        </div>
        <div>
          <dt>{t({ message: 'To', context: 'recipient' })}</dt>
          <dd>
            <span className="hash">{to}</span>{' '}
            <Copy text={to} what={t`the recipient's address`} quiet payable />
            <ol
              aria-label={t`The address in groups of four`}
              dir="ltr"
              className="mt-2 grid max-w-sm grid-cols-5 gap-2"
            >
              {groupsOfFour(to).map((group, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: equal groups are possible, and groups never move
                <li key={at} className="hash rounded-lg bg-panel py-1.5 text-center font-semibold">
                  {group}
                </li>
              ))}
            </ol>
          </dd>
        </div>
        <div>
          <dt>{t`Amount`}</dt>
          <dd>
            <bdi>{amount}</bdi> <Copy text={amount.split(' ')[0] ?? ''} what={t`the amount`} quiet />
          </dd>
        </div>
      </dl>
      {!isDemo && (
        <details className="mt-3">
          <summary className="link py-1">
            <Trans>QR code, for another device</Trans>
          </summary>
          <QrCodePicture code={code} label={t`QR code of the address of order ${number}`} />
        </details>
      )}
      <p className="mt-4 flex flex-wrap gap-3">
        <a href={`/operator/payments/safe.json?order=${number}`} className="button" download>
          <Trans>Download for Safe</Trans>
        </a>
        <a href={`/operator/payments/stop?order=${number}`} className="button button-bad">
          <Trans>Stop order {number}</Trans>
        </a>
      </p>
    </article>
  )
}
