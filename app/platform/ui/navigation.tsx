import { useLingui } from '@lingui/react/macro'
import { useContext } from 'react'
import { PageLink, useLanguage } from '../locales/react'
import { navigation, tellMe, tellMePath } from '../rendering/navigation'
import { Slots } from '../rendering/slot-context'
import { brand } from '../site'
import { LanguageItem, LanguageMenu } from './language-menu'

/** The bar on every page. Its links load documents, because most pages have no framework script. */
export function NavigationBar({
  path,
  signedIn,
  gives,
  open,
  follows,
}: {
  path: string
  signedIn: boolean
  /** Whether the page has a gold Donate button. */
  gives: boolean
  /** Whether a wallet for gifts is configured. */
  open: boolean
  /** Whether visitors can follow pages by email. */
  follows: boolean
}) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  return (
    <header className="bar-sticky sticky top-0 z-30 border-b border-hairline bg-paper">
      <nav
        aria-label={t({ message: 'Main', comment: 'Name of the links in the bar, for screen readers' })}
        className="bar column flex min-h-16 flex-wrap items-center gap-x-3 gap-y-1 py-1 max-[30rem]:gap-x-2"
      >
        <PageLink to="/" className="bar-brand font-display text-xl font-bold max-[35rem]:text-sm">
          <img src="/drawings/mark.svg" alt="" width="32" height="32" />
          <span>{brand}</span>
        </PageLink>
        <ul className="bar-wide items-center">
          <Links path={path} />
        </ul>
        {/* platform/ui/donate-button.tsx would add a file to the script of private pages, which contains this bar. */}
        <PageLink
          to={open ? '/donate' : tellMePath(follows)}
          className={open ? `button ${gives ? '' : 'button-gold'}` : 'button bar-later'}
          aria-current={current('/donate', path)}
        >
          {open ? t`Donate` : i18n._(tellMe)}
        </PageLink>
        <LanguageMenu />
        <AccountButton path={path} signedIn={signedIn} />
        <details className="bar-narrow menu ms-auto sm:ms-0">
          <summary className="button" aria-label={t`Menu`}>
            <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
              <path d="M2 5h16M2 10h16M2 15h16" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
            </svg>
          </summary>
          <ul className="menu-list">
            <Links path={path} />
            <LanguageItem />
          </ul>
        </details>
      </nav>
    </header>
  )
}

/**
 * The button 'Sign in' or 'Dashboard'. A page rendered for the cache has both buttons, and platform/edge/template.ts
 * removes one of them before the response is sent.
 */
function AccountButton({ path, signedIn }: { path: string; signedIn: boolean }) {
  const slots = useContext(Slots)
  const { t } = useLingui()
  const signIn = <AccountLink to="/auth" label={t`Sign In`} path={path} />
  const dashboard = <AccountLink to="/dashboard" label={t`Dashboard`} path={path} />
  if (!slots) return signedIn ? dashboard : signIn
  return (
    <>
      {slots.signedOut}
      {signIn}
      {slots.signedIn}
      {dashboard}
      {slots.accountEnd}
    </>
  )
}

function AccountLink({ to, label, path }: { to: string; label: string; path: string }) {
  return (
    <PageLink to={to} className="button" aria-current={current(to, path)}>
      {/* On a phone, a sign: the name of the site and both buttons fit in one line. */}
      <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" className="min-[30rem]:hidden">
        <circle cx="10" cy="6.5" r="3.5" fill="none" stroke="currentColor" strokeWidth="2" />
        <path
          d="M3 18c0-4 3-6 7-6s7 2 7 6"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
        />
      </svg>
      <span className="max-[30rem]:sr-only">{label}</span>
    </PageLink>
  )
}

function Links({ path }: { path: string }) {
  const { i18n } = useLanguage()
  return navigation.map(({ to, label }) => (
    <li key={to}>
      <PageLink to={to} className="nav-link" aria-current={current(to, path)}>
        {i18n._(label)}
      </PageLink>
    </li>
  ))
}

/** Highlights a link on its page and those below it: /voting/education highlights Impact Pools. */
function current(to: string, path: string): 'page' | 'true' | undefined {
  if (path === to) return 'page'
  return to !== '/' && path.startsWith(`${to}/`) ? 'true' : undefined
}
