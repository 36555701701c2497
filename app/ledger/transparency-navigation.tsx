import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { PageLink, useLanguage } from '../platform/locales/react'

const pages = [
  { to: '/transparency', label: msg`Overview` },
  { to: '/transparency#history', label: msg`History` },
  { to: '/transparency/months', label: msg`Months` },
  { to: '/transparency/wallets', label: msg`Wallets` },
  { to: '/transparency/orders', label: msg`Orders` },
  { to: '/transparency/acts', label: msg`Who did what` },
  { to: '/transparency/mistakes', label: msg`Our mistakes` },
  { to: '/transparency/verify', label: msg`Check it yourself` },
  { to: '/transparency/api', label: msg`Data and API` },
] as const

/** Links to the pages of the ledger. */
export function TransparencyNavigation({ current }: { current: (typeof pages)[number]['to'] }) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  return (
    <nav aria-label={t`Transparency`} className="subnav border-b border-hairline">
      <ul className="column flex gap-x-5" data-scrolls="">
        {pages.map(({ to, label }) => (
          <li key={to}>
            <PageLink
              to={to}
              aria-current={to === current ? 'page' : undefined}
              className="inline-flex min-h-11 items-center whitespace-nowrap"
            >
              {i18n._(label)}
            </PageLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
