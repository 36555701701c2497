import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { cached } from '~/rendering/cached'
import { pageMeta } from '~/seo'
import { brand } from '~/site'
import { SmallPrint } from '~/ui/small-print'

export const handle = cached()

export const meta = pageMeta({
  title: 'Risk and scam warning',
  description:
    'A token can lose all of its value, and impostors will use our name. What we never ask for, and where the real contract address stands.',
  path: '/risk',
})

export function loader({ context }: LoaderFunctionArgs) {
  return { token: context.config.TOKEN_ADDRESS ?? null }
}

export default function Risk() {
  const { token } = useLoaderData<typeof loader>()
  return (
    <SmallPrint
      path="/risk"
      title="Risk and scam warning"
      lead="Read this before you buy a token, connect anything or send money to anyone who uses our name."
    >
      <h2>The contract address</h2>
      {token ? (
        <>
          <p>
            The token has one contract. Its address stands here and on the home page of this site. Compare all
            of it, not the first and last digits.
          </p>
          <p className="contract hash wrap-anywhere">{token}</p>
        </>
      ) : (
        <p>
          It is <strong>Coming Soon</strong>. There is no contract address yet, so whatever is sold today
          under our name is not ours. When there is one, it will stand on the home page of this site. An
          address from a message, a reply, an advertisement or a search result is not to be trusted.
        </p>
      )}

      <h2>What we never do</h2>
      <ul>
        <li>We never ask for your seed phrase or private key. Nobody honest does.</li>
        <li>We never write to you first, and never offer help in a private message.</li>
        <li>
          We never ask your wallet to send or approve anything. Signing in with one signs a single readable
          message, and that is all it is ever asked for.
        </li>
        <li>
          We never send back more than you send us. A giveaway, airdrop or presale that is not on this site is
          not ours.
        </li>
        <li>We never ask for a payment to unlock, verify or withdraw anything.</li>
      </ul>
      <p>
        Before you type a password, look at the address bar. If someone claims to be from {brand} and asks for
        any of this, end the conversation.
      </p>

      <h2>What you can lose</h2>
      <p>
        Nothing on this site is financial advice, and the token is not an investment that we recommend. Prices
        of community tokens swing wildly and can fall to zero within hours. There may be no buyer when you
        want to sell. Every buy and every sell costs a tax of 5%, so a purchase starts at a loss. Never put in
        what you can't do without.
      </p>
      <p>
        Smart contracts can have faults, wallets can be robbed, and laws about tokens differ from country to
        country and change. Whether you may hold one, and what tax you owe, you have to find out where you
        live.
      </p>

      <h2>Donations are final</h2>
      <p>
        A transfer on a blockchain can't be called back, by us or by anyone. If you give, send to a wallet
        that is listed on the <a href="/transparency">Transparency page</a>, on BNB Smart Chain, and send a
        small amount first.
      </p>
    </SmallPrint>
  )
}
