import type { PageHandle } from '~/rendering/handle'
import { pageMeta } from '~/seo'
import { brand } from '~/site'
import { SmallPrint } from '~/ui/small-print'

export const handle: PageHandle = { cached: [] }

export const meta = pageMeta({
  title: 'Terms',
  description: `What ${brand} is and is not, what you may expect of it, and what it expects of you.`,
  path: '/terms',
})

export default function Terms() {
  return (
    <SmallPrint path="/terms" title="Terms" lead="Short on purpose. By using this site you agree to this.">
      <h2>What this site is</h2>
      <p>
        {brand} is a community project. It publishes what a charity token's treasury receives and gives. It is
        not a bank, a broker, an exchange or a registered charity, and it is not officially affiliated with
        Binance or any person named here.
      </p>
      <p>
        It sells nothing and takes no orders. Nothing on it is an offer, or financial, legal or tax advice.
        The <a href="/risk">risk and scam warning</a> is part of these terms.
      </p>

      <h2>Your account</h2>
      <ul>
        <li>Use your own email address or wallet, and keep your password and keys to yourself.</li>
        <li>Add only a picture that you may use.</li>
        <li>Don't pretend to be someone else, and don't publish anything unlawful or untrue.</li>
        <li>Don't attack the site or the people on it. Reading it with a program is fine, within reason.</li>
        <li>We may close an account that breaks these rules. You can delete yours at any time.</li>
      </ul>

      <h2>Donations</h2>
      <p>
        What you send to a wallet of the project is a gift. It can't be refunded. It doesn't buy a token, vote
        or share, and you won't get a tax receipt. The page of each programme says how a cause is chosen.
      </p>

      <h2>FundMe</h2>
      <p>
        This programme is <strong>Coming Soon</strong>. Its page shows a preview with mockup data: no campaign
        there is real, and no one can fund or vote yet.
      </p>

      <h2>What we promise, and what we don't</h2>
      <p>
        We try to keep the ledger complete and the site running, and we correct mistakes in the open. We can't
        promise that the site is always right or always there. As far as the law allows, we aren't liable for
        what you lose by relying on it. When a figure matters to you, check its transaction.
      </p>

      <h2>Changes</h2>
      <p>
        When these terms change, we publish the new ones here. If you don't agree with them, stop using the
        site and <a href="/dashboard/account/delete">delete your account</a>.
      </p>
    </SmallPrint>
  )
}
