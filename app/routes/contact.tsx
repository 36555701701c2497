import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import type { PageHandle } from '~/rendering/handle'
import { pageMeta } from '~/seo'
import { brand } from '~/site'
import { ExternalLink } from '~/ui/external-link'
import { SmallPrint } from '~/ui/small-print'

export const handle: PageHandle = { cached: [] }

export const meta = pageMeta({
  title: 'Contact',
  description: `How to reach ${brand}: a question about a payment, a cause we should know, your data, or a scam in our name.`,
  path: '/contact',
})

export function loader({ context }: LoaderFunctionArgs) {
  const { CONTACT_EMAIL, SOCIAL_URL, COMMUNITY_URL } = context.config
  return { email: CONTACT_EMAIL ?? null, social: SOCIAL_URL, community: COMMUNITY_URL }
}

export default function Contact() {
  const { email, social, community } = useLoaderData<typeof loader>()
  return (
    <SmallPrint
      path="/contact"
      title="Contact"
      lead="People read what you write. We never write to you first."
    >
      <h2>Where to write</h2>
      {email ? (
        <p>
          <a href={`mailto:${email}`} className="font-display text-2xl wrap-anywhere">
            {email}
          </a>
        </p>
      ) : (
        <p>We answer in public, so everyone can read the answer. We don't have an email address yet.</p>
      )}
      <ul>
        <li>
          <ExternalLink to={community} inSentence>
            The community on Telegram
          </ExternalLink>
          , for questions and ideas
        </li>
        <li>
          <ExternalLink to={social} inSentence>
            Our profile on X
          </ExternalLink>
          , for announcements and replies
        </li>
      </ul>

      <h2>What helps us to help</h2>
      <ul>
        <li>A payment that looks wrong: send us its transaction hash or a link to its page.</li>
        <li>A cause we should know: who does the work, what it costs, where to read more.</li>
        <li>A broken page: send us the reference shown on it. It doesn't identify you.</li>
        <li>
          {email
            ? 'Your data: write from the email address of your account.'
            : "Your data: ask for a private way to write. Don't post your email address in public."}
        </li>
      </ul>

      <h2>A scam in our name</h2>
      <p>
        Tell us, and tell the platform it runs on. Don't send anyone money, a screenshot of your wallet or
        your seed phrase, and that includes us. The <a href="/risk">risk and scam warning</a> says what we
        never ask for.
      </p>
    </SmallPrint>
  )
}
