import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
  redirectDocument,
} from '@remix-run/cloudflare'
import { Form, useLoaderData } from '@remix-run/react'
import { clearPendingSession, readPendingSession } from '~/auth/pending-session.server'
import { home } from '~/auth/redirect'
import { keepTyped, unreachable } from '~/auth/unreachable.server'
import { identify } from '~/auth/viewer.server'
import { readForm } from '~/forms/form.server'
import { announce } from '~/forms/notice.server'
import { hydrated } from '~/rendering/hydration'
import { pageTitle } from '~/site'

export const handle = hydrated

export const meta: MetaFunction = () => [
  { title: pageTitle('Continue') },
  { name: 'robots', content: 'noindex' },
]

/** Who an address has brought tokens of. Without an offer, or with a session, there is nothing to continue. */
export async function loader({ context }: LoaderFunctionArgs) {
  const offer = readPendingSession(context.cookies)
  if (!offer || (await context.session()).stored) {
    clearPendingSession(context.cookies)
    throw redirect(home, 303)
  }
  const state = await identify(context.auth(), offer.access_token, context.log)
  if (state.kind === 'member') return { email: state.viewer.email }
  if (state.kind === 'unreachable') throw unreachable(context)
  clearPendingSession(context.cookies)
  announce(context.cookies, 'link-expired')
  throw redirectDocument('/auth', 303)
}

/** The visitor's own yes makes the offered tokens a session. */
export async function action({ request, context }: ActionFunctionArgs) {
  keepTyped(context, await readForm(request))
  const offer = readPendingSession(context.cookies)
  const signedIn = (await context.session()).stored !== null
  const state = offer && !signedIn ? await identify(context.auth(), offer.access_token, context.log) : null
  // The offer stands until somebody can say whether it holds.
  if (state?.kind === 'unreachable') throw unreachable(context)
  clearPendingSession(context.cookies)
  if (!offer || !state) throw redirect(home, 303)
  if (state.kind !== 'member') {
    announce(context.cookies, 'link-expired')
    throw redirectDocument('/auth', 303)
  }
  context.beginSession(offer)
  announce(context.cookies, 'signed-in')
  throw redirectDocument(home, 303)
}

export default function Continue() {
  const { email } = useLoaderData<typeof loader>()
  return (
    <div className="column grid justify-items-center py-section">
      <section className="sheet w-full max-w-md text-center">
        <h1 className="text-heading">Continue signing in</h1>
        <p className="mt-4">
          The link that you opened belongs to the account below. Continue only if it is yours.
        </p>
        <Form method="post" className="mt-6 grid gap-3">
          <button type="submit" className="button button-gold wrap-anywhere">
            Continue as {email}
          </button>
          <a href="/auth" className="button">
            Sign in differently
          </a>
        </Form>
      </section>
    </div>
  )
}
