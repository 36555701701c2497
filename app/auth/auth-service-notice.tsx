/** Shown in a form when the auth service failed: says when to retry. Unlike the toast, it stays. */
export function AuthServiceNotice({ status }: { status: number | undefined }) {
  if (status === 429)
    return <p className="mt-3 text-bad">Too many tries. Please wait a minute and try again.</p>
  if (status === undefined || status < 500) return null
  return (
    <p className="mt-3 text-bad">
      Sign-in isn't working right now. We kept what you typed, except passwords and codes. Please try again in
      a moment.
    </p>
  )
}
