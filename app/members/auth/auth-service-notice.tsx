import { Trans } from '@lingui/react/macro'
/** The note in a form after a rate limit or a failure of the auth service. It cannot be dismissed. */
export function AuthServiceNotice({ status }: { status: number | undefined }) {
  if (status === 429)
    return (
      <p className="mt-3 text-bad">
        <Trans>Too many tries. Please wait a minute and try again.</Trans>
      </p>
    )
  if (status === undefined || status < 500) return null
  return (
    <p className="mt-3 text-bad">
      <Trans>
        Sign-in isn't working right now. That's our fault. We kept what you typed, except passwords and codes.
        Please try again in a moment.
      </Trans>
    </p>
  )
}
