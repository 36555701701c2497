import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { PageLink, useLanguage } from '../locales/react'
import { smallPrint } from '../rendering/navigation'

type SmallPrintPath = (typeof smallPrint)[number]['to']

/** A legal page or the contact page, with links to all pages of this kind. */
export function SmallPrint({
  path,
  title,
  lead,
  children,
}: {
  path: SmallPrintPath
  title: string
  lead: string
  children: ReactNode
}) {
  const { t } = useLingui()
  const { i18n, locale } = useLanguage()
  return (
    <div className="column grid gap-x-16 gap-y-10 pt-section lg:grid-cols-[minmax(0,1fr)_15rem]">
      <article>
        <h1 className="text-title">{title}</h1>
        <p className="mt-5 max-w-[50ch] text-xl text-muted">{lead}</p>
        {locale.code !== 'en' && path !== '/contact' && (
          <p className="mt-5 max-w-[60ch] border-s-2 border-ink ps-4">
            <Trans>
              This is a translation. The{' '}
              <a href={path} hrefLang="en" className="link">
                English text
              </a>{' '}
              is the binding one.
            </Trans>
          </p>
        )}
        <div className="prose">{children}</div>
      </article>
      <nav aria-label={t`Legal pages`} className="lg:sticky lg:top-24 lg:self-start lg:pt-3">
        <ul className="border-t-2 border-ink">
          {smallPrint.map(({ to, label }) => (
            <li key={to} className="border-b border-hairline">
              <PageLink
                to={to}
                className="nav-link w-full px-0"
                aria-current={to === path ? 'page' : undefined}
              >
                {i18n._(label)}
              </PageLink>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}
