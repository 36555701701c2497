import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { cached } from '~/rendering/cached'
import { pageMeta } from '~/seo'
import { brand, taxPercent } from '~/site'
import { Icon } from '~/ui/icon'
import { PageHeader } from '~/ui/page-header'

const values = [
  {
    title: 'Community First',
    icon: 'holders',
    text: 'The money comes from the people who trade the token, so they come first when it is given away. A cause is chosen in the open or it is not chosen.',
  },
  {
    title: 'Maximum Impact',
    icon: 'donated',
    text: 'We prefer organisations that are already there, and needs that are small to pay and large to have. A pair of glasses keeps a child in school; a campaign about glasses does not.',
  },
  {
    title: 'Collective Power',
    icon: 'treasury',
    text: `${taxPercent}% of one trade helps nobody. ${taxPercent}% of many trades, kept together and spent on purpose, can drill a well. That is the whole idea.`,
  },
  {
    title: 'Swift Action',
    icon: 'away',
    text: 'Help that comes early costs less and saves more. Where a cause is clear, the payment should not wait for a meeting.',
  },
] as const

const ways = [
  {
    title: 'Transparent Operations',
    text: 'Every payment in our ledger names its amount, its receiver and its transaction on BNB Smart Chain. The rows are never edited: a mistake is corrected by a new row that says so. You can check each one on a block explorer without asking us.',
    to: '/transparency',
    link: 'Read the ledger',
  },
  {
    title: 'Community Governance',
    text: 'Token holders are to vote on causes and on how the treasury divides its fees. Voting is not open yet. Until it is, you can see how it will look, and nothing on this site counts a vote.',
    to: '/giveback',
    link: 'See the FundMe preview',
  },
  {
    title: 'Verified Impact',
    text: 'A transaction proves that money left. It does not prove that help arrived, so a donation can carry a second proof: a receipt, a report, a public word from the one who received it. Where we have none, the row has none.',
    to: '/voting#donations',
    link: 'Look at the donations',
  },
  {
    title: 'CZ-Inspired Action',
    text: 'When Changpeng Zhao speaks up for a cause, people listen. We take such a statement as a call for help and answer it from the donation wallet. He has no part in this project, and never asked for it.',
    to: '/cz-call',
    link: 'How a CZ Call works',
  },
]

export const handle = cached()

export const meta = pageMeta({
  title: 'About',
  description:
    'Why a community token pays a tax to charity, what we value, and how every payment can be checked by anyone.',
  path: '/about',
})

export function loader({ context }: LoaderFunctionArgs) {
  const { SOCIAL_URL, COMMUNITY_URL } = context.config
  return { social: SOCIAL_URL, community: COMMUNITY_URL }
}

export default function About() {
  const { social, community } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader
        title="About"
        tagline={`${brand} is a community that gives together, and shows every receipt.`}
        drawing={<img src="/drawings/about.svg" alt="" width="560" height="420" className="h-auto w-full" />}
      />

      <section className="column grid gap-x-12 gap-y-5 pt-8 lg:grid-cols-[1fr_2fr]" aria-labelledby="mission">
        <h2 id="mission" className="text-heading">
          Mission
        </h2>
        <div className="grid max-w-[60ch] gap-5">
          <p className="font-display text-heading leading-snug">
            To turn the small fee of every trade into help that anyone can follow to the end.
          </p>
          <p>
            Crypto communities are good at moving money and bad at saying where it went. Charities often know
            where it went and struggle to move it. {brand} puts the two together: a token on BNB Smart Chain
            with a {taxPercent}% tax on buying and selling, a treasury that the tax fills, and a public ledger
            in which each payment stands with its proof.
          </p>
          <p>
            We begin with an empty ledger and say so. A figure on this site is the sum of rows that you can
            open, and where there are no rows it is zero.
          </p>
        </div>
      </section>

      <section className="column pt-section" aria-labelledby="values">
        <h2 id="values" className="text-heading">
          Core Values
        </h2>
        <ul className="values">
          {values.map(({ title, icon, text }) => (
            <li key={title}>
              <span className="icon-block">
                <Icon name={icon} />
              </span>
              <div>
                <h3 className="text-2xl">{title}</h3>
                <p className="mt-2 max-w-[48ch] text-muted">{text}</p>
              </div>
            </li>
          ))}
        </ul>
      </section>

      <section className="column pt-section" aria-labelledby="work">
        <h2 id="work" className="text-heading">
          How We Work
        </h2>
        <ul className="mt-6 border-t-2 border-ink">
          {ways.map(({ title, text, to, link }) => (
            <li
              key={title}
              className="grid gap-x-12 gap-y-3 border-b border-hairline py-7 lg:grid-cols-[1fr_2fr]"
            >
              <h3 className="text-2xl">{title}</h3>
              <div className="max-w-[62ch]">
                <p>{text}</p>
                <a href={to} className="link mt-2 inline-block py-1">
                  {link}
                </a>
              </div>
            </li>
          ))}
        </ul>
      </section>

      <section className="column pt-section" aria-labelledby="join">
        <div className="closing">
          <h2 id="join">Join Our Community</h2>
          <p className="max-w-[52ch]">
            Bring a cause, question a payment, or help us check one. Holding the token is not needed to ask.
          </p>
          <p className="flex flex-wrap gap-3 md:row-span-2 md:row-start-1 md:flex-col">
            <a href={community} className="button" rel="noopener">
              Join the Telegram
              <Icon name="away" size={16} />
            </a>
            <a href={social} className="button" rel="noopener">
              Follow us on X
              <Icon name="away" size={16} />
            </a>
          </p>
        </div>
      </section>
    </>
  )
}
