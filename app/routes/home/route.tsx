import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { DonatedParts } from '~/ledger/donated-parts'
import { flowOf } from '~/ledger/flow'
import { MoneyFlow } from '~/ledger/money-flow'
import { Provenance } from '~/ledger/provenance'
import { listReconciliations } from '~/ledger/reconciliations.server'
import { totalsTitle } from '~/ledger/totals'
import { listPoolsWithTotals, readTotals } from '~/ledger/totals.server'
import { WalletBalances } from '~/ledger/wallet-balances'
import { listWallets } from '~/ledger/wallets'
import { LiveStatus } from '~/live/live-status'
import { formatDollars } from '~/money'
import type { PageHandle } from '~/rendering/handle'
import { pageMeta } from '~/seo'
import { brand, taxPercent } from '~/site'
import { ExternalLink } from '~/ui/external-link'
import { Icon } from '~/ui/icon'
import { Section } from '~/ui/section'
import { Share } from '~/ui/share'
import { Stat, Stats } from '~/ui/stat'
import { Steps } from '~/ui/steps'
import { TokenContract } from './token-contract'

const moneyPath = [
  {
    title: 'Every trade pays in',
    text: `A ${taxPercent}% tax on every buy and sell flows into the treasury. Its balance is public.`,
  },
  {
    title: 'The community decides',
    text: 'Token holders will vote on causes and on how the treasury splits its fees. Voting opens with FundMe.',
  },
  {
    title: 'Every payment is proven',
    text: 'Every payment is listed, with a link to its transaction on BNB Smart Chain.',
  },
]

export const handle: PageHandle = { cached: [] }

export const meta = pageMeta({
  title: `${brand}: From Binance Community, For Everyone`,
  description: `A community token whose ${taxPercent}% tax pays for donations and dreams. Follow every payment from the treasury to the cause.`,
  path: '/',
})

export async function loader({ context }: LoaderFunctionArgs) {
  const { config } = context
  const data = context.publicData()
  const [totals, pools, reconciliations] = await Promise.all([
    readTotals(data),
    listPoolsWithTotals(data),
    listReconciliations(data),
  ])
  return {
    totals,
    pools,
    flow: flowOf(totals, pools),
    reconciliations,
    wallets: listWallets(config),
    token: config.TOKEN_ADDRESS,
    links: [
      { to: config.SOCIAL_URL, label: 'Follow us' },
      { to: config.COMMUNITY_URL, label: 'Join the community' },
      { to: config.CHART_URL, label: 'See the token chart' },
    ],
  }
}

export default function Home() {
  const { totals, pools, flow, reconciliations, wallets, token, links } = useLoaderData<typeof loader>()
  return (
    <>
      <div className="column grid items-center gap-x-12 gap-y-8 pt-section md:grid-cols-[1.15fr_1fr]">
        <div>
          <h1 className="text-hero">From Binance Community, For Everyone</h1>
          <p className="mt-6 max-w-[46ch] text-xl text-muted">
            {brand} turns a community token's tax into help for people and animals, and shows you where every
            dollar goes.
          </p>
          <p className="mt-8 flex flex-wrap gap-3">
            <a href="/donate" className="button button-gold">
              Donate
            </a>
            <a href="/transparency" className="button">
              Read the ledger
            </a>
            <a href="/voting" className="button">
              See the pools
            </a>
          </p>
        </div>
        <img src="/drawings/hero.svg" alt="" width="560" height="420" className="h-auto w-full" />
      </div>

      <div className="column mt-12">
        <TokenContract address={token} />
        <ul className="mt-4 flex flex-wrap gap-x-8">
          {links.map(({ to, label }) => (
            <li key={label}>
              <ExternalLink to={to}>{label}</ExternalLink>
            </li>
          ))}
        </ul>
      </div>

      <Section id="ledger-figures" heading="figures" title="So far" live="ledger">
        <Stats>
          <Stat
            icon="treasury"
            label="Treasury"
            value={totals && formatDollars(totals.treasuryUsd)}
            note="ready to give"
          />
          <Stat
            icon="donated"
            label="Donated"
            value={totals && formatDollars(totals.donatedUsd)}
            note="given to causes"
          />
          <Stat
            icon="dreams"
            label="Dreams Funded"
            value={totals && formatDollars(totals.dreamsFundedUsd)}
            note="given to community goals"
          />
        </Stats>
        <WalletBalances reconciliations={reconciliations} wallets={wallets} />
        <Provenance totals={totals} />
        {totals && <Share title={totalsTitle(totals)} url="/" />}
      </Section>

      {flow && totals && (
        <Section id="ledger-flow" heading="flow" title="Where the money went" live="ledger">
          <MoneyFlow flow={flow} />
          <DonatedParts totals={totals} pools={pools} />
        </Section>
      )}

      <Section heading="programmes" title="Three ways we help">
        <ul className="mt-6 grid gap-5 md:grid-cols-2">
          <li className="programme programme-wide">
            <img src="/drawings/cz-call.svg" alt="" width="480" height="270" loading="lazy" />
            <div>
              <h3>
                <a href="/cz-call">CZ Call</a>
                <ProgrammeArrow />
              </h3>
              <p>
                When CZ highlights a cause, our donation wallet gives. You see his words, the payment and the
                time between them.
              </p>
            </div>
          </li>
          <li className="programme">
            <img src="/drawings/pool-relief.svg" alt="" width="480" height="270" loading="lazy" />
            <div>
              <h3>
                <a href="/voting">Impact Pools</a>
                <ProgrammeArrow />
              </h3>
              <p>
                Permanent pools for education, relief and animals, from clean water to Gaza and Africa. The
                treasury tops them up.
              </p>
            </div>
          </li>
          <li className="programme">
            <img src="/drawings/campaign-business.svg" alt="" width="480" height="270" loading="lazy" />
            <div>
              <h3>
                <a href="/giveback">FundMe</a>{' '}
                <span className="badge bg-gold font-sans text-on-gold">Coming Soon</span>
                <ProgrammeArrow />
              </h3>
              <p>Anyone can set a goal. Token holders vote. Winners get funded.</p>
            </div>
          </li>
        </ul>
      </Section>

      <div className="pt-section">
        <Steps title="How the money moves" steps={moneyPath} />
      </div>

      <section className="column pt-12" aria-labelledby="check">
        <div className="closing">
          <h2 id="check">Don't take our word for it.</h2>
          <p>Every payment links to its transaction. Open one on the block explorer and see for yourself.</p>
          <div className="flex flex-wrap gap-3">
            <a href="/transparency#history" className="button">
              Check the ledger
            </a>
            <a href="/donate" className="button">
              Donate
            </a>
          </div>
        </div>
      </section>
      <LiveStatus />
    </>
  )
}

function ProgrammeArrow() {
  return (
    <span className="icon-block ml-auto">
      <Icon name="away" />
    </span>
  )
}
