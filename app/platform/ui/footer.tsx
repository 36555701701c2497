import { Trans, useLingui } from '@lingui/react/macro'
import type { Text } from '../locales/i18n'
import { PageLink, useLanguage } from '../locales/react'
import { navigation, smallPrint } from '../rendering/navigation'
import { brand, copyrightYear } from '../site'
import { LanguageList } from './language-menu'

/** The navigation, the legal pages, the languages and the disclaimer. */
export function Footer() {
  const { t } = useLingui()
  return (
    <footer className="mt-section border-t border-hairline bg-panel">
      <div className="column grid gap-x-16 gap-y-4 py-6 md:grid-cols-[1fr_auto_auto] md:gap-y-10 md:py-12">
        <div className="max-w-[50ch]">
          <p className="flex items-center gap-2.5 font-display text-lg font-bold">
            <img src="/drawings/mark.svg" alt="" width="28" height="28" loading="lazy" />
            {brand}
          </p>
          <p className="mt-3 text-muted">
            <Trans>
              {brand} is a community project. It is not officially affiliated with, endorsed by or sponsored
              by Binance or any person named on this site.
            </Trans>
          </p>
        </div>
        <FooterLinks
          label={t({
            message: 'Footer',
            comment: 'Name of the links at the end of a page, for screen readers',
          })}
          links={navigation}
        />
        <FooterLinks label={t`Legal and contact`} links={smallPrint} />
        <LanguageList />
        <p className="border-t border-hairline pt-4 text-sm md:pt-6 text-muted md:col-span-3">
          <Trans>
            © {copyrightYear} {brand}. All rights reserved. Nothing on this site is financial advice.
          </Trans>
        </p>
      </div>
    </footer>
  )
}

function FooterLinks({ label, links }: { label: string; links: readonly { to: string; label: Text }[] }) {
  const { i18n } = useLanguage()
  return (
    <nav aria-label={label}>
      <ul className="grid grid-cols-2 gap-x-8 md:grid-cols-1 @max-[16rem]/column:grid-cols-1">
        {links.map(({ to, label }) => (
          <li key={to}>
            <PageLink to={to} className="inline-block py-1.5 hover:underline">
              {i18n._(label)}
            </PageLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
