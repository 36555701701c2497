import { filterSearch, type LedgerFilter } from './filter'

/** The feeds of a page with their labels. */
export interface Feeds {
  title: string
  atom: string
  json: string
}

export function ledgerFeeds(title: string, filter: LedgerFilter = {}): Feeds {
  const search = filterSearch(filter)
  return { title, atom: `/transparency.atom${search}`, json: `/transparency.feed.json${search}` }
}

export const callFeeds: Feeds = {
  title: 'CZ Call: statements and payments',
  atom: '/cz-call.atom',
  json: '/cz-call.feed.json',
}

/** Links to the feeds and, if there is a filter, to the transactions under that filter as files. */
export function Downloads({ filter, feeds }: { filter?: LedgerFilter; feeds: Feeds }) {
  const search = filter && filterSearch(filter)
  const links = [
    ...(filter
      ? [
          { href: `/transparency.csv${search}`, label: 'CSV' },
          { href: `/transparency.json${search}`, label: 'JSON' },
          { href: `/transparency.ndjson${search}`, label: 'NDJSON' },
        ]
      : []),
    { href: feeds.atom, label: 'Atom feed' },
    { href: feeds.json, label: 'JSON Feed' },
  ]
  return (
    <div className="no-print mt-6 flex flex-wrap items-baseline gap-x-5 gap-y-1 text-muted">
      <p>{!filter ? 'Get updates:' : search ? 'Download this list:' : 'Download the whole ledger:'}</p>
      <ul className="flex flex-wrap gap-x-5 gap-y-1">
        {links.map(({ href, label }) => (
          <li key={href}>
            <a href={href} className="link inline-block py-1">
              {label}
            </a>
          </li>
        ))}
        <li>
          <a href="/transparency/api" className="link inline-block py-1">
            About these files
          </a>
        </li>
      </ul>
    </div>
  )
}
