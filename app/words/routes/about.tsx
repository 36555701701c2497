import { msg } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { OperatorList } from '~/acts/operator-list'
import { type IntroducedOperator, listIntroducedOperators } from '~/acts/published-acts.server'
import { ControlCounts, controlCounts, type KeyCounts } from '~/custody/control-counts'
import { readWalletControls } from '~/custody/controls.server'
import { listWallets } from '~/ledger/wallets'
import { Gap, PageLink, useLanguage } from '~/platform/locales/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { pageMeta } from '~/platform/rendering/seo'
import { useVotingSentence } from '~/platform/rendering/voting'
import { brand, taxPercent } from '~/platform/site'
import { ExternalLink } from '~/platform/ui/external-link'
import { Icon } from '~/platform/ui/icon'
import { PageHeader } from '~/platform/ui/page-header'
import { Pictogram } from '~/platform/ui/pictogram'
import { Section } from '~/platform/ui/section'

const values = [
  {
    title: msg`Community First`,
    sign: <Pictogram name="holders" />,
    text: msg`The money comes from the people who trade the token, so they come first. Every choice is made in the open.`,
  },
  {
    title: msg`Maximum Impact`,
    sign: <Pictogram name="donated" />,
    text: msg`We back people already on the ground, and small costs that change a lot. A pair of glasses keeps a child in school. A campaign about glasses doesn't.`,
  },
  {
    title: msg`Collective Power`,
    sign: <Pictogram name="treasury" />,
    text: msg`${taxPercent}% of one trade changes little. ${taxPercent}% of thousands of trades can drill a well. That's the whole idea.`,
  },
  {
    title: msg`Swift Action`,
    sign: <Icon name="away" />,
    text: msg`Early help costs less and saves more. When a cause is clear, we act, and show how long it took.`,
  },
]

const governance = {
  title: msg`Community Governance`,
  text: msg`Token holders will vote on causes and on how the treasury splits its fees. Voting isn't open yet, but you can see a preview.`,
  to: '/giveback',
  link: msg`See the FundMe preview`,
}
const openGovernance = {
  ...governance,
  text: msg`Members ask for money for their own goals, and anyone can give.`,
  link: msg`See the goals`,
}

const ways = [
  {
    title: msg`Transparent Operations`,
    text: msg`Every payment shows the amount, who got it and its transaction on BNB Smart Chain. We never edit the ledger: we fix a mistake with a correction, and the old version stays. You can check each payment on a block explorer.`,
    to: '/transparency',
    link: msg`Read the ledger`,
  },
  governance,
  {
    title: msg`Verified Impact`,
    text: msg`A transaction proves that money left. It doesn't prove that help arrived. So a donation can carry a second proof: a receipt, a report or a public thank-you from the people who received it. Where we have no second proof, the payment shows none.`,
    to: '/voting#donations',
    link: msg`See the donations`,
  },
  {
    title: msg`CZ-Inspired Action`,
    text: msg`When Changpeng Zhao (CZ) speaks up for a cause, people listen. We take his statement as a call for help and give from our donation wallet. He has no part in this project and never asked for it.`,
    to: '/cz-call',
    link: msg`How a CZ Call works`,
  },
]
/** The ways to take part while FundMe is open. */
const waysWhileOpen = ways.map((way) => (way === governance ? openGovernance : way))

export const handle: PageHandle = { cached: [] }

export const meta = pageMeta({
  title: msg`About`,
  description: msg`Why a community token pays a tax to charity, what we value, and how anyone can check every payment.`,
  path: '/about',
})

export async function loader({ context }: LoaderFunctionArgs) {
  const { SOCIAL_URL, COMMUNITY_URL, FUNDME_OPEN, TOKEN_ADDRESS: token, PAYER_KEY } = context.config
  const data = context.publicData()
  const [operators, controls] = await Promise.all([
    listIntroducedOperators(data),
    readWalletControls(data, context.config),
  ])
  return {
    /** Null if they cannot be read, or without a wallet. */
    keys: controls && controlCounts(listWallets(context.config), controls),
    social: SOCIAL_URL,
    community: COMMUNITY_URL,
    isOpen: FUNDME_OPEN,
    token,
    /** Null if the operators cannot be read. */
    operators: operators?.filter(({ until }) => until === null) ?? null,
    hasPayer: Boolean(PAYER_KEY),
  }
}

export default function About() {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const { social, community, isOpen, token, operators, hasPayer, keys } = useLoaderData<typeof loader>()
  const voting = useVotingSentence()
  return (
    <>
      <PageHeader
        title={t({ message: 'About', comment: 'Title of the page about the project' })}
        tagline={t`${brand} is a community that gives together, and shows every payment.`}
      />

      <Who operators={operators} hasPayer={hasPayer} keys={keys} />

      <Section
        heading="mission"
        title={t`Mission`}
        className="grid items-start gap-x-12 gap-y-5 pt-section lg:grid-cols-[1fr_2fr]"
      >
        <div className="grid max-w-[60ch] gap-5 lg:row-span-2">
          <p className="font-display text-heading leading-tight">
            <Trans>To turn a small fee on every trade into help you can follow to the end.</Trans>
          </p>
          <p>
            <Trans>
              Crypto communities are good at moving money and bad at saying where it went. Charities often
              know where it went and struggle to move it. {brand} puts the two together: a token on BNB Smart
              Chain with a {taxPercent}% tax on buying and selling, a treasury filled by that tax, and a
              public ledger in which anyone can check every payment.
            </Trans>
            {!token && (
              <>
                <Gap />
                <Trans>The token hasn't launched yet, so no tax has come in.</Trans>
              </>
            )}
          </p>
          <p>
            <Trans>
              We start at zero and say so. Every figure here is the sum of payments that you can open. No
              payments means zero.
            </Trans>
          </p>
        </div>
        <img
          src="/drawings/about.svg"
          alt=""
          width="560"
          height="420"
          loading="lazy"
          className="h-auto w-full max-w-sm"
        />
      </Section>

      <Section heading="values" title={t`Core Values`}>
        <ul className="mt-6 grid gap-x-12 border-t-2 border-ink md:grid-cols-2">
          {values.map(({ title, sign, text }) => (
            <li key={title.id} className="flex gap-5 border-b border-hairline py-7">
              <span className="icon-block">{sign}</span>
              <div className="min-w-0">
                <h3 className="text-2xl">{i18n._(title)}</h3>
                <p className="mt-2 max-w-[50ch] text-muted">{i18n._(text)}</p>
              </div>
            </li>
          ))}
        </ul>
      </Section>

      <Section heading="work" title={t`How We Work`}>
        <ul className="mt-6 border-t-2 border-ink">
          {(isOpen ? waysWhileOpen : ways).map(({ title, text, to, link }) => (
            <li
              key={title.id}
              className="grid gap-x-12 gap-y-3 border-b border-hairline py-7 lg:grid-cols-[1fr_2fr]"
            >
              <h3 className="text-2xl">{i18n._(title)}</h3>
              <div className="max-w-[60ch]">
                <p>
                  {i18n._(text)}
                  {text === openGovernance.text && (
                    <>
                      <Gap />
                      {voting}
                    </>
                  )}
                </p>
                <PageLink to={to} className="link mt-2 inline-block py-1">
                  {i18n._(link)}
                </PageLink>
              </div>
            </li>
          ))}
        </ul>
      </Section>

      <section className="column pt-section" aria-labelledby="join">
        <div className="closing">
          <h2 id="join">
            <Trans>Join Our Community</Trans>
          </h2>
          <p className="max-w-[50ch]">
            <Trans>
              Bring a cause, question a payment, or help us check one. You don't need to own the token.
            </Trans>
          </p>
          <p className="flex flex-wrap gap-3 md:row-span-2 md:row-start-1 md:flex-col">
            {community && (
              <ExternalLink to={community} className="button">
                {t`Join the Telegram`}
              </ExternalLink>
            )}
            {social && (
              <ExternalLink to={social} className="button">
                {t`Follow us on X`}
              </ExternalLink>
            )}
            {!community && !social && (
              <PageLink to="/contact" className="button">
                <Trans>Contact us</Trans>
              </PageLink>
            )}
          </p>
        </div>
      </section>
    </>
  )
}

/**
 * Who publishes and who holds the keys, in the operators' own words. Until an operator has said so, the first
 * sentence says that it is not published.
 */
function Who({
  operators,
  hasPayer,
  keys,
}: {
  operators: IntroducedOperator[] | null
  hasPayer: boolean
  keys: KeyCounts | null
}) {
  const { t } = useLingui()
  const introduced = operators?.filter(({ introduction }) => introduction) ?? []
  const unnamed = (operators?.length ?? 0) - introduced.length
  return (
    <Section id="who" heading="who-title" title={t`Who answers for the money`} className="">
      <div className="mt-3 grid max-w-[65ch] gap-3">
        {operators && (
          <p className="text-lg font-semibold">
            {operators.length > 0 && (
              <Trans>
                <Plural value={operators.length} one="# operator publishes" other="# operators publish" />{' '}
                here.
              </Trans>
            )}
            {unnamed > 0 && (
              <>
                <Gap />
                <Trans comment="Of the operators">
                  <Plural value={unnamed} one="# has" other="# have" /> not said who they are: one person may
                  have two handles.
                </Trans>
              </>
            )}
            {!keys?.isNamed && !operators.some(({ introduction }) => introduction?.holdsKey) && (
              <>
                {operators.length > 0 && <Gap />}
                <Trans>Who holds the keys of our wallets is not published yet.</Trans>
                {!keys?.shown && (
                  <>
                    <Gap />
                    <Trans>Nothing proves yet that anyone holds them.</Trans>
                  </>
                )}
              </>
            )}
          </p>
        )}
        {keys && (
          <p>
            <ControlCounts counts={keys} />
          </p>
        )}
        {introduced.length > 0 && (
          <>
            <p className="text-muted">
              <Trans>Each of them wrote this about themselves and signed it. We have not checked it.</Trans>
            </p>
            <OperatorList operators={introduced} />
          </>
        )}
        <p>
          <Trans>
            Members of the community run {brand}. Binance doesn't: it doesn't own, control, pay or approve
            this project.
          </Trans>
          <Gap />
          {hasPayer ? (
            <Trans>
              Two operators approve each payment that this site sends, or the rule that orders it, and
              everyone sees it before.
            </Trans>
          ) : (
            <Trans>
              Those who hold the keys send each payment themselves. No program of this site can pay.
            </Trans>
          )}
        </p>
        <p>
          <PageLink to="/transparency/acts" className="link">
            <Trans>Read who did what, and when</Trans>
          </PageLink>
          {' · '}
          <PageLink to="/transparency/wallets" className="link">
            <Trans>Compare our wallets with the blockchain</Trans>
          </PageLink>
          {' · '}
          <PageLink to="/contact" className="link">
            <Trans>Ask us about a payment</Trans>
          </PageLink>
        </p>
      </div>
    </Section>
  )
}
