import { Trans, useLingui } from '@lingui/react/macro'
import type { LinksFunction, LoaderFunctionArgs } from '@remix-run/cloudflare'
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLoaderData,
  useLocation,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from '@remix-run/react'
import { type ReactNode, useContext, useEffect, useState } from 'react'
import enhanceUrl from './enhance.ts?worker&url'
import { mailSettings } from './follow/mail/settings'
import { explorerOf } from './ledger/explorer'
import { ExplorerContext } from './ledger/explorer-link'
import { listWallets } from './ledger/wallets'
import { pageSentences } from './platform/enhance/sentences'
import { translateNotice } from './platform/forms/notice'
import { readNotice } from './platform/forms/notice.server'
import { usePlainPresses } from './platform/forms/stalled'
import { OnRefusal, Toast } from './platform/forms/toast'
import { useLanguage } from './platform/locales/react'
import { ScriptSentences } from './platform/locales/sentences'
import { fontsOf } from './platform/rendering/fonts'
import type { FundMe } from './platform/rendering/fundme-open'
import { readHandle } from './platform/rendering/handle'
import { Nonce } from './platform/rendering/nonce'
import { useHydratedTitle } from './platform/rendering/page-title'
import { Slots } from './platform/rendering/slot-context'

import { readClock } from './platform/server/clock.server'
import { factorPath } from './platform/server/redirect'
import { pageTitle } from './platform/site'
import { DemoBanner } from './platform/ui/demo-banner'
import { Footer } from './platform/ui/footer'
import { LanguageOffer } from './platform/ui/language-menu'
import { NavigationBar } from './platform/ui/navigation'
import { NotFound, Unavailable } from './platform/ui/problem'
import stylesUrl from './styles.css?url'

export const links: LinksFunction = () => [
  { rel: 'stylesheet', href: stylesUrl },
  { rel: 'icon', href: '/favicon.ico', sizes: '32x32' },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/site.webmanifest' },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { config, language } = context
  // Read the session before the notice, because a session that cannot be read sets a notice.
  const fingerprint = await context.sessionFingerprint()
  // The page of the second factor does not show the notice, so the next page shows it. document.server.tsx
  // clears the notice once a page has shown it.
  const notices = async () => (await import('./entry/edge/notices.server')).notices
  const notice = await readNotice(request, context.cookies, notices, [factorPath])
  return {
    fingerprint,
    notice: notice && translateNotice(notice, language.i18n),
    /** True if this page shows a form that the request's action refused. */
    refused: context.refused,
    demo: config.DEMO,
    siteUrl: config.SITE_URL,
    language: { code: language.locale.code, isPrefixed: language.isPrefixed },
    locales: config.LOCALES.map(({ code }) => code),
    explorer: explorerOf(config),
    /** True if visitors can follow pages by email. */
    follows: mailSettings(config) !== null,
    /** The accounts to which people can give. */
    openAccounts: listWallets(config).map(({ slug }) => slug),
    /**
     * The facts about FundMe that pages need while the pages of goals are open. While they are closed, the key
     * is missing, because hydrated pages contain this data.
     */
    ...(config.FUNDME_OPEN && {
      fundMe: {
        isTokenLive: config.TOKEN_ADDRESS !== undefined,
        isVotingOpen: config.VOTING_OPEN,
      } satisfies FundMe,
    }),
    /** The date for printed pages, without a time, so that it changes the page's ETag once a day. */
    day: language.formats.day(new Date(readClock(config))),
    version: context.version,
    requestId: context.log.requestId,
  }
}

/** The frame of every page that Remix renders, including the pages of `ErrorBoundary`. */
export function Layout({ children }: { children: ReactNode }) {
  const root = useRouteLoaderData<typeof loader>('root')
  const { pathname, search } = useLocation()
  const error = useRouteError()
  const matches = useMatches()
  const handles = error == null ? matches.map(({ handle }) => readHandle(handle)) : []
  const hydrated = handles.find(({ hydrated }) => hydrated)?.hydrated
  // With JavaScript, the page updates itself.
  const refresh = matches
    .map(({ handle, data }) => (data === undefined ? null : readHandle(handle).refresh?.(data)))
    .find(Boolean)
  const isPublic = handles.some(({ cached }) => cached)
  const [isRefused, setRefused] = useState(root?.refused ?? false)
  const nonce = useContext(Nonce)
  const slots = useContext(Slots)
  const { locale, href } = useLanguage()
  const { t } = useLingui()
  const hydratedTitle = useHydratedTitle(hydrated, isRefused)
  const title = error == null ? hydratedTitle : pageTitle(isMissing(error) ? t`Page not found` : t`Error`)
  useEffect(() => {
    if (title) document.title = title
  }, [title])
  const page = (
    <>
      <a href="#content" className="skip">
        <Trans>Skip to content</Trans>
      </a>
      <Banners demo={root?.demo} />
      <NavigationBar
        path={pathname}
        signedIn={Boolean(root?.fingerprint)}
        gives={error == null && matches.some(givesHere)}
        open={root?.openAccounts.length !== 0}
        follows={root?.follows ?? false}
      />
      {slots ? slots.toast : <Toast notice={root?.notice} />}
      <main id="content" tabIndex={-1} className="flex-1">
        <OnRefusal.Provider value={setRefused}>{children}</OnRefusal.Provider>
      </main>
      <Footer />
      {root && (
        <p className="print-only column wrap-anywhere">
          {/* Only public pages show the query. The query of another page may contain a secret, and the
              server and a browser may escape it differently, which breaks hydration. */}
          <PrintedSource address={root.siteUrl + href(pathname) + (isPublic ? search : '')} day={root.day} />
        </p>
      )}
      {hydrated && <ScrollRestoration nonce={nonce} />}
    </>
  )
  // In a browser React has only #page: extensions add elements to the head, the body and the document.
  if (!import.meta.env.SSR) return page
  return (
    <html
      lang={locale.tag}
      dir={locale.dir === 'rtl' ? 'rtl' : undefined}
      data-font={locale.systemFont ? 'system' : undefined}
      data-gap={locale.gap}
      data-session={slots?.session ?? root?.fingerprint ?? ''}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#fbf8f1" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#1c1b19" media="(prefers-color-scheme: dark)" />
        {title && <title>{title}</title>}
        {(error != null || (hydrated && !hydrated.isIndexed)) && <meta name="robots" content="noindex" />}
        <Meta />
        {error == null && refresh && (
          <noscript>
            <meta httpEquiv="refresh" content={`${refresh}`} />
          </noscript>
        )}
        {fontsOf(locale).map((url) => (
          <link key={url} rel="preload" href={url} as="font" type="font/woff2" crossOrigin="anonymous" />
        ))}
        <Links />
        <script type="module" src={enhanceUrl} />
      </head>
      <body className="flex min-h-screen flex-col">
        {hydrated ? (
          <div id="page" className="contents">
            {page}
          </div>
        ) : (
          page
        )}
        <ScriptSentences of={pageSentences} />
        {hydrated && <Scripts nonce={nonce} />}
      </body>
    </html>
  )
}

function Banners({ demo }: { demo: boolean | undefined }) {
  return (
    <>
      {/* Private pages do not offer languages here, so the browser does not need this code. */}
      {import.meta.env.SSR && <LanguageOffer />}
      {demo && <DemoBanner />}
    </>
  )
}

/** Whether the page of a match has a gold button to give. */
function givesHere({ handle, data }: { handle: unknown; data: unknown }): boolean {
  const { gives = false } = readHandle(handle)
  return typeof gives === 'function' ? data !== undefined && gives(data) : gives
}

/** The source of a printed page: its address and the day. */
function PrintedSource({ address, day }: { address: string; day: string }) {
  return (
    <Trans comment="In print: the address of the page, and the day">
      {address}, as of {day} (UTC)
    </Trans>
  )
}

export default function App() {
  const { explorer } = useLoaderData<typeof loader>()
  usePlainPresses()
  return (
    <ExplorerContext.Provider value={explorer}>
      <Outlet />
    </ExplorerContext.Provider>
  )
}

/** Shows an error as a page of this site, without Remix's script and without a stack. */
export function ErrorBoundary() {
  const error = useRouteError()
  const root = useRouteLoaderData<typeof loader>('root')
  if (isMissing(error)) return <NotFound />
  const { status, data } = isRouteErrorResponse(error) ? error : { status: 500, data: null }
  return <Unavailable status={status} requestId={root?.requestId} typed={data?.typed} />
}

function isMissing(error: unknown): boolean {
  return isRouteErrorResponse(error) && error.status === 404
}
