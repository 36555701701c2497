import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { OperatorList } from '~/acts/operator-list'
import { listIntroducedOperators, listPublishedActs, type PublishedAct } from '~/acts/published-acts.server'
import { actKinds, hasPrivateReason } from '~/console/act-kinds'
import { isGoalKind } from '~/goals/acts'
import { readGoalTitles } from '~/ledger/goal-names.server'
import { TransparencyNavigation } from '~/ledger/transparency-navigation'
import { ListUnavailable } from '~/ledger/unavailable'
import { LiveStatus } from '~/platform/live/live-status'
import { useLanguage } from '~/platform/locales/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { pageMeta } from '~/platform/rendering/seo'
import { PageHeader } from '~/platform/ui/page-header'
import { NoSuchPage, NothingOlder, Pager } from '~/platform/ui/pager'
import { Section } from '~/platform/ui/section'
import { ActList } from './act-list'

/** The kinds of acts that two operators decide. */
const actsOfTwo = Object.values(actKinds).filter(({ people }) => people === 2)

export const handle: PageHandle = { cached: ['before'] }

export const meta = pageMeta({
  title: msg`Who did what`,
  description: msg`What the people who run this project did: who, when, about what and why, each with its proof.`,
  path: '/transparency/acts',
})

export async function loader({ request, context }: LoaderFunctionArgs) {
  const typed = new URL(request.url).searchParams.get('before')
  const before = typed && /^[1-9]\d{0,14}$/.test(typed) ? Number(typed) : null
  const data = context.publicData()
  const [acts, operators] = await Promise.all([
    listPublishedActs(data, before),
    listIntroducedOperators(data),
  ])
  const goals = context.config.FUNDME_OPEN ? acts?.rows.filter(isAboutPublicGoal) : undefined
  const titles = await readGoalTitles(data, [...new Set(goals?.map(({ subject }) => subject))])
  return {
    acts: acts && {
      ...acts,
      rows: acts.rows.map((act) => ({
        ...act,
        goal: goals?.includes(act) ? { title: titles[act.subject] ?? null } : null,
      })),
    },
    operators,
    paged: before !== null,
    unreadable: Boolean(typed) && before === null,
  }
}

/** A returned or rejected goal has no page. */
function isAboutPublicGoal({ act }: PublishedAct): boolean {
  return isGoalKind(act) && !hasPrivateReason(act)
}

export default function PublishedActs() {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const { acts, operators, paged, unreadable } = useLoaderData<typeof loader>()
  return (
    <>
      <TransparencyNavigation current="/transparency/acts" />
      <PageHeader
        title={t`Who did what`}
        tagline={t`What the people who run this project did. It is signed together with the payments.`}
      />
      <Section id="acts" heading="acts-title" title={t`Acts`} className="">
        {unreadable && <NoSuchPage />}
        <div id="act-list" data-live={paged ? undefined : 'acts'}>
          {!acts ? (
            <ListUnavailable />
          ) : acts.rows.length > 0 ? (
            <ActList acts={acts.rows} />
          ) : (
            <div className="mt-4">
              {paged ? (
                <NothingOlder newest="/transparency/acts" />
              ) : (
                <p>
                  <Trans>No acts yet.</Trans>
                </p>
              )}
            </div>
          )}
          {acts && (
            <Pager label={t`Pages of the acts`} newer={pageOf(acts.newer)} older={pageOf(acts.older)} />
          )}
        </div>
      </Section>
      <Section id="operators" heading="operators-title" title={t`Operators`}>
        <p className="mt-3 max-w-[65ch]">
          <Trans>
            Operators are members who publish for the project, under a handle that is never used again. Two
            handles may be one person: this page can't prove that they are not.
          </Trans>
        </p>
        <details className="mt-3 max-w-[65ch]">
          <summary className="link inline-block cursor-pointer py-1">
            <Trans>What needs two operators</Trans>
          </summary>
          <ul className="mt-1 grid gap-1 sm:grid-cols-2">
            {actsOfTwo.map(({ title }) => (
              <li key={title.id}>{i18n._(title)}</li>
            ))}
          </ul>
        </details>
        <p className="mt-3 max-w-[65ch]">
          <Trans>
            The holder of the project's secret key can do everything alone. Such acts are in this list too, as
            "by the holder of the secret key".
          </Trans>
        </p>
        <div id="operator-list" data-live="acts">
          {!operators ? (
            <ListUnavailable />
          ) : operators.length > 0 ? (
            <div className="mt-4">
              <OperatorList operators={operators} />
            </div>
          ) : (
            <p className="mt-4">
              <Trans>No operators yet.</Trans>
            </p>
          )}
        </div>
      </Section>
      {!paged && <LiveStatus />}
    </>
  )
}

function pageOf(before: number | null): string | null {
  return before === null ? null : `/transparency/acts?before=${before}`
}
