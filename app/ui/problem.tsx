import { useLocation } from '@remix-run/react'
import { type ReactNode, useContext } from 'react'
import { RequestId } from '../rendering/request-id'

/** For a path that begins with `below`: the sentence of the 404 page, and the link to the page above. */
const missing = [
  {
    below: '/voting/',
    text: "We don't have an impact pool with this name.",
    to: '/voting',
    list: 'See all pools',
  },
  {
    below: '/giveback/',
    text: "We don't have a campaign with this name.",
    to: '/giveback',
    list: 'See the campaigns',
  },
  {
    below: '/transparency/',
    text: "We can't find this transaction.",
    to: '/transparency#history',
    list: 'See all transactions',
  },
  {
    below: '/donate/',
    text: "This isn't a transaction hash. It must be 0x and 64 characters (0 to 9, a to f).",
    to: '/donate',
    list: 'Back to Donate',
  },
]

/** The 404 page (spec §2, catch-all). */
export function NotFound() {
  const { pathname } = useLocation()
  const found = missing.find(({ below }) => pathname.startsWith(below))
  return (
    <Problem drawing="/drawings/not-found.svg" title="Oops! Page not found" sign="404">
      <p className="max-w-[50ch] text-muted">
        {found?.text ?? "We can't find that page. Check the address, or start from the home page."}
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        <a href="/" className="button button-ink">
          Return to Home
        </a>
        {found && (
          <a href={found.to} className="button">
            {found.list}
          </a>
        )}
      </div>
    </Problem>
  )
}

/** The page of an error: what happened, and what still works. */
export function Unavailable({
  status,
  requestId,
  typed,
}: {
  status: number
  requestId?: string | undefined
  /** The fields, without secrets, of a form that could not be processed, to be sent again. */
  typed?: Record<string, string> | null
}) {
  const { title, text } = sentences(status)
  const { pathname, search } = useLocation()
  return (
    <Problem drawing="/drawings/unavailable.svg" title={title} requestId={requestId}>
      <p className="max-w-[60ch] text-muted">{text}</p>
      <div className="flex flex-wrap justify-center gap-3">
        {typed ? (
          <form method="post" action={pathname + search}>
            {Object.entries(typed).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            <button type="submit" className="button button-ink">
              Try again
            </button>
          </form>
        ) : (
          <a href={pathname + search} className="button button-ink">
            Try again
          </a>
        )}
        <a href="/" className="button">
          Return to Home
        </a>
      </div>
    </Problem>
  )
}

function sentences(status: number): { title: string; text: string } {
  if (status === 503)
    return {
      title: "Sign-in isn't working right now",
      text: "You're still signed in and nothing is lost. Please try again in a moment. All public pages still work.",
    }
  if (status < 500)
    return {
      title: "That didn't work",
      text: "We couldn't use what was sent, and nothing changed. Please reload the page and try again.",
    }
  return {
    title: 'Something went wrong',
    text: "That's our fault, and we've logged it. Please try again in a moment.",
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
  title: string
  sign?: string
  /** The id of the page's request, if the error occurred in the browser. */
  requestId?: string | undefined
  children: ReactNode
}) {
  const reference = useContext(RequestId) ?? requestId
  return (
    <div className="column grid justify-items-center gap-5 py-section text-center">
      <img src={drawing} alt="" width="480" height="270" className="h-auto w-full max-w-lg rounded-block" />
      {sign && <p className="mt-3 font-display text-heading font-bold text-muted">{sign}</p>}
      <h1 className="text-title">{title}</h1>
      {children}
      {reference && <p className="font-mono text-sm text-muted wrap-anywhere">Reference: {reference}</p>}
    </div>
  )
}
