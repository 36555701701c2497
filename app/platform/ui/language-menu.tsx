import { Trans, useLingui } from '@lingui/react/macro'
import { useLocation, useRouteLoaderData } from '@remix-run/react'
import { allLocales, type Locale } from '../locales/locales'
import { withPrefix } from '../locales/paths'
import { offerOf } from '../locales/public-pages'
import { Gap, useLanguage } from '../locales/react'
import { isTranslated } from '../locales/translated-pages'
import offerUrl from './language-offer.ts?worker&url'

/** The languages that the site offers to visitors; empty if the root loader failed. */
function useOffered(): Locale[] {
  const codes = useRouteLoaderData<{ locales: string[] }>('root')?.locales ?? []
  return codes.flatMap((code) => allLocales.get(code) ?? [])
}

/**
 * Buttons that open the page in each language. The text of a button is the language's name in that language.
 * A form rather than links, because the choice also applies to private pages, whose paths have no prefix
 * (platform/edge/language.server.ts).
 */
function Choices({ className }: { className: string }) {
  const { pathname, search } = useLocation()
  const { locale } = useLanguage()
  return (
    <>
      <input type="hidden" name="to" value={pathname + search} />
      {useOffered().map(({ code, tag, name }) => (
        <button
          key={code}
          type="submit"
          name="lang"
          value={code}
          lang={tag}
          className={code === locale.code ? `${className} font-semibold` : className}
          aria-current={code === locale.code ? 'true' : undefined}
        >
          {name}
        </button>
      ))}
    </>
  )
}

/** The language menu in the bar: a globe, on a wide screen the name of the language. */
export function LanguageMenu() {
  const { locale } = useLanguage()
  if (useOffered().length < 2) return null
  return (
    <details className="menu bar-language">
      <summary className="button">
        <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" className="min-[80rem]:hidden">
          <path
            d="M10 2a8 8 0 1 0 0 16 8 8 0 0 0 0-16Zm0 0C5 7 5 13 10 18m0-16c5 5 5 11 0 16M2 10h16"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.5"
          />
        </svg>
        <span className="sr-only">
          <Trans comment="Before the name of the page's language, for screen readers">Language:</Trans>
          <Gap />
        </span>
        <span lang={locale.tag} className="max-[80rem]:sr-only">
          {locale.name}
        </span>
      </summary>
      <form method="post" action="/language" className="menu-list">
        <Choices className="nav-link" />
      </form>
    </details>
  )
}

/** The language entry at the end of the menu of a narrow bar. */
export function LanguageItem() {
  if (useOffered().length < 2) return null
  return (
    <li className="mt-2 border-t border-hairline px-3 pt-2">
      <LanguageList />
    </li>
  )
}

/** The list of languages in the footer. */
export function LanguageList() {
  const { t } = useLingui()
  if (useOffered().length < 2) return null
  return (
    <form
      method="post"
      action="/language"
      aria-label={t`Language`}
      className="flex flex-wrap gap-x-4 text-sm md:col-span-3"
    >
      <Choices className="inline-flex min-h-9 cursor-pointer items-center hover:underline" />
    </form>
  )
}

/**
 * A hidden line for each other language. A script shows the line of the browser's language at the bottom of
 * the window, so that nothing in the page moves; the page gets as much room at its end (styles.css). On a phone the
 * link says enough. Private pages have no such line, because they use the
 * language that the visitor has chosen.
 */
export function LanguageOffer() {
  const { pathname, search } = useLocation()
  const { locale } = useLanguage()
  const others = useOffered().filter(({ code }) => code !== locale.code)
  if (!isTranslated(pathname) || others.length === 0) return null
  const lines = others.map((other) => (
    <aside
      key={other.code}
      lang={other.tag}
      dir={other.dir}
      data-offer=""
      className="no-print fixed inset-x-0 bottom-0 z-20 flex flex-wrap justify-center gap-x-4 border-t border-hairline bg-panel px-4 py-1.5 text-sm"
      hidden
    >
      <span className="max-[30rem]:sr-only">{offerOf(other).sentence}</span>
      <a href={withPrefix(other, pathname) + search} className="link py-0.5" hrefLang={other.tag}>
        {offerOf(other).open}
      </a>
      <button type="button" className="link cursor-pointer py-0.5">
        {offerOf(other).close}
      </button>
    </aside>
  ))
  return (
    <>
      {lines}
      <script type="module" src={offerUrl} />
    </>
  )
}
