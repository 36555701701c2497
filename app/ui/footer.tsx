import { brand, copyrightYear, navigation } from '../site'

/** The six links, the small print, and what this site is not. */
export function Footer() {
  return (
    <footer className="mt-section border-t border-hairline bg-panel">
      <div className="column grid gap-8 py-12 md:grid-cols-[1fr_auto]">
        <div className="max-w-[52ch]">
          <p className="font-display text-lg font-bold">{brand}</p>
          <p className="mt-2 text-muted">
            {brand} is a community project. It is not officially affiliated with, endorsed by or sponsored by
            Binance or any person named on this site.
          </p>
        </div>
        <nav aria-label="Footer">
          <ul className="grid grid-cols-2 gap-x-8 sm:grid-cols-3">
            {navigation.map(({ to, label }) => (
              <li key={to}>
                <a href={to} className="inline-flex min-h-10 items-center hover:underline">
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <p className="text-sm text-muted">
          © {copyrightYear} {brand}. All rights reserved.
        </p>
      </div>
    </footer>
  )
}
