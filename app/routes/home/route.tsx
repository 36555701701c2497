import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { divisionOf, flowOf } from '~/ledger/flow'
import { Provenance } from '~/ledger/provenance'
import { hasPayments, totalsTitle } from '~/ledger/totals'
import { listPoolsWithTotals, readTotals } from '~/ledger/totals.server'
import { listCausePayments } from '~/ledger/transactions.server'
import { LiveStatus } from '~/live/live-status'
import { formatDollars } from '~/money'
import type { PageHandle } from '~/rendering/handle'
import { pageMeta } from '~/rendering/seo'
import { brand, taxPercent } from '~/site'
import { DonateButton } from '~/ui/donate-button'
import { ExternalLink } from '~/ui/external-link'
import { Pictogram } from '~/ui/pictogram'
import { Section } from '~/ui/section'
import { Share } from '~/ui/share'
import { Stat, Stats } from '~/ui/stat'
import { Steps } from '~/ui/steps'
import { Updated } from '~/ui/updated'
import { EveryFifty } from './every-fifty'
import { FirstThousand } from './first-thousand'
import { Programmes } from './programmes'
import { hasReceipt, Receipt } from './receipt'
import { TokenContract } from './token-contract'

const moneyPath = [
  {
    title: 'Every trade pays in',
    text: `A ${taxPercent}% tax on every buy and sell flows into the treasury. Its balance is public.`,
  },
  {
    title: 'The community will decide',
    text: 'Token holders will vote on causes and on the split of the fees. Voting opens with FundMe.',
  },
  {
    title: 'Every payment is proven',
    text: 'Each one links to its transaction on BNB Smart Chain.',
  },
]

export const handle: PageHandle = { cached: [], gives: true }

export const meta = pageMeta({
  title: `${brand}: From Binance Community, For Everyone`,
  description: `A community token whose ${taxPercent}% tax pays for donations and dreams. Follow every payment from the treasury to the cause.`,
  path: '/',
})

/** The number of payments on the receipt. */
const maxPayments = 3

export async function loader({ context }: LoaderFunctionArgs) {
  const { config } = context
  const data = context.publicData()
  const [totals, pools, payments] = await Promise.all([
    readTotals(data),
    listPoolsWithTotals(data),
    listCausePayments(data, maxPayments),
  ])
  return {
    totals,
    pools,
    payments,
    division: divisionOf(totals),
    causes: (flowOf(totals, pools)?.uses ?? []).filter(({ waiting }) => waiting !== undefined),
    token: config.TOKEN_ADDRESS,
    links: [
      { to: config.SOCIAL_URL, label: 'Follow us' },
      { to: config.COMMUNITY_URL, label: 'Join the community' },
      { to: config.CHART_URL, label: 'See the token chart' },
    ].filter(({ to }) => to !== undefined),
  }
}

export default function Home() {
  const { totals, pools, payments, division, causes, token, links } = useLoaderData<typeof loader>()
  const started = hasPayments(totals)
  return (
    <>
      <div className="hero column">
        <div>
          <h1 className="text-hero leading-none">From Binance Community, For Everyone</h1>
          <p className="hero-lead">
            {brand} takes {taxPercent}% of every trade of its token to help people and animals, and shows you
            where every dollar goes.
          </p>
          <p className="hero-ways">
            <DonateButton />
            <a href="/transparency" className="button">
              Read the ledger
            </a>
          </p>
          <p className="hero-who">
            <Pictogram name="holders" />
            <a href="/about#who">Run by its community, not by Binance.</a>
          </p>
        </div>
        <div id="latest-payments" data-live="ledger pools">
          {hasReceipt(payments, totals) ? (
            <Receipt
              payments={payments}
              totals={totals}
              pools={pools}
              age={<Updated at={totals?.asOf} kinds="ledger" />}
            />
          ) : (
            <img
              src="/drawings/hero.svg"
              alt=""
              width="560"
              height="420"
              className="mx-auto h-auto w-full max-w-md lg:max-w-none"
            />
          )}
        </div>
      </div>

      <Programmes pools={pools} payments={payments} />

      <div id="money" data-live="ledger">
        {division && <EveryFifty division={division} causes={causes} />}
        {!started && <FirstThousand />}
      </div>

      <Section id="ledger-figures" heading="figures" title="So far" live="ledger">
        <Stats>
          <Stat
            icon="treasury"
            label="Treasury"
            value={totals && formatDollars(totals.treasuryUsd)}
            note="not given yet; costs come out of it too"
          />
          <Stat
            icon="donated"
            label="Donated"
            value={totals && formatDollars(totals.donatedUsd)}
            note="given to pools and to other causes"
          />
          <Stat
            icon="dreams"
            label="Dreams Funded"
            value={totals && formatDollars(totals.dreamsFundedUsd)}
            note="paid for goals of the community"
          />
        </Stats>
        {started && <Provenance totals={totals} />}
        {started && totals && <Share title={totalsTitle(totals)} url="/" quiet />}
      </Section>

      <Steps title="How the money moves" steps={moneyPath} className="pt-section" />

      <div className="column pt-section">
        <TokenContract address={token} />
        {links.length > 0 && (
          <ul className="mt-4 flex flex-wrap gap-x-8">
            {links.map(({ to, label }) => (
              <li key={label}>
                <ExternalLink to={to}>{label}</ExternalLink>
              </li>
            ))}
          </ul>
        )}
      </div>

      <section className="column pt-section" aria-labelledby="check">
        <div className="closing">
          <h2 id="check">Don't take our word for it.</h2>
          <p>Open any payment and follow it to the blockchain.</p>
          <a href="/transparency#history" className="button">
            Check the ledger
          </a>
        </div>
      </section>
      <LiveStatus />
    </>
  )
}
