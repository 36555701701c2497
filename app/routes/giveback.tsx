import { useActionData } from '@remix-run/react'
import { CampaignCard } from '~/fundme/campaign-card'
import { campaigns } from '~/fundme/campaigns'
import { refuseWhileClosed } from '~/fundme/closed.server'
import { ComingSoon } from '~/fundme/coming-soon'
import { CreateForm } from '~/fundme/create-form'
import { formatDollars } from '~/money'
import { cached } from '~/rendering/cached'
import { pageMeta } from '~/seo'
import { PageHeader } from '~/ui/page-header'
import { Stat, Stats } from '~/ui/stat'
import { Steps } from '~/ui/steps'

const steps = [
  {
    title: 'Submit Your Cause',
    text: 'Say what it is for, how much it takes, and what proves it. Anyone can.',
  },
  {
    title: 'Community Votes',
    text: 'Token holders read the goal and vote on it. Every goal stands for a set number of days.',
  },
  {
    title: 'Funds Released',
    text: 'A goal that finds enough support is paid, with the transaction published as proof.',
  },
]

const advice = [
  { term: 'A title', text: 'What the money becomes, in a few words: a well, a roof, a first stock.' },
  {
    term: 'A target',
    text: 'What it really costs, in US dollars. A small goal that is met beats a large one that is not.',
  },
  {
    term: 'A description',
    text: 'Who needs it, who will do the work, and what happens if more or less comes in.',
  },
  {
    term: 'Proof',
    text: 'A quote, a permit, a photograph, a letter. It is optional, and it is what voters look for.',
  },
]

export const handle = cached()

export const meta = pageMeta({
  title: 'Community FundMe',
  description:
    'Coming soon: set a fund goal, let token holders vote, see the winners funded. A preview with mockup data.',
  path: '/giveback',
})

export const action = refuseWhileClosed

export default function Giveback() {
  if (useActionData<typeof action>()?.closed) return <ComingSoon />
  return (
    <>
      <PageHeader
        badge="Coming Soon"
        title="Community FundMe"
        tagline="Token holders vote on causes that matter. From community, to community."
        drawing={<img src="/drawings/fundme.svg" alt="" width="560" height="420" className="h-auto w-full" />}
      >
        <p className="mt-7">
          <button type="button" className="button" disabled aria-describedby="closed">
            Create Fund Pool
          </button>
        </p>
        <p id="closed" className="mt-3 max-w-[50ch] text-sm text-muted">
          FundMe is not open yet: creating a pool, viewing its details and voting are disabled until it is.
        </p>
      </PageHeader>

      <section className="column pt-8" aria-labelledby="figures">
        <h2 id="figures" className="text-heading">
          FundMe so far
        </h2>
        <Stats>
          <Stat icon="treasury" label="Total Funded" value={formatDollars(0)} />
          <Stat icon="dreams" label="Dreams Realized" value="0" />
          <Stat icon="holders" label="Community Votes" value="0" />
        </Stats>
      </section>

      <div className="pt-8">
        <Steps steps={steps} />
      </div>

      <section className="column pt-8" aria-labelledby="preview">
        <div className="preview">
          <h2 id="preview" className="text-heading">
            What a vote will look like
          </h2>
          <p className="mt-3 text-lg">Preview below shows mockup data for demonstration purposes</p>
          <ul className="mt-7 grid gap-6 lg:grid-cols-3">
            {campaigns.map((campaign) => (
              <CampaignCard key={campaign.id} campaign={campaign} whyClosed="closed" />
            ))}
          </ul>
        </div>
      </section>

      <section
        className="column grid gap-x-12 gap-y-6 pt-section lg:grid-cols-[1fr_1.5fr]"
        aria-labelledby="create"
      >
        <div>
          <h2 id="create" className="text-heading">
            What a fund pool will ask of you
          </h2>
          <p id="create-closed" className="mt-3 max-w-[50ch] text-muted">
            The form is closed until FundMe opens. It is here so that you can get ready.
          </p>
          <dl className="mt-7 grid max-w-[50ch] gap-5">
            {advice.map(({ term, text }) => (
              <div key={term} className="border-t border-hairline pt-4">
                <dt className="font-semibold">{term}</dt>
                <dd className="mt-1 text-muted">{text}</dd>
              </div>
            ))}
          </dl>
        </div>
        <CreateForm whyClosed="create-closed" />
      </section>
    </>
  )
}
