import { brand, navigation } from '../site'

/** The bar on every page. Its links are document navigations: most pages have no framework script. */
export function NavigationBar({ path, signedIn }: { path: string; signedIn: boolean }) {
  const account = signedIn ? { to: '/dashboard', label: 'Dashboard' } : { to: '/auth', label: 'Sign In' }
  return (
    <header className="sticky top-0 z-30 border-b border-hairline bg-paper">
      <nav aria-label="Main" className="column flex min-h-16 items-center gap-3">
        <a href="/" className="mr-auto flex min-h-11 items-center gap-2.5 font-display text-xl font-bold">
          <img src="/drawings/mark.svg" alt="" width="32" height="32" />
          {/* Beside both buttons there is no room for it on the narrowest screens. */}
          <span className="max-[26rem]:sr-only">{brand}</span>
        </a>
        <ul className="hidden items-center gap-1 lg:flex">
          <Links path={path} />
        </ul>
        <a href="/donate" className="button button-gold" aria-current={current('/donate', path)}>
          Donate
        </a>
        <a href={account.to} className="button" aria-current={current(account.to, path)}>
          {account.label}
        </a>
        <details className="menu lg:hidden">
          <summary className="button" aria-label="Menu">
            <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
              <path d="M2 5h16M2 10h16M2 15h16" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
            </svg>
          </summary>
          <ul className="menu-list">
            <Links path={path} />
          </ul>
        </details>
      </nav>
    </header>
  )
}

function Links({ path }: { path: string }) {
  return navigation.map(({ to, label }) => (
    <li key={to}>
      <a href={to} className="nav-link" aria-current={current(to, path)}>
        {label}
      </a>
    </li>
  ))
}

/** A detail page belongs to the page it hangs from: /voting/education highlights Impact Pools. */
function current(to: string, path: string): 'page' | 'true' | undefined {
  if (path === to) return 'page'
  return to !== '/' && path.startsWith(`${to}/`) ? 'true' : undefined
}
