import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  type LoaderFunctionArgs,
  redirect,
  redirectDocument,
} from '@remix-run/cloudflare'
import { Form, useLoaderData } from '@remix-run/react'
import { announce } from '~/members/auth/auth-notices.server'
import { identify, type Viewer } from '~/members/auth/identity.server'
import { clearPendingSession, readPendingSession } from '~/members/auth/pending-session.server'
import type { Session } from '~/members/auth/session.server'
import { completeSignIn } from '~/members/auth/sign-in.server'
import { readForm } from '~/platform/forms/form.server'
import { SubmitButton } from '~/platform/forms/submit-button'
import type { PageHandle } from '~/platform/rendering/handle'
import { outagePage } from '~/platform/server/outage.server'
import { home } from '~/platform/server/redirect'
import { NarrowSheet } from '~/platform/ui/narrow-sheet'

export const handle: PageHandle = { hydrated: { title: msg`Continue` } }

/** Shows the account to which the tokens in a URL belong. */
export async function loader({ context }: LoaderFunctionArgs) {
  const { viewer } = await requirePendingSession(context)
  return { email: viewer.email }
}

/** Signs the visitor in with the tokens after the visitor confirms. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { session } = await requirePendingSession(context, await readForm(request))
  throw completeSignIn(context, session, { notice: 'signed-in', to: home })
}

/**
 * The pending session and its verified member. Throws a redirect if no session is pending, if the visitor is
 * signed in, or if the tokens are invalid. Throws the 503 page if the tokens cannot be verified.
 */
async function requirePendingSession(
  context: AppLoadContext,
  form?: FormData,
): Promise<{ session: Session; viewer: Viewer }> {
  const session = readPendingSession(context.cookies)
  if (!session || (await context.session()).stored) {
    clearPendingSession(context.cookies)
    throw redirect(home, 303)
  }
  const state = await identify(context, session.access_token)
  if (state.kind === 'member') return { session, viewer: state.viewer }
  if (state.kind === 'unreachable') throw outagePage(form)
  clearPendingSession(context.cookies)
  announce(context.cookies, 'link-expired')
  throw redirectDocument('/auth', 303)
}

export default function Continue() {
  const { t } = useLingui()
  const { email } = useLoaderData<typeof loader>()
  return (
    <NarrowSheet title={t`Continue signing in`}>
      <p className="mt-4">
        <Trans>This link signs you in to the account below. Continue only if it's yours.</Trans>
      </p>
      <Form method="post" className="mt-6 grid gap-3">
        <SubmitButton className="button button-ink wrap-anywhere">
          <Trans>Continue as {email}</Trans>
        </SubmitButton>
        <a href="/auth" className="button">
          <Trans>Use another account</Trans>
        </a>
      </Form>
    </NarrowSheet>
  )
}
