const pages = [
  { to: '/transparency', label: 'Overview' },
  { to: '/transparency#history', label: 'History' },
  { to: '/transparency/months', label: 'Month by month' },
  { to: '/transparency/wallets', label: 'Wallets' },
  { to: '/transparency/acts', label: 'Who did what' },
  { to: '/transparency/verify', label: 'Check it yourself' },
  { to: '/transparency/api', label: 'Data and API' },
] as const

/** Links to the pages of the ledger. */
export function TransparencyNavigation({ current }: { current: (typeof pages)[number]['to'] }) {
  return (
    <nav aria-label="Transparency" className="subnav border-b border-hairline">
      <ul className="column flex gap-x-6" data-scrolls="">
        {pages.map(({ to, label }) => (
          <li key={to}>
            <a
              href={to}
              aria-current={to === current ? 'page' : undefined}
              className="inline-flex min-h-11 items-center whitespace-nowrap"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
