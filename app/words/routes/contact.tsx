import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { pageMeta } from '~/platform/rendering/seo'
import { brand } from '~/platform/site'
import { ExternalLink } from '~/platform/ui/external-link'
import { SmallPrint } from '~/platform/ui/small-print'

export const handle: PageHandle = { cached: [] }

export const meta = pageMeta({
  title: msg`Contact`,
  description: msg`How to reach ${brand}: a question about a payment, a cause we should know, your data, or a scam in our name.`,
  path: '/contact',
})

export function loader({ context }: LoaderFunctionArgs) {
  const { CONTACT_EMAIL, SOCIAL_URL, COMMUNITY_URL } = context.config
  return { email: CONTACT_EMAIL ?? null, social: SOCIAL_URL, community: COMMUNITY_URL }
}

export default function Contact() {
  const { t } = useLingui()
  const { email, social, community } = useLoaderData<typeof loader>()
  const hasAny = Boolean(email || social || community)
  return (
    <SmallPrint
      path="/contact"
      title={t`Contact`}
      lead={t`People read what you write. We never write to you first.`}
    >
      <h2>
        <Trans>Where to write</Trans>
      </h2>
      {email ? (
        <p>
          <a href={`mailto:${email}`} className="font-display text-2xl wrap-anywhere">
            {email}
          </a>
        </p>
      ) : hasAny ? (
        <p>
          <Trans>
            We answer in public, so everyone can read the answer. We don't have an email address yet.
          </Trans>
        </p>
      ) : (
        <p>
          <Trans>
            This copy of the site is open only on the computer on which it runs, so it names no address. A
            published copy must name one.
          </Trans>
        </p>
      )}
      {(community || social) && (
        <ul>
          {community && (
            <li>
              <Trans>
                <ExternalLink to={community} inSentence>
                  The community on Telegram
                </ExternalLink>
                , for questions and ideas
              </Trans>
            </li>
          )}
          {social && (
            <li>
              <Trans>
                <ExternalLink to={social} inSentence>
                  Our profile on X
                </ExternalLink>
                , for announcements and replies
              </Trans>
            </li>
          )}
        </ul>
      )}

      <h2>
        <Trans>What helps us to help</Trans>
      </h2>
      <ul>
        <li>
          <Trans>A payment that looks wrong: its transaction hash, or its page.</Trans>
        </li>
        <li>
          <Trans>A cause we should know: who does the work, what it costs, where to read more.</Trans>
        </li>
        <li>
          <Trans>A broken page: the reference shown on it. It doesn't identify you.</Trans>
        </li>
        <li>
          <Trans>
            A photograph of you: the page that shows it. We remove it without an account or a reason.
          </Trans>
        </li>
        {hasAny && (
          <li>
            {email
              ? t`Your data: write from the email address of your account.`
              : t`Your data: ask for a private way to write. Don't post your email address in public.`}
          </li>
        )}
      </ul>

      <h2>
        <Trans>A scam in our name</Trans>
      </h2>
      <p>
        <Trans>
          Tell us, and tell the platform it runs on. Don't send anyone money, a screenshot of your wallet or
          your seed phrase, and that includes us.
        </Trans>
      </p>
    </SmallPrint>
  )
}
