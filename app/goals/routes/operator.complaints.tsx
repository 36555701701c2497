import { msg, plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { requireOperator } from '~/acts/guard.server'
import { ComplaintList } from '~/goals/complaint-list'
import { readComplaints } from '~/goals/reviewed-goals.server'
import { StageBadge } from '~/goals/stage-badge'
import { ListUnavailable } from '~/ledger/unavailable'
import type { PageHandle } from '~/platform/rendering/handle'
import { hiddenMeta } from '~/platform/rendering/seo'
import { requireFundMe } from '~/platform/server/fundme-guard.server'
import { notFound } from '~/platform/server/outage.server'
import { PageHead } from '~/platform/ui/page-head'

export const handle: PageHandle = { fundMe: true }

export const meta: MetaFunction = hiddenMeta(msg`Complaints`)

export async function loader({ request, context }: LoaderFunctionArgs) {
  requireFundMe(context)
  await requireOperator(context, new URL(request.url).pathname)
  const goals = await readComplaints(context.data())
  if (goals === 'none') throw notFound()
  return { goals }
}

export default function Complaints() {
  const { t } = useLingui()
  const { goals } = useLoaderData<typeof loader>()
  return (
    <div className="column pt-section">
      <PageHead back={{ to: '/operator', label: t`Operator` }} title={t`Complaints`}>
        <p className="mt-3 max-w-[65ch] text-muted">
          <Trans>Open complaints of members about goals. We don't show who complained.</Trans>
        </p>
      </PageHead>
      {!goals && <ListUnavailable />}
      {goals?.length === 0 && (
        <p className="mt-6">
          <Trans>No complaints.</Trans>
        </p>
      )}
      {goals?.map(({ slug, title, stage, frozen, mine, count, items }) => (
        <section key={slug} aria-labelledby={slug} className="mt-8">
          <h2 id={slug} className="flex flex-wrap items-baseline gap-3 text-heading">
            <a href={`/operator/goals/${slug}`} className="link wrap-anywhere">
              <bdi lang="">{title ?? slug}</bdi>
            </a>
            <StageBadge stage={stage} frozen={frozen} isOverdue={false} />
          </h2>
          <p className="mt-2 text-muted">
            {t`${plural(count, { one: '# open complaint', other: '# open complaints' })}`}
          </p>
          <ComplaintList complaints={items} />
          {count > items.length && (
            <p className="mt-4">
              <a href={`/operator/goals/${slug}`} className="link inline-block py-1">
                {t`${plural(count - items.length, { one: '# more complaint', other: '# more complaints' })}`}
              </a>
            </p>
          )}
          {!mine && (
            <p className="mt-4 flex flex-wrap gap-3">
              {(stage === 'open' || stage === 'ended') && !frozen && (
                <a href={`/operator/goals/${slug}?decide=goal-freeze#decide`} className="button">
                  <Trans>Freeze</Trans>
                </a>
              )}
              <a href={`/operator/goals/${slug}?decide=complaint-dismissal#decide`} className="button">
                {t`${plural(count, { one: 'Dismiss # complaint', other: 'Dismiss all # complaints' })}`}
              </a>
            </p>
          )}
          {frozen && (
            <p className="mt-2 text-muted">
              <Trans>It stays frozen if you dismiss them.</Trans>
            </p>
          )}
        </section>
      ))}
    </div>
  )
}
