import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { campaigns } from '~/goals/preview/campaigns'
import { ClosedButton } from '~/goals/preview/closed-button'
import { useLanguage } from '~/platform/locales/react'
import { PageHeader } from '~/platform/ui/page-header'
import { Section } from '~/platform/ui/section'
import { Stat, Stats } from '~/platform/ui/stat'
import { Steps } from '~/platform/ui/steps'
import { CampaignCard } from './campaign-card'
import { CreateForm } from './create-form'

const steps = [
  {
    title: msg`Submit Your Cause`,
    text: msg`Tell us what it's for, what it costs and how you can prove it. Anyone can.`,
  },
  { title: msg`Community Votes`, text: msg`Token holders vote. Each goal is open for a set number of days.` },
  {
    title: msg`Funds Released`,
    text: msg`Goals with enough votes get paid, and we publish the transaction.`,
  },
]

const advice = [
  { term: msg`A title`, text: msg`What the money will buy, in a few words: a well, a roof, school books.` },
  {
    term: msg`A target`,
    text: msg`The real cost in US dollars. A small goal you reach beats a big one you miss.`,
  },
  {
    term: msg`A description`,
    text: msg`Who needs it, who does the work, and what you'll do if you get more or less.`,
  },
  {
    term: msg`Proof`,
    text: msg`A price quote, a permit, a photo, a letter. Optional, but voters look for it.`,
  },
]

/** The page while FundMe is closed. */
export function FundmePreview() {
  const { t } = useLingui()
  const { i18n, formats } = useLanguage()
  return (
    <>
      <PageHeader
        badge={t`Coming Soon`}
        title={t`Community FundMe`}
        tagline={t`Token holders vote on causes that matter. From community, to community.`}
        drawing={
          <img
            src="/drawings/scenes/bakery.svg"
            alt=""
            width="480"
            height="270"
            className="h-auto w-full rounded-block"
          />
        }
      >
        <p className="mt-7">
          <ClosedButton why="closed">
            <Trans>Create Fund Pool</Trans>
          </ClosedButton>
        </p>
        <p id="closed" className="mt-3 max-w-[50ch] text-sm text-muted">
          <Trans>
            FundMe isn't open yet. You can read the previews now. Creating and voting start later.
          </Trans>
        </p>
      </PageHeader>

      <Section heading="figures" title={t`FundMe so far`} className="pt-8">
        <Stats>
          <Stat
            icon="treasury"
            label={t`Total Funded`}
            value={formats.dollars(0)}
            note={t`paid to goals that won`}
          />
          <Stat icon="dreams" label={t`Dreams Realized`} value="0" note={t`goals that were paid for`} />
          <Stat icon="holders" label={t`Community Votes`} value="0" note={t`given by token holders`} />
        </Stats>
      </Section>

      <div className="pt-8">
        <Steps steps={steps.map(({ title, text }) => ({ title: i18n._(title), text: i18n._(text) }))} />
      </div>

      <section className="column pt-8" aria-labelledby="preview">
        {/* The dashed edge shows that the content is made up. */}
        <div className="rounded-block border-2 border-dashed border-edge p-3.5 sm:p-7 lg:p-10">
          <h2 id="preview" className="text-heading">
            <Trans>What voting will look like</Trans>
          </h2>
          <p className="mt-3 text-lg">
            <Trans>Preview below shows mockup data for demonstration purposes</Trans>
          </p>
          <ul className="mt-7 grid gap-6 lg:grid-cols-3">
            {campaigns.map((campaign) => (
              <CampaignCard key={campaign.id} campaign={campaign} />
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
            <Trans>What you'll need</Trans>
          </h2>
          <p id="create-closed" className="mt-3 max-w-[50ch] text-muted">
            <Trans>
              A preview of the form. The real one opens with FundMe. It also asks for your name, a plan of
              costs, a number of days and a new wallet, and takes a picture as a file.
            </Trans>
          </p>
          <dl className="mt-7 grid max-w-[50ch] gap-5">
            {advice.map(({ term, text }) => (
              <div key={text.id} className="border-t border-hairline pt-4">
                <dt className="font-semibold">{i18n._(term)}</dt>
                <dd className="mt-1 text-muted">{i18n._(text)}</dd>
              </div>
            ))}
          </dl>
        </div>
        <CreateForm whyClosed="create-closed" />
      </section>
    </>
  )
}
