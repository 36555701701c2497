import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useLoaderData } from '@remix-run/react'
import { useFollows } from '~/follow/follow'
import { hasPayments, totalsTitle } from '~/ledger/totals'
import { ComingNext } from '~/payments/order-list'
import { LiveStatus } from '~/platform/live/live-status'
import { Gap, PageLink, useLanguage } from '~/platform/locales/react'
import { useFundMe, useFundMeOpen } from '~/platform/rendering/fundme-open'
import type { PageHandle } from '~/platform/rendering/handle'
import { pageMeta } from '~/platform/rendering/seo'
import { useVotingSentence } from '~/platform/rendering/voting'
import { brand, taxPercent } from '~/platform/site'
import { DonateButton, useOpen } from '~/platform/ui/donate-button'
import { ExternalLink } from '~/platform/ui/external-link'
import { Share } from '~/platform/ui/share'
import { Steps } from '~/platform/ui/steps'
import { Updated } from '~/platform/ui/updated'
import { CauseReceipt, hasReceipt } from './cause-receipt'
import { EveryFifty } from './every-fifty'
import { ExampleReceipt } from './example-receipt'
import { Figures } from './figures'
import { FirstThousand } from './first-thousand'
import { loader } from './loader.server'
import { Programmes } from './programmes'
import { TokenContract } from './token-contract'

const decision = {
  title: msg`The community will decide`,
  text: msg`Token holders will vote on causes and on the split of the fees. Voting opens with FundMe.`,
}

/** The same title while votes are open. */
const decides = msg`The community decides`

const tax = {
  title: msg`Every trade pays in`,
  text: msg`A ${taxPercent}% tax on every buy and sell flows into the treasury. Its balance is public.`,
}
/** Before the token exists. */
const laterTax = {
  title: msg`Every trade will pay in`,
  text: msg`Once the token trades, a ${taxPercent}% tax on every buy and sell flows into the treasury.`,
}

const moneyPath = [
  tax,
  decision,
  {
    title: msg`Every payment can be checked`,
    text: msg`Each one links to its transaction on BNB Smart Chain.`,
  },
]

export const handle: PageHandle = { cached: [], gives: true }

export const meta = pageMeta({
  title: msg({
    message: `${brand}: From Binance Community, For Everyone`,
    comment: 'The title of the first page; the motto of the project',
  }),
  description: msg`A community token whose ${taxPercent}% tax pays for donations and dreams. Follow every payment from the treasury to the cause.`,
  path: '/',
})

export { loader }

export default function Home() {
  const { t } = useLingui()
  const language = useLanguage()
  const { totals, pools, payments, coming, ended, orderClock, division, causes, split, token, links } =
    useLoaderData<typeof loader>()
  const started = hasPayments(totals)
  const isOpen = useOpen()
  const isFundMeOpen = useFundMeOpen()
  const { isVotingOpen = false } = useFundMe() ?? {}
  // `totals` is null if the data can't be read: then it is unknown whether a payment was made.
  const launches = totals !== null && !started && !token && !isOpen
  const follows = useFollows()
  return (
    <>
      <div className="hero column">
        <div>
          <h1 className="text-hero leading-none">
            <Trans>From Binance Community, For Everyone</Trans>
          </h1>
          <p className="hero-who">
            <PageLink to="/about#who" className="link">
              <Trans>Run by its community, not by Binance.</Trans>
            </PageLink>
          </p>
          <p className="hero-lead">
            {token ? (
              <Trans>
                {brand} takes {taxPercent}% of every trade of its token to help people and animals, and shows
                you where every dollar goes.
              </Trans>
            ) : (
              <Trans>
                {brand} will take {taxPercent}% of every trade of its token to help people and animals, and
                show you where every dollar goes.
              </Trans>
            )}
          </p>
          {!started && !token && (
            <p className="hero-lead text-ink">
              <Trans>The token hasn't launched yet, and no payment has been made.</Trans>
            </p>
          )}
          <p className="hero-ways">
            <DonateButton />
            {!launches && (
              <PageLink to="/transparency" className="button">
                <Trans>Read the ledger</Trans>
              </PageLink>
            )}
          </p>
          {launches && (
            <p className="hero-why">
              {follows ? (
                <Trans>
                  It opens when the token is live. We send you one email on that day, and nothing else.
                </Trans>
              ) : (
                <Trans>
                  It opens when the token is live. This site can't send emails: its{' '}
                  <a href="/transparency.atom" className="link">
                    feed
                  </a>{' '}
                  has the first payment.
                </Trans>
              )}
            </p>
          )}
          <Figures totals={totals} />
        </div>
        <div id="latest-payments" data-live="ledger pools">
          {hasReceipt(payments, totals) ? (
            <CauseReceipt
              payments={payments}
              totals={totals}
              pools={pools}
              age={<Updated at={totals?.asOf} kinds="ledger" />}
            />
          ) : launches ? (
            <ExampleReceipt />
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

      <ComingNext coming={coming} ended={ended} now={orderClock} />

      <Programmes pools={pools} payments={payments} />

      <div id="money" data-live="ledger">
        {division && <EveryFifty division={division} causes={causes} />}
        {!started && <FirstThousand />}
        {started && totals && (
          <div className="column">
            <Share title={totalsTitle(totals, language)} url="/" quiet />
          </div>
        )}
      </div>

      <Steps
        title={t`How the money moves`}
        steps={moneyPath.map((step) => {
          if (step === tax) return token ? tax : laterTax
          if (step !== decision || !isFundMeOpen) return step
          return { title: isVotingOpen ? decides : step.title, text: <LaterDecision split={split} /> }
        })}
        className="pt-section"
      />

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
          <h2 id="check">
            <Trans>Don't take our word for it.</Trans>
          </h2>
          {!started && (
            <p>
              <Trans>No payment has been made. Each one will link to the blockchain.</Trans>
            </p>
          )}
          <PageLink to="/transparency#history" className="button">
            <Trans>Check the ledger</Trans>
          </PageLink>
        </div>
      </section>
      <LiveStatus />
    </>
  )
}

/** What token holders decide, and what they will decide, while FundMe is open. */
function LaterDecision({ split }: { split: Awaited<ReturnType<typeof loader>>['split'] }) {
  const language = useLanguage()
  const { formats } = language
  const part = split?.percent ? formats.percent(split.percent / 10) : ''
  const month = split?.fromMonth ? formats.month(split.fromMonth) : ''
  const { isVotingOpen = false } = useFundMe() ?? {}
  const voting = useVotingSentence()
  if (isVotingOpen)
    return (
      <>
        {voting}
        <Gap />
        {split ? (
          <>
            {split.isDecided ? (
              part ? (
                <Trans>
                  They decided how {part} of the tax is shared, from {month} on.
                </Trans>
              ) : (
                <Trans>
                  They decided how the tax is shared, from {month} on. No rule shares a part of it now.
                </Trans>
              )
            ) : (
              <Trans>They vote on the split of the fees now.</Trans>
            )}
            <Gap />
            <PageLink to={split.isDecided ? '/decisions' : split.to} className="link">
              {split.isDecided ? <Trans>What the community decided</Trans> : <Trans>Every ballot</Trans>}
            </PageLink>
          </>
        ) : (
          <Trans>They don't vote on the split of the fees yet.</Trans>
        )}
      </>
    )
  return (
    <>
      <Trans>Token holders will vote on causes and on the split of the fees.</Trans>
      <Gap />
      {voting}
    </>
  )
}
