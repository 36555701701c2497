import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { PageLink } from '~/platform/locales/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { pageMeta } from '~/platform/rendering/seo'
import { brand, taxPercent } from '~/platform/site'
import { SmallPrint } from '~/platform/ui/small-print'

export const handle: PageHandle = { cached: [] }

export const meta = pageMeta({
  title: msg`Risk and scam warning`,
  description: msg`A token can lose all of its value, and impostors will use our name. What we never ask for, and where to find the real contract address.`,
  path: '/risk',
})

export function loader({ context }: LoaderFunctionArgs) {
  const { TOKEN_ADDRESS, FUNDME_OPEN } = context.config
  return { token: TOKEN_ADDRESS ?? null, isOpen: FUNDME_OPEN }
}

export default function Risk() {
  const { t } = useLingui()
  const { token, isOpen } = useLoaderData<typeof loader>()
  return (
    <SmallPrint
      path="/risk"
      title={t`Risk and scam warning`}
      lead={t`Read this before you buy a token, connect anything or send money to anyone who uses our name.`}
    >
      <h2>
        <Trans>The contract address</Trans>
      </h2>
      {token ? (
        <>
          <p>
            <Trans>
              The token has one contract. Its address is here and on our home page. Compare the whole address,
              not just the first and last characters.
            </Trans>
          </p>
          <p className="contract hash wrap-anywhere">{token}</p>
        </>
      ) : (
        <p>
          <Trans>
            It is <strong>Coming Soon</strong>. There is no contract address yet. Anything sold today under
            our name is fake. We'll publish the address on our home page. Don't trust one from a message,
            reply, ad or search result.
          </Trans>
        </p>
      )}

      <h2>
        <Trans>What we never do</Trans>
      </h2>
      <ul>
        <li>
          <Trans>
            We never ask for your seed phrase or private key. Anyone who asks for them wants to steal your
            money.
          </Trans>
        </li>
        <li>
          <Trans>We never write to you first, and never offer help in a private message.</Trans>
        </li>
        <li>
          <Trans>
            We never ask your wallet to approve spending. To sign in, it signs one readable message. It sends
            money only on our <PageLink to="/donate">Donate page</PageLink>, and only when you press Pay.
          </Trans>
        </li>
        <li>
          <Trans>
            We never send back more than you send us. A giveaway, airdrop or presale that isn't on this site
            is fake.
          </Trans>
        </li>
        <li>
          <Trans>We never ask for a payment to unlock, verify or withdraw anything.</Trans>
        </li>
      </ul>
      <p>
        <Trans>
          Before you type a password, look at the address bar. If someone claims to be from {brand} and asks
          for any of this, stop talking to them.
        </Trans>
      </p>

      <h2>
        <Trans>What you can lose</Trans>
      </h2>
      <p>
        <Trans>
          Nothing on this site is financial advice, and we don't recommend the token as an investment. Prices
          of community tokens swing wildly and can fall to zero within hours. There may be no buyer when you
          want to sell. Every buy and every sell costs a tax of {taxPercent}%, so you start at a loss. Never
          put in money you can't afford to lose.
        </Trans>
      </p>
      <p>
        <Trans>
          Smart contracts can have faults, wallets can be robbed, and laws about tokens differ from country to
          country and change. Check the rules where you live: whether you may own a token, and what tax you
          owe.
        </Trans>
      </p>
      <p>
        <PageLink to="/tokens">
          <Trans>How to get tokens</Trans>
        </PageLink>
      </p>

      <h2>
        <Trans>Donations are final</Trans>
      </h2>
      <p>
        <Trans>
          No one can reverse a payment on the blockchain, not even us. If you give, send to a wallet listed on
          our <PageLink to="/donate">Donate page</PageLink>, on BNB Smart Chain, and send a small amount
          first.
        </Trans>
      </p>
      {isOpen && (
        <>
          <h2>
            <Trans>Goals of members</Trans>
          </h2>
          <p>
            <Trans>
              A goal on <PageLink to="/giveback">FundMe</PageLink> is written by a member. We checked that the
              wallet is theirs, not that the story is true. We count what arrives. We can't see what the
              member does with it, so the same money can leave the wallet, come back and count twice. You may
              never learn what your gift bought.
            </Trans>
          </p>
          <p>
            <Trans>
              Impostors can copy a goal with a wallet of their own. Open it on this site, and compare the
              whole address. Don't give because someone hurries you. If a goal looks false, report it on its
              page.
            </Trans>
          </p>
        </>
      )}
    </SmallPrint>
  )
}
