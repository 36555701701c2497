const pages = [
  { to: '/transparency', label: 'Overview' },
  { to: '/transparency#history', label: 'History' },
  { to: '/transparency/months', label: 'Month by month' },
  { to: '/transparency/wallets', label: 'Wallets' },
  { to: '/transparency/verify', label: 'Check it yourself' },
  { to: '/transparency/api', label: 'Data and API' },
] as const

/** Links to the pages of the ledger. */
export function TransparencyNavigation({ current }: { current: (typeof pages)[number]['to'] }) {
  return (
    <nav aria-label="Transparency" className="column pt-6">
      <ul className="flex flex-wrap gap-x-6 gap-y-1 border-b border-hairline pb-2">
        {pages.map(({ to, label }) => (
          <li key={to}>
            <a
              href={to}
              className="link inline-block py-1"
              aria-current={to === current ? 'page' : undefined}
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
