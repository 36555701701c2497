/** Shown in a form when the auth service failed: says when to retry. Unlike the toast, it stays. */
export function AuthServiceNotice({ status }: { status: number | undefined }) {
  if (status === 429)
    return (
      <p className="mt-3 text-bad">
        That was tried too often in a short while. Please wait a minute, then send this form again.
      </p>
    )
  if (status === undefined || status < 500) return null
  return (
    <p className="mt-3 text-bad">
      The sign-in service does not answer as it should. What you typed is kept: please try again in a moment.
    </p>
  )
}
