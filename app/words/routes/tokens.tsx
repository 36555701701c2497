import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { acceptedTokens } from '~/ledger/accepted'
import { PageLink } from '~/platform/locales/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { pageMeta } from '~/platform/rendering/seo'
import { taxPercent } from '~/platform/site'
import { PageHeader } from '~/platform/ui/page-header'

export const handle: PageHandle = { cached: [] }

export const meta = pageMeta({
  title: msg`How to get a stablecoin or this token`,
  description: msg`A wallet, a stablecoin for a gift, our token for a vote: the usual steps in plain words, and what can go wrong.`,
  path: '/tokens',
})

export function loader({ context: { config } }: LoaderFunctionArgs) {
  return { token: config.TOKEN_ADDRESS ?? null, accepted: acceptedTokens(config) }
}

export default function Tokens() {
  const { t } = useLingui()
  const { token, accepted } = useLoaderData<typeof loader>()
  const symbols = accepted.map(({ symbol }) => symbol).join(', ')
  return (
    <>
      <PageHeader
        title={t`How to get a stablecoin or this token`}
        tagline={t`A gift needs a stablecoin or BNB. Only a vote needs our token. No one pays us for this page.`}
      />
      <div className="column">
        <article className="prose mt-0">
          <h2>
            <Trans>A wallet</Trans>
          </h2>
          <ul>
            <li>
              <Trans>
                A wallet is an app that keeps your keys, such as MetaMask or Trust Wallet. Get it from its
                maker's own site: copies that steal are in ads and search results.
              </Trans>
            </li>
            <li>
              <Trans>
                It shows you a seed phrase once. Write it on paper. A person who has it has your money, and
                without it no one can restore a lost phone.
              </Trans>
            </li>
            <li>
              <Trans>
                Each payment from a wallet costs a fee in BNB, even if you pay with a stablecoin. Keep a
                little BNB there.
              </Trans>
            </li>
          </ul>

          <h2>
            <Trans>A stablecoin, for a gift</Trans>
          </h2>
          <p>
            <Trans>
              A stablecoin is a token that a company promises to exchange for a dollar. It can break that
              promise. We accept {symbols}.
            </Trans>
          </p>
          <ul>
            <li>
              <Trans>
                Open an account at an exchange that may serve your country. It asks for your identity card.
                Buy the stablecoin there, and look at the fee first.
              </Trans>
            </li>
            <li>
              <Trans>
                You need no wallet to give: the exchange can send the gift. Choose a cause on our{' '}
                <PageLink to="/donate">Donate page</PageLink>, then “From an exchange”.
              </Trans>
            </li>
            <li>
              <Trans>
                Or withdraw it to your wallet, on the network BNB Smart Chain (BEP20). Send a small amount
                first.
              </Trans>
            </li>
          </ul>

          <h2>
            <Trans>Our token, for a vote</Trans>
          </h2>
          {token ? (
            <>
              <p>
                <Trans>
                  The token has one contract. Its address is here and on our home page. Compare the whole
                  address, not just the first and last characters.
                </Trans>
              </p>
              <p className="contract hash wrap-anywhere">{token}</p>
              <ul>
                <li>
                  <Trans>
                    Wallets swap BNB for a token. Paste the address above into the search of the swap: a name
                    finds fakes too.
                  </Trans>
                </li>
                <li>
                  <Trans>
                    Every buy and every sell costs a tax of {taxPercent}%. If the swap fails, the limit for
                    the difference in price (slippage) is below the tax.
                  </Trans>
                </li>
                <li>
                  <Trans>
                    Look at what you would get before you sign. With few buyers and sellers, it can be much
                    less.
                  </Trans>
                </li>
              </ul>
            </>
          ) : (
            <p>
              <Trans>
                It is <strong>Coming Soon</strong>. There is no contract address yet. Anything sold today
                under our name is fake. We'll publish the address on our home page. Don't trust one from a
                message, reply, ad or search result.
              </Trans>
            </p>
          )}

          <h2>
            <Trans>What can go wrong</Trans>
          </h2>
          <ul>
            <li>
              <Trans>
                The wrong network, or a wrong character in an address: the money is lost, and no one can get
                it back.
              </Trans>
            </li>
            <li>
              <Trans>A token with the right name and another contract: it is worth nothing.</Trans>
            </li>
            <li>
              <Trans>
                A site asks your wallet for an approval, then takes your tokens later. Sign only what you
                understand.
              </Trans>
            </li>
            <li>
              <Trans>
                Someone who offers help in a message asks for your seed phrase. We never do, and never write
                first.
              </Trans>
            </li>
            <li>
              <Trans>An exchange or a bank holds your money for days, or refuses it.</Trans>
            </li>
            <li>
              <Trans>The price falls, even to zero. A stablecoin can lose its dollar too.</Trans>
            </li>
            <li>
              <Trans>Your country taxes it or forbids it. Ask before you buy.</Trans>
            </li>
          </ul>
          <p>
            <Trans>
              Nothing here is financial advice, and we don't recommend buying the token. If you only want to
              help, give a stablecoin. Read our <PageLink to="/risk">risk and scam warning</PageLink> first.
            </Trans>
          </p>
        </article>
      </div>
    </>
  )
}
