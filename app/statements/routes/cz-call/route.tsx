import { msg } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { Fragment } from 'react'
import { FollowSection } from '~/follow/follow'
import { listCalls } from '~/ledger/calls.server'
import { callFeeds, Downloads } from '~/ledger/download-links'
import { parsePosition } from '~/ledger/keyset.server'
import { readSources } from '~/ledger/listening.server'
import { ListUnavailable } from '~/ledger/unavailable'
import { valueNamedOrders } from '~/payments/order-values.server'
import { findOrdersFor, readOrderClock } from '~/payments/orders.server'
import { listAnswering, type StandingOrder, valueStanding } from '~/payments/standing.server'
import { hostOf, StandingRecipient, Tokens } from '~/payments/standing-list'
import { LiveStatus } from '~/platform/live/live-status'
import { Gap, PageLink, useLanguage } from '~/platform/locales/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { pageMeta } from '~/platform/rendering/seo'
import { readClock } from '~/platform/server/clock.server'
import { Empty } from '~/platform/ui/empty'
import { PageHeader } from '~/platform/ui/page-header'
import { NoSuchPage, NothingOlder, Pager } from '~/platform/ui/pager'
import { Section } from '~/platform/ui/section'
import { Steps } from '~/platform/ui/steps'
import { Updated } from '~/platform/ui/updated'
import { OriginalWords } from '~/platform/ui/words'
import { CallFeed } from './call-feed'
import { Listening } from './listening'

const steps = [
  {
    title: msg`We listen`,
    text: msg`The system listens to CZ’s charity mentions on X and to official statements.`,
  },
  {
    title: msg`Our wallet gives`,
    text: msg`When a cause is highlighted, funds are sent automatically from the donation wallet.`,
  },
  { title: msg`You see the proof`, text: msg`You see his words and a link to the payment.` },
]

/** The steps in the words of the specification, each followed by what is so on this site. */
function useSteps(
  hasSources: boolean,
  { hasPayer, standing, notice }: { hasPayer: boolean; standing: StandingOrder[]; notice: number },
) {
  const { i18n } = useLanguage()
  const facts = [
    hasSources ? (
      <Trans key="listen">
        <a href="#listening" className="link">
          Our sources
        </a>
        .
      </Trans>
    ) : (
      <strong key="listen" className="font-semibold">
        <Trans>This site reads no source by itself yet: people read them.</Trans>
      </strong>
    ),
    <strong key="give" className="font-semibold">
      {standing.length > 0 ? (
        <Answers standing={standing} hasPayer={hasPayer} notice={notice} />
      ) : hasPayer ? (
        <Trans>Two people approve each payment that this site sends, or the rule that orders it.</Trans>
      ) : (
        <Trans>On this site nothing is sent automatically: a person sends each payment.</Trans>
      )}
    </strong>,
  ]
  return steps.map(({ title, text }, at) => ({
    title: i18n._(title),
    text: (
      <>
        {i18n._(text)}
        {facts[at] && <Gap />}
        {facts[at]}
      </>
    ),
  }))
}

/** Which causes are paid by themselves, up to how much, and how long after the statement. */
function Answers({
  standing,
  hasPayer,
  notice,
}: {
  standing: StandingOrder[]
  hasPayer: boolean
  notice: number
}) {
  return (
    <>
      {standing.map((each) => {
        const { number, source, amount } = each
        const host = <bdi dir="ltr">{hostOf(source)}</bdi>
        const sum = amount && <Tokens of={amount} />
        const whom = <StandingRecipient standing={each} />
        return (
          <Fragment key={number}>
            {hasPayer ? (
              <Trans>
                On this site, a matching post of {host} sends {sum} to {whom} after{' '}
                <Plural value={notice} one="# hour" other="# hours" />, without a person.
              </Trans>
            ) : (
              <Trans>
                Only the order is automatic: a matching post of {host} orders {sum} for {whom}. A person pays
                after <Plural value={notice} one="# hour" other="# hours" />.
              </Trans>
            )}
            <Gap />
          </Fragment>
        )
      })}
      <PageLink to="/transparency/orders#standing" className="link">
        <Trans>Limits</Trans>
      </PageLink>
    </>
  )
}

export const handle: PageHandle = { cached: ['before', 'after', 'calls'] }

export const meta = pageMeta({
  title: 'CZ Call',
  description: msg`Donations guided by CZ’s public statements on charity, paid from our donation wallet. See his words, the payment and the time between them.`,
  path: '/cz-call',
  feed: callFeeds,
})

/** The number of statements on the page before the visitor asks for all. */
const firstCalls = 3

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const { position, valid } = parsePosition(searchParams)
  const isShort = position === null && searchParams.get('calls') !== 'all'
  const data = context.publicData()
  const readFeed = async () => {
    const page = await listCalls(data, position, isShort ? firstCalls : undefined)
    const open =
      page?.rows.flatMap(({ answer, verified, tweetUrl }) =>
        (answer && verified) || !tweetUrl ? [] : [tweetUrl],
      ) ?? []
    const found = await findOrdersFor(data, open)
    const orders = await valueNamedOrders(data, context.config, [...found.values()])
    return (
      page && {
        ...page,
        rows: page.rows.map((call) => ({
          ...call,
          order: orders.find(({ statement }) => statement === call.tweetUrl),
        })),
      }
    )
  }
  const orderClock = readOrderClock(context.config)
  const [feed, sources, standing] = await Promise.all([
    readFeed(),
    readSources(data, context.config),
    listAnswering(data, orderClock).then((each) => valueStanding(data, context.config, each)),
  ])
  return {
    feed,
    sources,
    isShort,
    now: readClock(context.config),
    orderClock,
    payments: {
      hasPayer: Boolean(context.config.PAYER_KEY),
      standing,
      notice: context.config.PAYMENT_NOTICE_HOURS,
    },
    paged: position !== null,
    unreadable: !valid,
  }
}

export default function CzCall() {
  const { t } = useLingui()
  const { feed, sources, isShort, now, orderClock, payments, paged, unreadable } =
    useLoaderData<typeof loader>()
  const newest = feed?.rows[0]
  return (
    <>
      <PageHeader
        title="CZ Call"
        tagline={t`When CZ, the founder of Binance, speaks up for a cause, our donation wallet gives.`}
        drawing={
          <img
            src="/drawings/cz-call.svg"
            alt=""
            width="480"
            height="270"
            className="h-auto w-full rounded-block"
          />
        }
      />
      <Section
        id="feed"
        heading="feed-title"
        title={t`Live Feed`}
        age={!paged && <Updated at={newest && (newest.capturedAt ?? newest.postedAt)} kinds="calls ledger" />}
      >
        {unreadable && <NoSuchPage />}
        {feed?.rows.length !== 0 && <OriginalWords className="mt-2" />}
        <div id="calls" data-live={paged ? undefined : 'calls ledger'}>
          {feed === null ? (
            <ListUnavailable />
          ) : feed.rows.length > 0 ? (
            <CallFeed calls={feed.rows} now={orderClock} />
          ) : (
            <Empty drawing="/drawings/empty-feed.svg">
              {paged ? (
                <NothingOlder newest="/cz-call#feed" />
              ) : (
                <p>
                  <Trans>No CZ calls yet. Waiting for the signal...</Trans>
                </p>
              )}
            </Empty>
          )}
          {isShort
            ? feed?.older && (
                <p className="mt-6">
                  <PageLink to="/cz-call?calls=all#feed" className="button">
                    <Trans>All calls</Trans>
                  </PageLink>
                </p>
              )
            : feed && (
                <Pager
                  label={t`Pages of the feed`}
                  newer={feed.newer && `/cz-call?after=${feed.newer}#feed`}
                  older={feed.older && `/cz-call?before=${feed.older}#feed`}
                />
              )}
        </div>
        {feed?.rows.length !== 0 && <Downloads feeds={callFeeds} folded />}
      </Section>
      <Steps steps={useSteps(sources !== 'none', payments)} />
      <Listening
        sources={sources === 'none' ? [] : sources}
        now={now}
        answered={payments.standing.length > 0}
      />
      <FollowSection topic="cz-call" />

      <section className="column pt-section" aria-labelledby="why">
        <div className="panel grid gap-x-12 gap-y-4 md:grid-cols-[1fr_2fr] md:p-10">
          <h2 id="why" className="text-heading">
            <Trans>Why CZ?</Trans>
          </h2>
          <div className="grid max-w-[65ch] gap-4">
            <p>
              <Trans>
                When CZ names a school, a flood or a shelter, many people look. A day later, most have moved
                on. CZ Call turns that moment into help.
              </Trans>
            </p>
            <p className="font-semibold">
              <Trans>
                We are not affiliated with CZ or with Binance. Neither asked for this, endorses it or gets
                anything from it. The payments, and any mistakes, are ours.
              </Trans>
            </p>
          </div>
        </div>
      </section>
      {!paged && <LiveStatus />}
    </>
  )
}
