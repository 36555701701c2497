/** Stands in a form whose service is away or babbles, beside the toast that goes. */
export function Away({ status }: { status: number | undefined }) {
  if (status === undefined || status < 500) return null
  return (
    <p className="mt-3 text-bad">
      The sign-in service does not answer as it should. What you typed is kept: please try again in a moment.
    </p>
  )
}
