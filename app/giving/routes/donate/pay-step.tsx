import { ph } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { ExplorerLink } from '~/ledger/explorer-link'
import { FormerWallets } from '~/ledger/former-wallets'
import { chainName } from '~/ledger/record'
import { findChain } from '~/platform/chains'
import type { I18n } from '~/platform/locales/i18n'
import { PageLink, useLanguage } from '~/platform/locales/react'
import { ScriptSentences } from '~/platform/locales/sentences'
import { Copy } from '~/platform/ui/copy'
import { groupsOfFour } from '~/wallet/address'
import { OpenInWallet, onPhone } from '~/wallet/open-in-wallet'
import { paymentSentences } from '~/wallet/payment-sentences'
import { QrCodePicture } from '~/wallet/qr-code'
import walletListUrl from '~/wallet/wallet-list.ts?worker&url'
import { phraseOf, titleOf } from './cause'
import { choicePath, faultSentences } from './choice'
import { ChosenCause } from './chosen-cause'
import { FindPayment } from './find-payment'
import type { PayStepData } from './gift.server'
import { ImpostorNote } from './impostor-note'
import { MemberWalletNote } from './member-wallet-note'
import { StepNavigation } from './step-navigation'

/** The third step: a card with all that a wallet app needs, then other ways to pay, and what can go wrong. */
export function PayStep({ page }: { page: PayStepData }) {
  const { t } = useLingui()
  const { choice, token, amount, payment, former, goal } = page
  const { i18n } = useLanguage()
  const { to, fault } = choice
  return (
    <>
      <StepNavigation current="pay" to={to} token={token.symbol} />
      <div className="column grid gap-x-12 gap-y-6 pt-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)] lg:grid-rows-[auto_1fr] lg:pt-6">
        <div>
          <h1 className="text-title">
            <Trans>Send {amount}</Trans>
          </h1>
          {goal && <MemberWalletNote />}
          {fault && <p className="notice">{i18n._(faultSentences[fault])}</p>}
          <div className="mt-4 lg:mt-5">
            <ChosenCause cause={{ to, goal }} what={t({ message: 'To', context: 'recipient' })} />
          </div>
        </div>
        <div className="lg:row-span-2">
          {payment && <InThisBrowser page={page} />}
          {/* Closed at first, and above the card, so that both ways to pay are in view. */}
          <FromAnExchange page={page} />
          <PayCard page={page} />
          {payment && <InAnApp page={page} />}
          <Way title={t`What can go wrong`} text={t`A gift can't be undone`}>
            <p className="font-semibold">
              {t`Anything else you send may be lost. A gift can't be undone, even if you sent it correctly.`}
            </p>
            <ImpostorNote to={to} isGoal={goal !== null} />
            {!goal && <FormerWallets wallets={former} />}
          </Way>
          {/* After the address, in the order in which a giver needs them. */}
          <div className="mt-6">
            <FindPayment minutes={page.minutes} />
          </div>
        </div>
      </div>
      {payment && (
        <>
          <ScriptSentences of={paymentSentences} />
          <script type="module" src={walletListUrl} />
        </>
      )}
    </>
  )
}

/** 'BNB Smart Chain (BEP20)': exchanges name the network by its token standard. */
function networkName(chainId: number, i18n: I18n): string {
  const name = i18n._(chainName(chainId))
  const { standard } = findChain(chainId) ?? {}
  return standard ? `${name} (${standard})` : name
}

/** The one line to read before the address: what to send, and on which network. */
function Network({ page: { chainId, token, payment } }: { page: PayStepData }) {
  const { i18n } = useLanguage()
  return (
    <div id="network" className="rounded-lg bg-warn-wash px-4 py-3">
      <p>
        <Trans>
          Send only <strong>{ph({ symbol: token.symbol })}</strong> <TokenOrigin address={token.address} />,
          and only on the network <strong>{ph({ network: networkName(chainId, i18n) })}</strong>, chain{' '}
          {chainId}.
        </Trans>
      </p>
      {!payment && (
        <p className="mt-1">
          <Trans>
            <strong>This is a demo.</strong> This wallet is made up, so anything sent to it is lost. Don't
            send anything.
          </Trans>
        </p>
      )}
    </div>
  )
}

function TokenOrigin({ address }: { address: string | null }) {
  if (address === null)
    return (
      <span className="text-muted">
        <Trans>(the network's own coin)</Trans>
      </span>
    )
  return (
    <ExplorerLink
      kind="token"
      value={address}
      className="link"
      plain={
        <span className="text-muted">
          <Trans>(a token)</Trans>
        </span>
      }
    >
      <Trans>(see the token)</Trans>
    </ExplorerLink>
  )
}

/**
 * Needs JavaScript, so this part is hidden until wallet-list.ts has found a wallet and added a button for each
 * wallet.
 */
function InThisBrowser({ page }: { page: PayStepData }) {
  const { i18n } = useLanguage()
  const { choice, token, units, amount, address, chainId, goal } = page
  return (
    <section
      hidden
      className="mb-6"
      aria-labelledby="this-browser"
      data-pay=""
      data-to={address}
      data-token={token.address ?? ''}
      data-symbol={token.symbol}
      data-units={`${units}`}
      data-amount={amount}
      data-cause={phraseOf({ to: choice.to, goal }, i18n)}
      data-chain={chainId}
      data-chain-name={i18n._(chainName(chainId))}
    >
      <h2 id="this-browser" className="text-heading">
        <Trans>In this browser</Trans>
      </h2>
      <p className="mt-1 text-muted">
        <Trans>Your wallet shows the payment, and asks you before it sends it.</Trans>
      </p>
      <div className="mt-3 flex flex-wrap gap-3" data-wallets="" />
      <p className="mt-3" role="status" data-wallet-status="" />
    </section>
  )
}

/** A disclosure with one way to pay. */
function Way({
  title,
  text,
  className = '',
  children,
}: {
  title: string
  text: string
  className?: string
  children: ReactNode
}) {
  return (
    <details name="way" className={`way border-t-2 border-ink py-4 ${className}`}>
      <summary className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4">
        <h2 className="text-xl">{title}</h2>
        <span aria-hidden="true" className="way-sign row-span-2 font-display text-2xl" />
        <span className="text-muted">{text}</span>
      </summary>
      <div className="pt-4">{children}</div>
    </details>
  )
}

/** For phones: opens this page in a wallet app, without an amount that the giver typed. */
function InAnApp({ page: { choice, token } }: { page: PayStepData }) {
  const { t } = useLingui()
  return (
    <Way title={t`In a wallet app on this phone`} text={t`Opens this page in the app`} className={onPhone}>
      <p>
        {choice.amount === null ? (
          <Trans>
            The app opens this page with the cause and the token. Type the amount there again, then press Pay.
          </Trans>
        ) : (
          <Trans>
            The app opens this page with the cause, the token and the amount. Then press Pay there.
          </Trans>
        )}
      </p>
      <OpenInWallet path={choicePath({ to: choice.to, token: token.symbol, amount: choice.amount })} />
    </Way>
  )
}

/** What any wallet app needs: the network, the address, the amount, and the QR code of the address. */
function PayCard({ page }: { page: PayStepData }) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const { choice, token, amount, number, address, payment, chainId } = page
  const cause = titleOf({ to: choice.to, goal: page.goal }, i18n)
  return (
    <section className="mb-6 rounded-block border border-edge bg-raised p-5" aria-labelledby="from-app">
      <h2 id="from-app" className="text-xl">
        <Trans>From a wallet app</Trans>
      </h2>
      <div className="mt-3">
        <Network page={page} />
      </div>
      <div className="mt-4 grid gap-x-8 gap-y-4 sm:grid-cols-[minmax(0,1fr)_auto]">
        <dl className="grid content-start gap-4">
          <div>
            <dt className="text-muted">
              <Trans>Address of {cause}</Trans>
            </dt>
            <dd className="copy-address">
              <p className="hash text-lg font-semibold" dir="ltr" data-address="">
                0x
                {groupsOfFour(address).map((group, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: equal groups are possible, and groups never move
                  <span key={at} className="me-2 inline-block">
                    {group}
                  </span>
                ))}
              </p>
              <p className="mt-1 text-sm text-muted">
                <Trans>Check every group before you send.</Trans>
              </p>
              <Copy text={address} what={t`the address of ${cause}`} payable />
            </dd>
          </div>
          <div>
            <dt className="text-muted">
              <Trans>Amount</Trans>
            </dt>
            <dd className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <strong className="figures font-display text-2xl wrap-anywhere">
                <bdi dir="ltr">{amount}</bdi>
              </strong>
              {payment && <Copy text={number} what={t`the amount`} quiet />}
            </dd>
          </div>
        </dl>
        <details className="qr-disclosure">
          <summary className="py-1 font-semibold">
            <Trans>QR code, for another device</Trans>
          </summary>
          <figure>
            {payment ? (
              <QrCodePicture code={payment.code} label={t`QR code of the address of ${cause}`} />
            ) : (
              <img src="/drawings/no-qr-code.svg" alt="" width="224" height="224" />
            )}
            <figcaption className="mt-2 max-w-56 text-sm text-muted">
              {payment ? (
                <Trans>
                  The QR code holds the address only. In your app, choose{' '}
                  {ph({ network: i18n._(chainName(chainId)) })} and {ph({ symbol: token.symbol })}, and enter{' '}
                  {number}.
                </Trans>
              ) : (
                <Trans>Here the real site shows a QR code of the address.</Trans>
              )}
            </figcaption>
          </figure>
        </details>
      </div>
      {payment?.link && (
        <p className="mt-4">
          <PageLink to={payment.link} className="link inline-block py-1">
            <Trans>Open in a wallet app, with {amount}</Trans>
          </PageLink>
        </p>
      )}
    </section>
  )
}

function FromAnExchange({ page }: { page: PayStepData }) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const { token, amount, chainId } = page
  const network = networkName(chainId, i18n)
  return (
    <Way title={t`From an exchange`} text={t`Choose the network ${network}`}>
      <ol className="grid list-decimal gap-3 ps-5 marker:font-semibold">
        <li>
          <Trans>
            Withdraw {ph({ symbol: token.symbol })}, and choose the network <strong>{network}</strong>. An
            exchange offers several networks: on another network, the gift may be lost.
          </Trans>
        </li>
        <li>
          <Trans>Paste the address, and compare all of it. It needs no memo and no tag.</Trans>
        </li>
        <li>
          <Trans>
            Enter <strong>{amount}</strong>. Some exchanges take their fee from it: then less arrives, and we
            list what arrived.
          </Trans>
        </li>
        <li>
          <Trans>
            Copy the transaction hash (TxID) that the exchange shows later. It finds your receipt.
          </Trans>
        </li>
      </ol>
      {token.address === null && (
        <p className="mt-3">
          <Trans>
            Some exchanges send {ph({ coin: token.symbol })} through a contract. It reaches us, and our ledger
            finds it later. If it can't tell which transaction paid it, you get no receipt.
          </Trans>
        </p>
      )}
    </Way>
  )
}
