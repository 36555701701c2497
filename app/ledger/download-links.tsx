import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { Text } from '../platform/locales/i18n'
import { PageLink } from '../platform/locales/react'
import { filterSearch, type LedgerFilter } from './filter'

/** The feeds of a page with their labels. */
export interface Feeds {
  title: Text
  atom: string
  json: string
}

export function ledgerFeeds(title: Text, filter: LedgerFilter = {}): Feeds {
  const search = filterSearch(filter)
  return { title, atom: `/transparency.atom${search}`, json: `/transparency.feed.json${search}` }
}

export const callFeeds: Feeds = {
  title: msg`CZ Call: statements and payments`,
  atom: '/cz-call.atom',
  json: '/cz-call.feed.json',
}

/** Links to the feeds and, with a filter, to its transactions as files. `folded`: in a disclosure. */
export function Downloads({
  filter,
  feeds,
  folded = false,
}: {
  filter?: LedgerFilter
  feeds: Feeds
  folded?: boolean
}) {
  const { t } = useLingui()
  const search = filter && filterSearch(filter)
  const links = [
    ...(filter
      ? [
          { href: `/transparency.csv${search}`, label: 'CSV' },
          { href: `/transparency.json${search}`, label: 'JSON' },
          { href: `/transparency.ndjson${search}`, label: 'NDJSON' },
        ]
      : []),
    { href: feeds.atom, label: t`Atom feed` },
    { href: feeds.json, label: 'JSON Feed' },
  ]
  const list = (
    <ul className="flex flex-wrap gap-x-5 gap-y-1">
      {links.map(({ href, label }) => (
        <li key={href}>
          <a href={href} className="link inline-block py-1">
            {label}
          </a>
        </li>
      ))}
      <li>
        <PageLink to="/transparency/api" className="link inline-block py-1">
          <Trans>About these files</Trans>
        </PageLink>
      </li>
    </ul>
  )
  if (folded)
    return (
      <details className="no-print mt-6 text-muted">
        <summary className="link w-fit py-2">{filter ? t`Files and feeds` : t`Feeds`}</summary>
        {list}
      </details>
    )
  return (
    <div className="no-print mt-6 flex flex-wrap items-baseline gap-x-5 gap-y-1 text-muted">
      <p>{search ? t`Download this list:` : t`Download the whole ledger:`}</p>
      {list}
    </div>
  )
}
