import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { Gap, PageLink } from '~/platform/locales/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { pageMeta } from '~/platform/rendering/seo'
import { useVotingSentence } from '~/platform/rendering/voting'
import { brand } from '~/platform/site'
import { SmallPrint } from '~/platform/ui/small-print'

export const handle: PageHandle = { cached: [] }

export const meta = pageMeta({
  title: msg`Terms`,
  description: msg`What ${brand} is and is not, what you may expect of it, and what it expects of you.`,
  path: '/terms',
})

export function loader({ context }: LoaderFunctionArgs) {
  return { isOpen: context.config.FUNDME_OPEN }
}

export default function Terms() {
  const { t } = useLingui()
  const { isOpen } = useLoaderData<typeof loader>()
  return (
    <SmallPrint
      path="/terms"
      title={t`Terms`}
      lead={t`Short on purpose. By using this site you agree to this.`}
    >
      <h2>
        <Trans>What this site is</Trans>
      </h2>
      <p>
        <Trans>
          {brand} is a community project. It publishes what a charity token's treasury receives and gives. It
          is not a bank, a broker, an exchange or a registered charity, and it is not officially affiliated
          with Binance or any person named here.
        </Trans>
      </p>
      <p>
        <Trans>
          It sells nothing and takes no orders. Nothing on it is an offer, or financial, legal or tax advice.
          The <PageLink to="/risk">risk and scam warning</PageLink> is part of these terms.
        </Trans>
      </p>

      <h2>
        <Trans>Your account</Trans>
      </h2>
      <ul>
        <li>
          <Trans>Use your own email address or wallet, and keep your password and keys to yourself.</Trans>
        </li>
        <li>
          <Trans>Add only a picture that you may use.</Trans>
        </li>
        <li>
          <Trans>Don't pretend to be someone else, and don't publish anything unlawful or untrue.</Trans>
        </li>
        <li>
          <Trans>
            Don't attack the site or the people on it. Reading it with a program is fine, within reason.
          </Trans>
        </li>
        <li>
          <Trans>We may close an account that breaks these rules. You can delete yours at any time.</Trans>
        </li>
      </ul>

      <h2>
        <Trans>Donations</Trans>
      </h2>
      <p>
        <Trans>
          What you send to a wallet of the project is a gift. It can't be refunded. It doesn't buy a token,
          vote or share, and you won't get a tax receipt. The page of each programme says how a cause is
          chosen.
        </Trans>
      </p>

      <h2>
        <Trans>FundMe</Trans>
      </h2>
      {isOpen ? (
        <GoalTerms />
      ) : (
        <p>
          <Trans>
            This programme is <strong>Coming Soon</strong>. Its page shows a preview with mockup data: no
            campaign there is real, and no one can fund or vote yet.
          </Trans>
        </p>
      )}

      <h2>
        <Trans>What we promise, and what we don't</Trans>
      </h2>
      <p>
        <Trans>
          We try to keep the ledger complete and the site running, and we correct mistakes in the open. We
          can't promise that the site is always right or always there. As far as the law allows, we aren't
          liable for what you lose by relying on it. When a figure matters to you, check its transaction.
        </Trans>
      </p>

      <h2>
        <Trans>Changes</Trans>
      </h2>
      <p>
        <Trans>
          When these terms change, we publish the new ones here. If you don't agree with them, stop using the
          site and <PageLink to="/dashboard/account/delete">delete your account</PageLink>.
        </Trans>
      </p>
    </SmallPrint>
  )
}

/** The terms of goals, shown only while FundMe is open. */
function GoalTerms() {
  return (
    <>
      <p>
        <Trans>
          Members ask for money for a goal of their own. Two operators of ours approve each goal. We check
          that its wallet is new and belongs to the member. We don't check that the story is true, and we
          don't recommend a goal.
        </Trans>
        <Gap />
        {useVotingSentence()}
      </p>
      <p>
        <Trans>
          What you give to a goal goes straight to the member's wallet. We never hold it. A gift is final: no
          one can stop it, return it or refund it, also if the goal ends early, is frozen or is annulled. It
          is a gift to that member, not to us, and you won't get a tax receipt.
        </Trans>
      </p>
      <p>
        <Trans>If you ask for money:</Trans>
      </p>
      <ul>
        <li>
          <Trans>
            Ask only for something that is true and lawful, under a name that you may use. What tax you owe is
            your own duty.
          </Trans>
        </li>
        <li>
          <Trans>
            Use only texts and pictures that you may publish. Once a goal is approved, we may show them for
            ever, also after you delete your account.
          </Trans>
        </li>
        <li>
          <Trans>
            Use the money as your plan says, and report within 90 days after the end what it bought.
          </Trans>
        </li>
        <li>
          <Trans>
            We may return, reject, freeze or annul a goal, and hide its text and picture. We say why: to you
            if it was never public, otherwise on its page.
          </Trans>
        </li>
      </ul>
    </>
  )
}
