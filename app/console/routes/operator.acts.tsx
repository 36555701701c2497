import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { commandLine } from '~/acts/act-faults'
import { type Act, listActs } from '~/acts/acts.server'
import { requireOperator } from '~/acts/guard.server'
import { kindOf } from '~/console/act-kinds'
import { subjectName } from '~/console/subject-name'
import { isGoalKind } from '~/goals/acts'
import { readGoalTitles } from '~/ledger/goal-names.server'
import { ListUnavailable } from '~/ledger/unavailable'
import { useLanguage } from '~/platform/locales/react'
import { privateMeta } from '~/platform/rendering/seo'
import { PageHead } from '~/platform/ui/page-head'
import { Part } from '~/platform/ui/section'
import { When } from '~/platform/ui/when'

export const meta: MetaFunction = privateMeta(msg`Acts`)

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { pathname, search } = new URL(request.url)
  await requireOperator(context, pathname + search)
  const data = context.data()
  const acts = await listActs(data)
  const slugs = [...(acts?.open ?? []), ...(acts?.final ?? [])].flatMap(({ kind, subject }) =>
    subject && isGoalKind(kind) ? [subject] : [],
  )
  return { acts, titles: await readGoalTitles(data, slugs) }
}

export default function Acts() {
  const { t } = useLingui()
  const { acts, titles } = useLoaderData<typeof loader>()
  return (
    <>
      <div className="column pt-section">
        <PageHead back={{ to: '/operator', label: t`Operator` }} title={t`Acts`} />
        {!acts && <ListUnavailable />}
        {acts && acts.open.length + acts.final.length === 0 && (
          <p className="mt-6">
            <Trans>No acts yet.</Trans>
          </p>
        )}
      </div>
      {acts && (
        <>
          <ActList
            title={t`Your drafts`}
            acts={acts.open.filter(({ state }) => state === 'draft')}
            titles={titles}
          />
          <ActList
            title={t`Waiting for a second operator`}
            acts={acts.open.filter(({ state }) => state === 'waiting')}
            titles={titles}
          />
          <ActList title={t`Done and dropped, the latest 50`} acts={acts.final} titles={titles} />
        </>
      )}
    </>
  )
}

function ActList({
  title,
  acts,
  titles,
}: {
  title: string
  acts: Act[]
  titles: Awaited<ReturnType<typeof readGoalTitles>>
}) {
  const { i18n } = useLanguage()
  const { t } = useLingui()
  if (acts.length === 0) return null
  return (
    <Part title={title}>
      <ul className="mt-4 border-t border-hairline">
        {acts.map(({ id, kind, subject, by, second, state, finalAt, submittedAt, savedAt }) => (
          <li
            key={id}
            className="grid gap-x-6 border-b border-hairline py-1.5 md:grid-cols-[3fr_3fr_4fr] md:items-baseline"
          >
            <p>
              <a href={`/operator/acts/${id}`} className="link">
                {i18n._(state === 'done' ? kindOf(kind).done : kindOf(kind).title)}
              </a>
              {state === 'dropped' &&
                ` ${t({ message: '(dropped)', comment: 'After the name of an act that was not done' })}`}
            </p>
            <p className="text-muted wrap-anywhere" dir="auto" lang="">
              {subject && subjectName(kind, subject, i18n, titles)}
            </p>
            <p className="text-sm text-muted">
              <By names={[by ?? i18n._(commandLine), second ?? ''].filter(Boolean)}>
                <When date={finalAt ?? submittedAt ?? savedAt} />
              </By>
            </p>
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** Who did an act, and when (`children`). */
function By({ names, children }: { names: string[]; children: ReactNode }) {
  const { formats } = useLanguage()
  const who = formats.words(names, 'and')
  return (
    <Trans comment="Who did an act, and when">
      {who}, {children}
    </Trans>
  )
}
