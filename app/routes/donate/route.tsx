import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { acceptedTokens, minutesUntilListed } from '~/donate/accepted'
import donateUrl from '~/donate/payment.ts?worker&url'
import { ExplorerLink } from '~/ledger/explorer-link'
import { FormerWallets } from '~/ledger/former-wallets'
import { chainName } from '~/ledger/record'
import { listAccounts } from '~/ledger/wallets'
import { cached } from '~/rendering/cached'
import { pageMeta } from '~/seo'
import { brand } from '~/site'
import { Copy } from '~/ui/copy'
import { PageHeader } from '~/ui/page-header'
import { Section } from '~/ui/section'
import { checksumAddress } from '~/wallet/address'
import { coinLink, groupsOfFour } from './address'
import { NotOpenYet } from './not-open-yet'
import { QrCodePicture } from './qr-code'
import { WalletForm } from './wallet-form'

export const handle = cached(['to'])

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
    wallet: address ? { address, code: qrCodeOf(address), link: coinLink(address, config.CHAIN_ID) } : null,
    tokens: acceptedTokens(config),
    chainId: config.CHAIN_ID,
    minutes: minutesUntilListed(config),
    confirmations: config.CHAIN_CONFIRMATIONS,
    former: config.FORMER_WALLETS,
    demo: config.DEMO,
  }
}

export default function Donate() {
  const { accounts, recipient, unknown, anyOpen, wallet, former } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title="Donate" tagline="We list gifts in the public ledger, each with its proof." />
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
                  className={`button ${slug === recipient?.slug ? 'button-gold' : ''}`}
                  aria-current={slug === recipient?.slug ? 'true' : undefined}
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {wallet ? <WalletAddress /> : <NotOpenYet name={anyOpen ? recipient?.name : undefined} />}
        <FormerWallets wallets={former} />
      </Section>
      {wallet && <BeforeYouSend />}
      {wallet && <script type="module" src={donateUrl} />}
    </>
  )
}

function WalletAddress() {
  const { recipient, wallet, tokens, chainId } = useLoaderData<typeof loader>()
  if (!wallet || !recipient) return null
  const { address, code, link } = wallet
  const name = chainName(chainId)
  const coin = tokens.find((token) => token.address === null)
  return (
    <div className="sheet mt-6 grid gap-x-10 gap-y-6 md:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <h3 className="text-xl">
          {recipient.name}: wallet address on {name}
        </h3>
        <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
          <span className="hash min-w-0 text-lg font-semibold wrap-anywhere" data-address="">
            {address}
          </span>
          <Copy text={address} what={`the address of ${recipient.name}`} />
        </p>
        <p className="mt-5 font-semibold">
          Compare the whole address, not just its start and end. After 0x it reads:
        </p>
        <ol className="groups">
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
        <WalletForm to={address} toName={recipient.name} tokens={tokens} chainId={chainId} chainName={name} />
      </div>
      <figure className="justify-self-center text-center">
        <QrCodePicture code={code} label={`QR code of the address of ${recipient.name}`} />
        <figcaption className="mt-2 max-w-[16rem] text-sm text-muted">
          The QR code holds the address only. Choose {name} and the token in your wallet.
        </figcaption>
      </figure>
    </div>
  )
}

function BeforeYouSend() {
  const { tokens, chainId, minutes, demo } = useLoaderData<typeof loader>()
  const name = chainName(chainId)
  const coin = tokens.find((token) => token.address === null)
  return (
    <section className="column grid gap-x-12 gap-y-8 pt-section md:grid-cols-2" aria-labelledby="before">
      <div>
        <h2 id="before" className="text-heading">
          Before you send
        </h2>
        {demo && (
          <p className="notice">
            <strong>This is a demo.</strong> These wallets are made up. Please don't send anything to them.
          </p>
        )}
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
              ` Send ${coin.symbol} from your own wallet. If an exchange sends it through a contract, it arrives, but isn't listed.`}
          </li>
          <li>Find your confirmation with the transaction hash, below. You can print it.</li>
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
