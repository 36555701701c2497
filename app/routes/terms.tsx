import { cached } from '~/rendering/cached'
import { pageMeta } from '~/seo'
import { brand } from '~/site'
import { SmallPrint } from '~/ui/small-print'

export const handle = cached()

export const meta = pageMeta({
  title: 'Terms',
  description: `What ${brand} is and is not, what you may expect of it, and what it expects of you.`,
  path: '/terms',
})

export default function Terms() {
  return (
    <SmallPrint
      path="/terms"
      title="Terms"
      lead="Short on purpose. If you use this site, this is what holds between you and us."
    >
      <h2>What this site is</h2>
      <p>
        {brand} is a community project that publishes what a charity token's treasury receives and gives. It
        is not a bank, a broker, an exchange or a registered charity, and it is not officially affiliated with
        Binance or any person named here.
      </p>
      <p>
        It sells nothing and takes no orders. Nothing on it is an offer, or financial, legal or tax advice;
        the <a href="/risk">risk and scam warning</a> belongs to these terms.
      </p>

      <h2>Your account</h2>
      <ul>
        <li>Use an e-mail address that is yours, and keep your password to yourself.</li>
        <li>Don't pretend to be someone else, and don't publish what is unlawful or not true.</li>
        <li>Don't attack the site or the people on it. Reading it with a program is fine, within reason.</li>
        <li>We may close an account that breaks these rules. You can have yours deleted at any time.</li>
      </ul>

      <h2>Donations</h2>
      <p>
        What you send to a wallet of the project is a gift. It can't be returned, it buys no token, vote or
        share, and you get no receipt for the tax office. Which cause it reaches is decided as the page of its
        programme says.
      </p>

      <h2>FundMe</h2>
      <p>
        The programme is <strong>Coming Soon</strong>. What its page shows is a preview with mockup data: no
        campaign there is real, and nobody can fund one or vote on one yet.
      </p>

      <h2>What we promise, and what we don't</h2>
      <p>
        We try to keep the ledger complete and the site running, and we correct mistakes in the open. We can't
        promise that it is free of them or always there, and as far as the law allows we are not liable for
        what you lose by relying on it. When a figure matters to you, check its transaction.
      </p>

      <h2>Changes</h2>
      <p>
        When these terms change, the new ones stand here. If you do not agree with them, stop using the site
        and ask us to delete your account.
      </p>
    </SmallPrint>
  )
}
