import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { ListUnavailable } from '~/ledger/unavailable'
import { type Act, listActs } from '~/operator/acts.server'
import { requireOperator } from '~/operator/guard.server'
import { kindOf } from '~/operator/kinds'
import { pageTitle } from '~/site'
import { PageHead } from '~/ui/page-head'
import { Part } from '~/ui/section'
import { When } from '~/ui/when'

export const meta: MetaFunction = () => [{ title: pageTitle('Acts') }, { name: 'robots', content: 'noindex' }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { pathname, search } = new URL(request.url)
  await requireOperator(context, pathname + search)
  return { acts: await listActs(context.data()) }
}

export default function Acts() {
  const { acts } = useLoaderData<typeof loader>()
  return (
    <>
      <div className="column pt-section">
        <PageHead back={{ to: '/operator', label: 'Operator' }} title="Acts" />
        {!acts && <ListUnavailable />}
        {acts && acts.open.length + acts.final.length === 0 && <p className="mt-6">No acts yet.</p>}
      </div>
      {acts && (
        <>
          <ActList title="Your drafts" acts={acts.open.filter(({ state }) => state === 'draft')} />
          <ActList
            title="Waiting for a second operator"
            acts={acts.open.filter(({ state }) => state === 'waiting')}
          />
          <ActList title="Done and dropped, the latest 50" acts={acts.final} />
        </>
      )}
    </>
  )
}

function ActList({ title, acts }: { title: string; acts: Act[] }) {
  if (acts.length === 0) return null
  return (
    <Part title={title}>
      <ul className="mt-4 max-w-3xl border-t border-hairline">
        {acts.map(({ id, kind, subject, by, second, state, finalAt, submittedAt, savedAt }) => (
          <li key={id} className="border-b border-hairline py-3">
            <a href={`/operator/acts/${id}`} className="link">
              {state === 'done' ? kindOf(kind).done : kindOf(kind).title}
            </a>
            {state === 'dropped' && ' (dropped)'}
            {subject && <span className="block text-muted wrap-anywhere">{subject}</span>}
            <span className="block text-sm text-muted">
              {[by ?? 'the command line', second].filter(Boolean).join(' and ')},{' '}
              <When date={finalAt ?? submittedAt ?? savedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}
