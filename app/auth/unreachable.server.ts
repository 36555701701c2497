import { type AppLoadContext, data } from '@remix-run/cloudflare'

/** Not given back: what is secret, and what is for once. */
const withheld = ['password', 'currentPassword', 'newPassword', 'code']

/** Has the page of an unreachable service give back what was typed, to be sent again. */
export function keepTyped(context: AppLoadContext, form: FormData): void {
  const fields = [...form].filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && !withheld.includes(entry[0]),
  )
  context.typed = Object.fromEntries(fields)
}

/** To be thrown where nobody can say who is asking: the page that says so. */
export function unreachable({ typed }: AppLoadContext) {
  return data({ typed }, { status: 503, statusText: 'Sign-in unavailable' })
}
