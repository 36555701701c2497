/** The page for an address that is not there (spec §2, catch-all). */
export function NotFound() {
  return (
    <div className="column grid justify-items-center gap-6 py-section text-center">
      <img src="/drawings/not-found.svg" alt="" width="480" height="270" className="h-auto w-full max-w-md" />
      <p className="font-display text-heading text-gold-ink">404</p>
      <h1 className="text-title">Oops! Page not found</h1>
      <a href="/" className="button button-gold">
        Return to Home
      </a>
    </div>
  )
}

/** The page where a part of the site can't answer. What still works is said and linked. */
export function Unavailable({ status, requestId }: { status: number; requestId?: string | undefined }) {
  const unreachable = status === 503
  return (
    <div className="column grid justify-items-center gap-6 py-section text-center">
      <img
        src="/drawings/unavailable.svg"
        alt=""
        width="480"
        height="270"
        className="h-auto w-full max-w-md"
      />
      <h1 className="text-title">
        {unreachable ? 'Sign-in is unreachable right now' : 'Something went wrong'}
      </h1>
      <p className="max-w-[55ch] text-muted">
        {unreachable
          ? 'The service that knows who you are does not answer. You are not signed out and nothing is lost: please try again in a moment. All public pages work meanwhile.'
          : 'This is our fault, not yours, and it has been noted. Please try again in a moment.'}
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        <a href="" className="button button-gold">
          Try again
        </a>
        <a href="/" className="button">
          Return to Home
        </a>
      </div>
      {requestId && <p className="font-mono text-sm text-muted">Reference: {requestId}</p>}
    </div>
  )
}
