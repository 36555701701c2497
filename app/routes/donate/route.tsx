import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { acceptedTokens, minutesUntilListed } from '~/donate/accepted'
import { causePhrase } from '~/donate/cause-phrase'
import { ExplorerLink } from '~/ledger/explorer-link'
import { FormerWallets } from '~/ledger/former-wallets'
import { chainName } from '~/ledger/record'
import { listAccounts } from '~/ledger/wallets'
import type { PageHandle } from '~/rendering/handle'
import { pageMeta } from '~/seo'
import { brand } from '~/site'
import { Copy } from '~/ui/copy'
import { PageHeader } from '~/ui/page-header'
import { Section } from '~/ui/section'
import { checksumAddress } from '~/wallet/address'
import { coinLink, groupsOfFour } from './address'
import { NotOpenYet } from './not-open-yet'
import paymentUrl from './payment.ts?worker&url'
import { QrCodePicture } from './qr-code'
import { WalletForm } from './wallet-form'

export const handle: PageHandle = { cached: ['to'], gives: true }

export const meta = pageMeta({
  title: 'Donate',
  description: `Give to the ${brand} treasury, to CZ Call or to an impact pool: wallet addresses, QR codes, accepted tokens and what happens next.`,
  path: '/donate',
})

/** `?to=` selects the recipient: 'treasury', 'donation-wallet' or the slug of a pool. Otherwise it is the first one. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { config } = context
  const accounts = listAccounts(config)
  const asked = new URL(request.url).searchParams.get('to')
  const recipient = accounts.find(({ slug }) => slug === asked) ?? accounts[0]
  const address = recipient?.address && checksumAddress(recipient.address)
  // Imported on demand, because no other public page needs this module.
  const { qrCodeOf } = await import('./qr-code.server')
  return {
    accounts: accounts.map(({ slug, name }) => ({ slug, name })),
    recipient: recipient && { slug: recipient.slug, name: recipient.name },
    unknown: asked !== null && recipient?.slug !== asked,
    anyOpen: accounts.some((account) => account.address !== undefined),
    address,
    // The wallets of the demonstration are made up: its page has nothing with which someone could pay them.
    payment:
      address && !config.DEMO ? { code: qrCodeOf(address), link: coinLink(address, config.CHAIN_ID) } : null,
    tokens: acceptedTokens(config),
    chainId: config.CHAIN_ID,
    minutes: minutesUntilListed(config),
    confirmations: config.CHAIN_CONFIRMATIONS,
    former: config.FORMER_WALLETS,
  }
}

export default function Donate() {
  const { accounts, recipient, unknown, anyOpen, address, payment, former } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title="Donate" tagline="Choose a cause. Watch your money arrive." />
      <Section heading="recipient" title="Who do you want to give to?" className="">
        {unknown && (
          <p className="notice">We don't know that recipient, so this page shows {recipient?.name}.</p>
        )}
        <nav aria-label="Recipients" className="mt-5">
          <ul className="flex flex-wrap gap-2.5">
            {accounts.map(({ slug, name }) => (
              <li key={slug}>
                <a
                  href={`/donate?to=${slug}`}
                  className={`button ${slug === recipient?.slug ? 'button-ink' : ''}`}
                  aria-current={slug === recipient?.slug ? 'true' : undefined}
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {address ? <WalletAddress /> : <NotOpenYet name={anyOpen ? recipient?.name : undefined} />}
        <FormerWallets wallets={former} />
      </Section>
      {address && <BeforeYouSend />}
      {payment && <script type="module" src={paymentUrl} />}
    </>
  )
}

function WalletAddress() {
  const { recipient, address, payment, chainId } = useLoaderData<typeof loader>()
  if (!address || !recipient) return null
  const name = chainName(chainId)
  return (
    <div className="sheet mt-6 grid gap-x-10 gap-y-6 md:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        {!payment && (
          <p className="notice mt-0 mb-5">
            <strong>This is a demo.</strong> This wallet is made up, so anything sent to it is lost. Don't
            send anything.
          </p>
        )}
        <h3 className="text-xl">
          {recipient.name}: wallet address on {name}
        </h3>
        <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
          <span className="hash min-w-0 text-lg font-semibold wrap-anywhere" data-address="">
            {address}
          </span>
          <Copy text={address} what={`the address of ${recipient.name}`} payable />
        </p>
        {payment && <WaysToPay address={address} link={payment.link} toName={recipient.name} />}
      </div>
      <figure className="justify-self-center text-center">
        {payment ? (
          <QrCodePicture code={payment.code} label={`QR code of the address of ${recipient.name}`} />
        ) : (
          <img src="/drawings/no-qr-code.svg" alt="" width="224" height="224" />
        )}
        <figcaption className="mt-2 max-w-[16rem] text-sm text-muted">
          {payment
            ? `The QR code holds the address only. Choose ${name} and the token in your wallet.`
            : 'Here the real site shows a QR code of the address.'}
        </figcaption>
      </figure>
    </div>
  )
}

function WaysToPay({ address, link, toName }: { address: string; link: string; toName: string }) {
  const { tokens, chainId, recipient } = useLoaderData<typeof loader>()
  const coin = tokens.find((token) => token.address === null)
  return (
    <>
      <p className="mt-5 font-semibold">
        Compare the whole address, not just its start and end. After 0x it reads:
      </p>
      <ol
        aria-label="The address in groups of four"
        className="mt-2 grid w-fit grid-cols-[repeat(5,auto)] gap-x-4 gap-y-1 text-lg max-[24rem]:gap-x-2.5 @max-[16rem]/column:grid-cols-[repeat(2,auto)]"
      >
        {groupsOfFour(address).map((group, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the groups of an address may be equal, and never move
          <li key={at} className="hash">
            {group}
          </li>
        ))}
      </ol>
      {coin && (
        <p className="mt-5">
          <a href={link} className="link inline-block py-1">
            Open in a wallet app ({coin.symbol} only)
          </a>
        </p>
      )}
      <WalletForm
        to={address}
        toName={toName}
        cause={causePhrase(recipient?.slug ?? null) ?? toName}
        tokens={tokens}
        chainId={chainId}
        chainName={chainName(chainId)}
      />
    </>
  )
}

function BeforeYouSend() {
  const { tokens, chainId, minutes } = useLoaderData<typeof loader>()
  const name = chainName(chainId)
  const coin = tokens.find((token) => token.address === null)
  return (
    <section className="column grid gap-x-12 gap-y-8 pt-section md:grid-cols-2" aria-labelledby="before">
      <div>
        <h2 id="before" className="text-heading">
          Before you send
        </h2>
        <dl className="facts">
          <div>
            <dt>Network</dt>
            <dd>
              <strong>{name}</strong>, chain {chainId}
            </dd>
          </div>
          <div>
            <dt>Accepted</dt>
            <dd>
              <ul className="grid gap-1">
                {tokens.map(({ symbol, address }) => (
                  <li key={symbol}>
                    <strong>{symbol}</strong> <TokenOrigin address={address} />
                  </li>
                ))}
              </ul>
            </dd>
          </div>
          <div>
            <dt>Anything else</dt>
            <dd>
              Anything you send on another network, or in a token that isn't listed here, may be lost. We
              can't send it back.
            </dd>
          </div>
        </dl>
        <p className="mt-4 text-muted">
          Donations are gifts: they buy nothing and can't be refunded. We never message you first and never
          ask for your keys.
        </p>
      </div>
      <div>
        <h2 className="text-heading">What happens next</h2>
        <ol className="mt-5 grid list-decimal gap-3 pl-5 marker:font-semibold">
          <li>Your payment reaches the blockchain, usually within seconds.</li>
          <li>
            About {minutes} minutes later it's final, and listed in{' '}
            <a href="/transparency#history" className="link">
              the ledger
            </a>{' '}
            as verified on chain.
            {coin &&
              ` Send ${coin.symbol} from your own wallet. Some exchanges send it in a way that we can't list.`}
          </li>
          <li>Your wallet shows a transaction hash. Paste it below for a receipt that you can print.</li>
        </ol>
        <form action="/donate/find" method="get" className="mt-6 grid gap-1.5">
          <label htmlFor="hash" className="font-semibold">
            Sent something? Transaction hash
          </label>
          <span className="flex flex-wrap gap-3">
            <input
              type="text"
              id="hash"
              name="hash"
              required
              pattern="\s*0x[0-9a-fA-F]{64}\s*"
              title="0x and 64 characters (0 to 9, a to f)"
              autoComplete="off"
              spellCheck={false}
              className="field min-w-0 flex-[1_1_14rem]"
            />
            <button type="submit" className="button">
              Show the confirmation
            </button>
          </span>
        </form>
      </div>
    </section>
  )
}

function TokenOrigin({ address }: { address: string | null }) {
  if (address === null) return <span className="text-muted">the network's own coin</span>
  const plain = <span className="text-muted">a token</span>
  return (
    <ExplorerLink kind="token" value={address} className="link inline-block py-0.5" plain={plain}>
      see the token
    </ExplorerLink>
  )
}
