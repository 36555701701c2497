import { Trans } from '@lingui/react/macro'
import { isRouteErrorResponse, useLocation, useRouteError } from '@remix-run/react'
import { NotFound, Unavailable } from '../../platform/ui/problem'
import type { SendAgain } from './send-again.server'

/** The error page of a long form. After the session has ended, the page offers to send the form again. */
export function FormErrorPage() {
  const error = useRouteError()
  const { pathname, search } = useLocation()
  if (!isRouteErrorResponse(error)) return <Unavailable status={500} />
  if (error.status === 404) return <NotFound />
  if (error.status !== 401) return <Unavailable status={error.status} typed={error.data?.typed} />
  const { typed, signIn } = error.data as SendAgain
  const isKept = Object.keys(typed).length > 0
  return (
    <div className="column grid max-w-2xl gap-5 py-section">
      <h1 className="text-title">
        <Trans>Sign in again</Trans>
      </h1>
      <p>
        {isKept ? (
          <Trans>
            What you typed is on this page, and nothing is lost.{' '}
            <a href={signIn} target="_blank" rel="noopener" className="link">
              Sign in, in another tab
            </a>
            . Then come back and send it again. Choose a picture again afterwards: it is not part of this
            page.
          </Trans>
        ) : (
          <Trans>
            The form was too long to be kept here.{' '}
            <a href={signIn} target="_blank" rel="noopener" className="link">
              Sign in, in another tab
            </a>
            . Then go back in your browser, which keeps what you typed, and send it again.
          </Trans>
        )}
      </p>
      {isKept && (
        <form method="post" action={pathname + search}>
          {Object.entries(typed).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button type="submit" className="button button-ink">
            <Trans>Send it again</Trans>
          </button>
        </form>
      )}
    </div>
  )
}
