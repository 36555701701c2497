import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useLocation } from '@remix-run/react'
import { type ReactNode, useContext } from 'react'
import type { Text } from '../locales/i18n'
import { PageLink, useLanguage } from '../locales/react'
import { useFundMeOpen } from '../rendering/fundme-open'
import { RequestId } from '../rendering/request-id'

interface Place {
  below: string
  text: Text
  to: string
  list: Text
}

const missingPool: Place = {
  below: '/voting/',
  text: msg`We don't have an impact pool with this name.`,
  to: '/voting',
  list: msg`See all pools`,
}
const missingCampaign: Place = {
  below: '/giveback/',
  text: msg`We don't have a campaign with this name.`,
  to: '/giveback',
  list: msg`See the campaigns`,
}
/** Replaces `missingCampaign` while FundMe is open. */
const missingGoal: Place = {
  below: '/giveback/',
  text: msg`We don't have a goal with this name.`,
  to: '/giveback',
  list: msg`See the goals`,
}
const missingTransaction: Place = {
  below: '/transparency/',
  text: msg`We can't find this transaction.`,
  to: '/transparency#history',
  list: msg`See all transactions`,
}
const noHash: Place = {
  below: '/donate/',
  text: msg`This isn't a transaction hash. It must be 0x and 64 characters (0 to 9, a to f).`,
  to: '/donate',
  list: msg`Back to Donate`,
}

/**
 * The sentence and the link of the 404 page for each path that begins with `below`. No page below these paths
 * is hydrated, so the browser does not need them.
 */
function placesOf(isFundMeOpen: boolean): Place[] {
  if (!import.meta.env.SSR) return []
  return [missingPool, isFundMeOpen ? missingGoal : missingCampaign, missingTransaction, noHash]
}

/** The 404 page (spec §2, catch-all). */
export function NotFound() {
  const { pathname } = useLocation()
  const { i18n } = useLanguage()
  const found = placesOf(useFundMeOpen()).find(({ below }) => pathname.startsWith(below))
  return (
    <Problem drawing="/drawings/not-found.svg" title={msg`Oops! Page not found`} sign="404">
      <p className="max-w-[50ch] text-muted">
        {i18n._(found?.text ?? msg`We can't find that page. Check the address, or start from the home page.`)}
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        <PageLink to="/" className="button button-ink">
          <Trans>Return to Home</Trans>
        </PageLink>
        {found && (
          <PageLink to={found.to} className="button">
            {i18n._(found.list)}
          </PageLink>
        )}
      </div>
    </Problem>
  )
}

/** The error page: says what happened, and offers ways to continue. */
export function Unavailable({
  status,
  requestId,
  typed,
}: {
  status: number
  requestId?: string | undefined
  /** The fields of a form that could not be processed, without secrets. The page can send them again. */
  typed?: Record<string, string> | null
}) {
  const { title, text } = sentences(status)
  const { i18n, href } = useLanguage()
  const { pathname, search } = useLocation()
  const again = href(pathname + search)
  return (
    <Problem drawing="/drawings/unavailable.svg" title={title} requestId={requestId}>
      <p className="max-w-[60ch] text-muted">{i18n._(text)}</p>
      <div className="flex flex-wrap justify-center gap-3">
        {typed ? (
          <form method="post" action={again}>
            {Object.entries(typed).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            <button type="submit" className="button button-ink">
              <Trans>Try again</Trans>
            </button>
          </form>
        ) : (
          <a href={again} className="button button-ink">
            <Trans>Try again</Trans>
          </a>
        )}
        <PageLink to="/" className="button">
          <Trans>Return to Home</Trans>
        </PageLink>
      </div>
    </Problem>
  )
}

function sentences(status: number): { title: MessageDescriptor; text: MessageDescriptor } {
  if (status === 503)
    return {
      title: msg`Sign-in isn't working right now`,
      text: msg`You're still signed in and nothing is lost. Please try again in a moment. All public pages still work.`,
    }
  if (status < 500)
    return {
      title: msg`That didn't work`,
      text: msg`We couldn't use what was sent, and nothing changed. Please reload the page and try again.`,
    }
  return {
    title: msg`Something went wrong`,
    text: msg`That's our fault, and we've logged it. Please try again in a moment.`,
  }
}

function Problem({
  drawing,
  title,
  sign,
  requestId,
  children,
}: {
  drawing: string
  title: MessageDescriptor
  sign?: string
  /** The id of the request, if the error occurred in the browser. */
  requestId?: string | undefined
  children: ReactNode
}) {
  const { i18n } = useLanguage()
  const shownId = useContext(RequestId) ?? requestId
  const reference = shownId && <code>{shownId}</code>
  return (
    <div className="column grid justify-items-center gap-5 py-section text-center">
      <img src={drawing} alt="" width="480" height="270" className="h-auto w-full max-w-lg rounded-block" />
      {sign && <p className="mt-3 font-display text-heading font-bold text-muted">{sign}</p>}
      <h1 className="text-title">{i18n._(title)}</h1>
      {children}
      {reference && (
        <p className="text-sm text-muted wrap-anywhere">
          <Trans>Reference: {reference}</Trans>
        </p>
      )}
    </div>
  )
}
