import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { listCausePayments } from '~/ledger/cause-payments.server'
import { Downloads, ledgerFeeds } from '~/ledger/download-links'
import { parsePosition } from '~/ledger/keyset.server'
import { PoolCard } from '~/ledger/pool-card'
import { listPoolsWithTotals } from '~/ledger/totals.server'
import { listPoolDonations } from '~/ledger/transactions.server'
import { FiguresUnavailable, ListUnavailable } from '~/ledger/unavailable'
import { impactPools } from '~/platform/impact-pools'
import { LiveStatus } from '~/platform/live/live-status'
import { Gap, useLanguage } from '~/platform/locales/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { pageMeta } from '~/platform/rendering/seo'
import { Empty } from '~/platform/ui/empty'
import { PageHeader } from '~/platform/ui/page-header'
import { NoSuchPage, NothingOlder, Pager } from '~/platform/ui/pager'
import { Section } from '~/platform/ui/section'
import { Steps } from '~/platform/ui/steps'
import { Updated } from '~/platform/ui/updated'
import { OriginalWords } from '~/platform/ui/words'
import { DonationsTable } from './donations-table'

/** The specification's words; the page adds what is so on this site. */
const fed = {
  title: msg`Fed by the treasury`,
  text: msg`From time to time the treasury sends them part of its fees, automatically or by hand.`,
}
const steps = [
  {
    title: msg`Permanent pools`,
    text: msg`Pools never close. No deadline, no cap.`,
  },
  fed,
  {
    title: msg`Open books`,
    text: msg`Each pool has a transparent dashboard that shows funds allocated, donated and proof links.`,
  },
]

export const handle: PageHandle = { cached: ['before', 'after'] }

export const meta = pageMeta({
  title: msg`Impact Pools`,
  description: msg`Permanent global donation pools for education, humanitarian relief and animal welfare, with every donation and its transaction.`,
  path: '/voting',
  feed: ledgerFeeds(msg`Donations`, { type: 'donation' }),
})

/** The number of payments of a pool among which its card shows those with a purpose. */
const boughtLast = 20

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { position, valid } = parsePosition(new URL(request.url).searchParams)
  const data = context.publicData()
  const [pools, donations, bought] = await Promise.all([
    listPoolsWithTotals(data),
    listPoolDonations(data, position),
    Promise.all(impactPools.map(({ slug }) => listCausePayments(data, boughtLast, slug))),
  ])
  return {
    pools,
    bought,
    donations,
    paged: position !== null,
    unreadable: !valid,
    hasPayer: Boolean(context.config.PAYER_KEY),
  }
}

export default function ImpactPools() {
  const { t } = useLingui()
  const { i18n, href } = useLanguage()
  const { pools, bought, donations, paged, unreadable, hasPayer } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader
        title={t`Impact Pools`}
        tagline={t`Permanent global donation pools funded regularly from treasury.`}
      />
      <Section heading="pools" title={t`Active Impact Pools`}>
        {pools.some(({ totals }) => totals === null) && <FiguresUnavailable />}
        {bought.some((payments) => payments?.length) && <OriginalWords className="mt-2" />}
        <ul id="pool-cards" data-live="ledger pools" className="mt-6 grid gap-6 lg:grid-cols-3">
          {pools.map((pool, at) => (
            <PoolCard key={pool.slug} pool={pool} bought={bought[at] ?? null} />
          ))}
        </ul>
      </Section>

      <Section
        id="donations"
        heading="donations-title"
        title={t`Recent Donations`}
        age={!paged && <Updated at={donations?.rows[0]?.occurredAt} kinds="ledger" />}
      >
        {unreadable && <NoSuchPage />}
        <div id="donation-rows" data-live={paged ? undefined : 'ledger'}>
          {donations === null ? (
            <ListUnavailable />
          ) : donations.rows.length > 0 ? (
            <DonationsTable donations={donations.rows} />
          ) : (
            <Empty drawing="/drawings/empty-donations.svg">
              {paged ? (
                <NothingOlder newest="/voting#donations" />
              ) : (
                <p>
                  <Trans>No donations yet</Trans>
                </p>
              )}
            </Empty>
          )}
          {donations && (
            <Pager
              label={t`Pages of donations`}
              newer={donations.newer && href(`/voting?after=${donations.newer}#donations`)}
              older={donations.older && href(`/voting?before=${donations.older}#donations`)}
            />
          )}
        </div>
        {donations?.rows.length !== 0 && (
          <Downloads
            filter={{ type: 'donation' }}
            feeds={ledgerFeeds(msg`Donations`, { type: 'donation' })}
            folded
          />
        )}
      </Section>
      <Steps
        steps={steps.map((step) => ({
          title: i18n._(step.title),
          text:
            step === fed ? (
              <>
                {i18n._(step.text)}
                <Gap />
                <strong className="font-semibold">
                  {hasPayer ? (
                    <Trans>
                      Two people approve each payment that this site sends, or the rule that orders it.
                    </Trans>
                  ) : (
                    <Trans>On this site nothing is sent automatically: a person sends each payment.</Trans>
                  )}
                </strong>
              </>
            ) : (
              i18n._(step.text)
            ),
        }))}
      />
      <LiveStatus />
    </>
  )
}
