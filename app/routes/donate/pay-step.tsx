import type { ReactNode } from 'react'
import { causePhrase, causeTitle } from '~/donate/cause-phrase'
import { ExplorerLink } from '~/ledger/explorer-link'
import { FormerWallets } from '~/ledger/former-wallets'
import { chainName } from '~/ledger/record'
import { Copy } from '~/ui/copy'
import { Icon } from '~/ui/icon'
import { groupsOfFour } from './address'
import { faultSentences } from './choice'
import { ChosenCause } from './chosen-cause'
import type { PayStepData } from './gift.server'
import { ImpostorNote } from './impostor-note'
import paymentUrl from './payment.ts?worker&url'
import { QrCodePicture } from './qr-code'
import { StepNavigation } from './step-navigation'

/** The third step: what to know before sending, then three ways to send the same amount to the same address. */
export function PayStep({ page }: { page: PayStepData }) {
  const { choice, token, amount, payment, former } = page
  const { to, fault } = choice
  return (
    <>
      <StepNavigation current="Pay" to={to} token={token.symbol} />
      <div className="column grid gap-x-12 gap-y-6 pt-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)]">
        <div>
          <h1 className="text-title">Send {amount}</h1>
          {fault && <p className="notice">{faultSentences[fault]}</p>}
          <div className="mt-5">
            <ChosenCause to={to} what="To" />
          </div>
        </div>
        <div>
          <BeforeYouSend page={page} />
          {payment && <InThisBrowser page={page} />}
          <FromAnotherApp page={page} />
          <FromAnExchange page={page} />
          <FindPayment minutes={page.minutes} />
          <ImpostorNote to={to} />
          <FormerWallets wallets={former} />
        </div>
      </div>
      {payment && <script type="module" src={paymentUrl} />}
    </>
  )
}

/** 'BNB Smart Chain (BEP20)': exchanges name the network by its token standard. */
function networkName(chainId: number): string {
  const name = chainName(chainId)
  return chainId === 56 ? `${name} (BEP20)` : name
}

function BeforeYouSend({ page: { chainId, token, payment } }: { page: PayStepData }) {
  const rules: { icon: 'check' | 'close'; text: ReactNode }[] = [
    {
      icon: 'check',
      text: (
        <>
          Only on the network <strong>{networkName(chainId)}</strong>, chain {chainId}.
        </>
      ),
    },
    {
      icon: 'check',
      text: (
        <>
          Only <strong>{token.symbol}</strong> <TokenOrigin address={token.address} />.
        </>
      ),
    },
    { icon: 'close', text: "Anything else may be lost. We can't send it back." },
  ]
  return (
    <section className="mb-6 rounded-block border-2 border-ink p-[min(1.25rem,6vw)]" aria-labelledby="before">
      <h2 id="before" className="text-xl">
        Read this before you send
      </h2>
      <ul className="mt-3 grid gap-2">
        {rules.map(({ icon, text }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={at} className="flex gap-2.5">
            <span className="pt-0.5">
              <Icon name={icon} />
            </span>
            <span>{text}</span>
          </li>
        ))}
      </ul>
      {!payment && (
        <p className="mt-3">
          <strong>This is a demo.</strong> This wallet is made up, so anything sent to it is lost. Don't send
          anything.
        </p>
      )}
    </section>
  )
}

function TokenOrigin({ address }: { address: string | null }) {
  if (address === null) return <span className="text-muted">(the network's own coin)</span>
  return (
    <ExplorerLink
      kind="token"
      value={address}
      className="link"
      plain={<span className="text-muted">(a token)</span>}
    >
      (see the token)
    </ExplorerLink>
  )
}

/** It needs script, so it is hidden until payment.ts has found a wallet and added a button for each. */
function InThisBrowser({ page }: { page: PayStepData }) {
  const { choice, token, units, amount, address, chainId } = page
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
      data-cause={causePhrase(choice.to)}
      data-chain={chainId}
      data-chain-name={chainName(chainId)}
    >
      <h2 id="this-browser" className="text-heading">
        In this browser
      </h2>
      <div className="mt-3 flex flex-wrap gap-3" data-wallets="" />
      <p className="mt-3" role="status" data-wallet-status="" />
    </section>
  )
}

/** A way to pay that can be opened and closed. */
function Way({
  title,
  text,
  open,
  children,
}: {
  title: string
  text: string
  open?: true
  children: ReactNode
}) {
  return (
    <details open={open} className="border-t-2 border-ink py-4 group">
      <summary className="grid list-none grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 [&::-webkit-details-marker]:hidden">
        <h2 className="text-xl">{title}</h2>
        <span aria-hidden="true" className="row-span-2 font-display text-2xl">
          <span className="group-open:hidden">+</span>
          <span className="hidden group-open:inline">−</span>
        </span>
        <span className="text-muted">{text}</span>
      </summary>
      <div className="pt-4">{children}</div>
    </details>
  )
}

function FromAnotherApp({ page }: { page: PayStepData }) {
  const { choice, token, amount, number, address, payment, chainId } = page
  const cause = causeTitle(choice.to)
  return (
    <Way title="From another app" text="Copy the amount and the address" open>
      <p className="mb-4">
        Sending from an exchange?{' '}
        <a href="#exchange" className="link inline-block">
          Follow these steps instead
        </a>
      </p>
      <dl className="grid gap-4">
        <div>
          <dt className="text-muted">Amount</dt>
          <dd className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <strong className="figures font-display text-2xl">{amount}</strong>
            {payment && <Copy text={number} what="the amount" />}
          </dd>
        </div>
        <div>
          <dt className="text-muted">Address of {cause}</dt>
          <dd className="copy-address">
            <p className="hash text-lg font-semibold wrap-anywhere" data-address="">
              {address}
            </p>
            <Copy text={address} what={`the address of ${cause}`} payable />
          </dd>
        </div>
      </dl>
      <p className="mt-4 font-semibold">
        Compare the whole address, not just its start and end. After 0x it reads:
      </p>
      <ol
        aria-label="The address in groups of four"
        className="mt-2 grid max-w-sm grid-cols-5 gap-2 @max-[20rem]/column:grid-cols-2"
      >
        {groupsOfFour(address).map((group, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the groups of an address may be equal, and never move
          <li key={at} className="hash rounded-lg bg-panel py-1.5 text-center font-semibold">
            {group}
          </li>
        ))}
      </ol>
      {payment?.link && (
        <p className="mt-4">
          <a href={payment.link} className="link inline-block py-1">
            Open in a wallet app, with {amount}
          </a>
        </p>
      )}
      <details className="qr-disclosure mt-4">
        <summary className="py-1 font-semibold">QR code, for another device</summary>
        <figure className="mt-2">
          {payment ? (
            <QrCodePicture code={payment.code} label={`QR code of the address of ${cause}`} />
          ) : (
            <img src="/drawings/no-qr-code.svg" alt="" width="224" height="224" />
          )}
          <figcaption className="mt-2 max-w-[36ch] text-muted">
            {payment
              ? `The QR code holds the address only. In your app, choose ${chainName(chainId)} and ${token.symbol}, and enter ${number}.`
              : 'Here the real site shows a QR code of the address.'}
          </figcaption>
        </figure>
      </details>
    </Way>
  )
}

function FromAnExchange({ page }: { page: PayStepData }) {
  const { choice, token, amount, address, chainId } = page
  const network = networkName(chainId)
  const cause = causeTitle(choice.to)
  return (
    <Way title="From an exchange" text={`Choose the network ${network}`}>
      {/* Browsers open the disclosure of a link's target. */}
      <ol id="exchange" className="grid scroll-mt-40 list-decimal gap-3 pl-5 marker:font-semibold">
        <li>
          Withdraw {token.symbol}, and choose the network <strong>{network}</strong>. An exchange offers
          several networks: on another one the gift is lost.
        </li>
        <li>
          Paste this address, and compare it: <span className="hash wrap-anywhere">{address}</span>{' '}
          <Copy text={address} what={`the address of ${cause}, for the exchange`} quiet payable />
          It needs no memo and no tag.
        </li>
        <li>
          Enter <strong>{amount}</strong>. Some exchanges take their fee from it: then less arrives, and we
          list what arrived.
        </li>
        <li>Copy the transaction hash (TxID) that the exchange shows later. It finds your receipt.</li>
      </ol>
      {token.address === null && (
        <p className="mt-3">
          Some exchanges send {token.symbol} through a contract. Such a gift arrives at our wallet, but we
          can't list it, and it gets no receipt.
        </p>
      )}
    </Way>
  )
}

function FindPayment({ minutes }: { minutes: number }) {
  return (
    <form action="/donate/find" method="get" className="border-t-2 border-ink pt-4">
      <label htmlFor="hash" className="font-display text-xl font-semibold">
        Sent it? Paste the transaction hash
      </label>
      <p className="mt-1 text-muted">
        Your app shows it after you send: 0x and 64 characters, also named TxID. The payment is on the
        blockchain within seconds. About {minutes} minutes later it's final and in the ledger.
      </p>
      <span className="mt-3 flex flex-wrap gap-3">
        <input
          type="text"
          id="hash"
          name="hash"
          required
          pattern="\s*0x[0-9a-fA-F]{64}\s*"
          title="0x and 64 characters (0 to 9, a to f)"
          autoComplete="off"
          spellCheck={false}
          placeholder="0x…"
          className="field min-w-0 flex-[1_1_12rem]"
        />
        <button type="submit" className="button">
          Show
        </button>
      </span>
    </form>
  )
}
