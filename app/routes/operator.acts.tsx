import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { ListUnavailable } from '~/ledger/unavailable'
import { key } from '~/locales/key'
import { useLanguage } from '~/locales/react'
import { ActText } from '~/operator/act-facts'
import { type Act, listActs } from '~/operator/acts.server'
import { commandLine } from '~/operator/fault-words'
import { requireOperator } from '~/operator/guard.server'
import { kindOf } from '~/operator/kinds'
import { privateMeta } from '~/rendering/seo'
import { PageHead } from '~/ui/page-head'
import { Part } from '~/ui/section'
import { When } from '~/ui/when'

export const meta: MetaFunction = privateMeta(msg`Acts`)

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { pathname, search } = new URL(request.url)
  await requireOperator(context, pathname + search)
  return { acts: await listActs(context.data()) }
}

export default function Acts() {
  const { t } = useLingui()
  const { acts } = useLoaderData<typeof loader>()
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
          <ActList title={t`Your drafts`} acts={acts.open.filter(({ state }) => state === 'draft')} />
          <ActList
            title={t`Waiting for a second operator`}
            acts={acts.open.filter(({ state }) => state === 'waiting')}
          />
          <ActList title={t`Done and dropped, the latest 50`} acts={acts.final} />
        </>
      )}
    </>
  )
}

function ActList({ title, acts }: { title: string; acts: Act[] }) {
  const { i18n } = useLanguage()
  const { t } = useLingui()
  if (acts.length === 0) return null
  return (
    <Part title={title}>
      <ul className="mt-4 max-w-3xl border-t border-hairline">
        {acts.map(({ id, kind, subject, by, second, state, finalAt, submittedAt, savedAt }) => (
          <li key={id} className="border-b border-hairline py-3">
            <a href={`/operator/acts/${id}`} className="link">
              {i18n._(key(state === 'done' ? kindOf(kind).done : kindOf(kind).title))}
            </a>
            {state === 'dropped' &&
              ` ${t({ message: '(dropped)', comment: 'After the name of an act that was not done' })}`}
            {subject && (
              <span className="block text-muted wrap-anywhere">
                <ActText text={subject} />
              </span>
            )}
            <span className="block text-sm text-muted">
              <By names={[by ?? i18n._(key(commandLine)), second ?? ''].filter(Boolean)}>
                <When date={finalAt ?? submittedAt ?? savedAt} />
              </By>
            </span>
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
