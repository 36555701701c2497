import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { typeLabel } from '~/ledger/transactions'
import type { Transaction } from '~/ledger/transactions.server'
import { key } from '~/platform/locales/key'
import { Gap, PageLink, useLanguage } from '~/platform/locales/react'
import { Copy } from '~/platform/ui/copy'
import { EnglishWords } from '~/platform/ui/words'

/** Replaces the thanks on a site that never had a wallet for gifts: someone else received the payment. */
export function NeverOpen() {
  return (
    <article className="column pt-section">
      <h1>
        <span className="block text-title">
          <Trans>Donations are not open.</Trans>
        </span>
        <Gap />
        <span className="mt-2 block max-w-[40ch] text-heading">
          <Trans>We have no wallet yet, so this payment did not go to us.</Trans>
        </span>
      </h1>
      <p className="mt-6">
        <PageLink to="/risk" className="link inline-block py-1">
          <Trans>Risk and scam warning</Trans>
        </PageLink>
      </p>
    </article>
  )
}

/** What a hash that the ledger does not have proves: nothing. The browser that sent the payment hides it. */
export function NotSeenYet({ minutes }: { minutes: number }) {
  return (
    <div className="mt-4 grid max-w-[65ch] gap-3" data-unseen="">
      <p className="text-xl font-semibold">
        <Trans>Our ledger has no payment with this transaction hash.</Trans>
      </p>
      <p>
        <Trans>
          Anyone can open this page with any hash: a link to it, or a picture of it, is no proof that money
          was sent to us.
        </Trans>
      </p>
      <p>
        <Trans>
          A gift appears here about <Plural value={minutes} one="# minute" other="# minutes" /> after it
          reaches the blockchain.
        </Trans>
        <Gap />
        <FindOrAsk />
      </p>
    </div>
  )
}

function FindOrAsk() {
  return (
    <Trans>
      Wrong hash?{' '}
      <PageLink to="/donate#hash" className="link inline-block py-0.5">
        Enter another one
      </PageLink>{' '}
      or{' '}
      <PageLink to="/contact" className="link inline-block py-0.5">
        ask us
      </PageLink>
      .
    </Trans>
  )
}

/** A Safe answers the page that pays with a hash of its own, which no blockchain has. */
export function HashOfSafe() {
  return (
    <p className="mt-6 max-w-[65ch]">
      <Trans>
        Paid with a Safe, or another wallet with several owners? It first gives a hash of its own, and the
        payment is sent only after enough owners have signed. Then{' '}
        <PageLink to="/donate#hash" className="link inline-block py-0.5">
          enter the transaction hash
        </PageLink>{' '}
        that the wallet shows.
      </Trans>
    </p>
  )
}

export function ReceiptToCome({ hash, siteUrl }: { hash: string; siteUrl: string }) {
  const { t } = useLingui()
  return (
    <section className="rounded-block border-2 border-dashed border-edge p-5">
      <h2 className="text-xl">
        <Trans>No receipt yet</Trans>
      </h2>
      <p className="mt-2 text-muted">
        <Trans>
          If the payment reaches one of our wallets, its receipt comes here. You may close this page: its web
          address, or the transaction hash, brings you back. You need no account.
        </Trans>
      </p>
      <p className="mt-3">
        <Copy text={`${siteUrl}/donate/${hash}`} what={t`the address of this page`} />
      </p>
    </section>
  )
}

/** Explains what may have happened. With JavaScript, the explanation appears after ten minutes. */
export function Late({ coin }: { coin: string | null }) {
  return (
    <div className="mt-6 grid max-w-[65ch] gap-2 border-t border-hairline pt-4" data-late="">
      <p className="font-semibold">
        <Trans>
          Don't pay a second time before you know what happened. Look in your wallet or at your exchange: it
          shows whether the payment was sent. If it doesn't,{' '}
          <PageLink to="/contact" className="link inline-block py-0.5">
            ask us
          </PageLink>
          .
        </Trans>
      </p>
      <p>
        {coin && (
          <>
            <Trans>
              Some exchanges send {coin} through a contract. It reaches us, and our ledger finds it later. If
              it can't tell which transaction paid it, you get no receipt.
            </Trans>
            <Gap />
          </>
        )}
        <Trans>
          If it doesn't appear, check that you sent it to one of our wallets, on the right network and in an
          accepted token.
        </Trans>
      </p>
    </div>
  )
}

/** The type and the purpose of a payment that is not a gift, as the ledger states them. */
export function NotAGift({ transfers }: { transfers: Transaction[] }) {
  const { i18n, formats } = useLanguage()
  const types = formats.words([...new Set(transfers.map(({ type }) => i18n._(key(typeLabel(type)))))], 'and')
  const purpose = transfers.find(({ note }) => note)?.note
  return (
    <div className="mt-6 grid max-w-[65ch] gap-3">
      {purpose && (
        <p className="text-xl font-semibold">
          <EnglishWords>{purpose}</EnglishWords>
        </p>
      )}
      <p>
        <Trans>The ledger lists it as: {types}.</Trans>
      </p>
      <p className="text-muted">
        <FindOrAsk />
      </p>
    </div>
  )
}
