import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { listOperators } from '~/operator/record.server'
import { plural } from '~/plural'
import type { PageHandle } from '~/rendering/handle'
import { pageMeta } from '~/seo'
import { brand, taxPercent } from '~/site'
import { ExternalLink } from '~/ui/external-link'
import { Icon } from '~/ui/icon'
import { PageHeader } from '~/ui/page-header'
import { Pictogram } from '~/ui/pictogram'
import { Section } from '~/ui/section'

const values = [
  {
    title: 'Community First',
    sign: <Pictogram name="holders" />,
    text: 'The money comes from the people who trade the token, so they come first. Every choice is made in the open.',
  },
  {
    title: 'Maximum Impact',
    sign: <Pictogram name="donated" />,
    text: "We back people already on the ground, and small costs that change a lot. A pair of glasses keeps a child in school. A campaign about glasses doesn't.",
  },
  {
    title: 'Collective Power',
    sign: <Pictogram name="treasury" />,
    text: `${taxPercent}% of one trade changes little. ${taxPercent}% of thousands of trades can drill a well. That's the whole idea.`,
  },
  {
    title: 'Swift Action',
    sign: <Icon name="away" />,
    text: 'Early help costs less and saves more. When a cause is clear, we act, and show how long it took.',
  },
]

const ways = [
  {
    title: 'Transparent Operations',
    text: 'Every payment shows the amount, who got it and its transaction on BNB Smart Chain. We never edit the ledger: we fix a mistake with a correction, and the old version stays. You can check each payment on a block explorer.',
    to: '/transparency',
    link: 'Read the ledger',
  },
  {
    title: 'Community Governance',
    text: "Token holders will vote on causes and on how the treasury splits its fees. Voting isn't open yet, but you can see a preview.",
    to: '/giveback',
    link: 'See the FundMe preview',
  },
  {
    title: 'Verified Impact',
    text: "A transaction proves that money left. It doesn't prove that help arrived. So a donation can carry a second proof: a receipt, a report or a public thank-you from the people who received it. Where we have no second proof, the payment shows none.",
    to: '/voting#donations',
    link: 'See the donations',
  },
  {
    title: 'CZ-Inspired Action',
    text: 'When Changpeng Zhao (CZ) speaks up for a cause, people listen. We take his statement as a call for help and give from our donation wallet. He has no part in this project and never asked for it.',
    to: '/cz-call',
    link: 'How a CZ Call works',
  },
]

export const handle: PageHandle = { cached: [] }

export const meta = pageMeta({
  title: 'About',
  description:
    'Why a community token pays a tax to charity, what we value, and how anyone can check every payment.',
  path: '/about',
})

export async function loader({ context }: LoaderFunctionArgs) {
  const { SOCIAL_URL, COMMUNITY_URL } = context.config
  const operators = await listOperators(context.publicData())
  return {
    social: SOCIAL_URL,
    community: COMMUNITY_URL,
    /** Undefined if they cannot be read. */
    operators: operators?.filter(({ until }) => until === null).length,
  }
}

export default function About() {
  const { social, community, operators } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader
        title="About"
        tagline={`${brand} is a community that gives together, and shows every receipt.`}
        drawing={<img src="/drawings/about.svg" alt="" width="560" height="420" className="h-auto w-full" />}
      />

      <Section
        heading="mission"
        title="Mission"
        className="grid gap-x-12 gap-y-5 pt-8 lg:grid-cols-[1fr_2fr]"
      >
        <div className="grid max-w-[60ch] gap-5">
          <p className="font-display text-heading leading-snug">
            To turn a small fee on every trade into help you can follow to the end.
          </p>
          <p>
            Crypto communities are good at moving money and bad at saying where it went. Charities often know
            where it went and struggle to move it. {brand} puts the two together: a token on BNB Smart Chain
            with a {taxPercent}% tax on buying and selling, a treasury filled by that tax, and a public ledger
            that shows every payment with its proof.
          </p>
          <p>
            We start at zero and say so. Every figure here is the sum of payments that you can open. No
            payments means zero.
          </p>
        </div>
      </Section>

      <Section heading="values" title="Core Values">
        <ul className="mt-6 grid gap-x-12 border-t-2 border-ink md:grid-cols-2">
          {values.map(({ title, sign, text }) => (
            <li key={title} className="flex gap-5 border-b border-hairline py-7">
              <span className="icon-block">{sign}</span>
              <div>
                <h3 className="text-2xl">{title}</h3>
                <p className="mt-2 max-w-[50ch] text-muted">{text}</p>
              </div>
            </li>
          ))}
        </ul>
      </Section>

      <Section heading="work" title="How We Work">
        <ul className="mt-6 border-t-2 border-ink">
          {ways.map(({ title, text, to, link }) => (
            <li
              key={title}
              className="grid gap-x-12 gap-y-3 border-b border-hairline py-7 lg:grid-cols-[1fr_2fr]"
            >
              <h3 className="text-2xl">{title}</h3>
              <div className="max-w-[60ch]">
                <p>{text}</p>
                <a href={to} className="link mt-2 inline-block py-1">
                  {link}
                </a>
              </div>
            </li>
          ))}
        </ul>
      </Section>

      <Section
        id="who"
        heading="who-title"
        title="Who answers for the money"
        className="grid gap-x-12 gap-y-5 pt-section lg:grid-cols-[1fr_2fr]"
      >
        <div className="grid max-w-[60ch] gap-4">
          <p>
            Members of the community run {brand}. Binance doesn't: it doesn't own, control, pay or approve
            this project.
          </p>
          <p>
            The members who hold the keys of our wallets decide on each payment, send it themselves and answer
            for it. No program of this site can pay. They haven't published their names yet. When they do, the
            names will be here.
          </p>
          <p>
            {operators
              ? `${plural(operators, { one: '# person answers', other: '# people answer' })} for the money now. `
              : ''}
            <a href="/transparency/acts" className="link">
              Read who did what, and when
            </a>
            .
          </p>
          <p>
            Until then, trust the ledger and not us:{' '}
            <a href="/transparency/wallets" className="link">
              compare our wallets with the blockchain
            </a>
            , or{' '}
            <a href="/contact" className="link">
              ask us about a payment
            </a>
            .
          </p>
        </div>
      </Section>

      <section className="column pt-section" aria-labelledby="join">
        <div className="closing">
          <h2 id="join">Join Our Community</h2>
          <p className="max-w-[50ch]">
            Bring a cause, question a payment, or help us check one. You don't need to own the token.
          </p>
          <p className="flex flex-wrap gap-3 md:row-span-2 md:row-start-1 md:flex-col">
            {community && (
              <ExternalLink to={community} className="button">
                Join the Telegram
              </ExternalLink>
            )}
            {social && (
              <ExternalLink to={social} className="button">
                Follow us on X
              </ExternalLink>
            )}
            {!community && !social && (
              <a href="/contact" className="button">
                Contact us
              </a>
            )}
          </p>
        </div>
      </section>
    </>
  )
}
