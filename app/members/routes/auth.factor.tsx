import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  redirect,
  redirectDocument,
} from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { announce, isAnnounced } from '~/members/auth/auth-notices.server'
import { refuseAuth } from '~/members/auth/auth-refusal.server'
import { AuthSheet } from '~/members/auth/auth-sheet'
import { FactorFields } from '~/members/auth/code-field'
import { logAuthError } from '~/members/auth/error-log.server'
import { answerChallenge, isVerified, listFactors, usable } from '~/members/auth/factor.server'
import { parseAnswer } from '~/members/auth/factor-form.server'
import { isFresh, requireMember } from '~/members/auth/viewer.server'
import { readForm } from '~/platform/forms/form.server'
import { keepNotice, noticeCookie } from '~/platform/forms/notice.server'
import { refuse } from '~/platform/forms/refusal.server'
import { SubmitButton } from '~/platform/forms/submit-button'
import { Gap, PageLink } from '~/platform/locales/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { factorPath, safeRedirect, withReturnTo } from '~/platform/server/redirect'

/** How long the notice is kept while the member enters the code, in seconds. */
const tenMinutes = 600

export const handle: PageHandle = { hydrated: { title: msg`Two-step sign-in` } }

/** Redirects a member without a factor, or with one verified within ten minutes (`isFresh`). */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const returnTo = readReturn(request, context.config.SITE_URL)
  const viewer = await requireMember(context, returnTo)
  if (isFresh(viewer, context)) throw redirect(returnTo, 303)
  const factors = await listFactors(context, viewer.accessToken, returnTo)
  if (!factors.some(isVerified)) throw redirect(returnTo, 303)
  keepNotice(context.cookies, tenMinutes)
  return {
    factors: usable(factors),
    returnTo,
    again: viewer.assurance === 'aal2',
    emailChanged: isAnnounced(context.cookies, 'email-changed'),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const returnTo = readReturn(request, context.config.SITE_URL)
  const form = await readForm(request)
  const viewer = await requireMember(context, returnTo, { form })
  const submission = parseAnswer(form, context.language.i18n)
  if (submission.status !== 'success')
    return refuse(context, submission, { hide: ['code'] }, { challengeId: undefined })

  const failure = await answerChallenge(context, viewer, submission.value)
  if (failure) {
    const { error, challengeId } = failure
    logAuthError(context.log, 'factor.refused', error, { intent: 'answer' })
    return refuseAuth(
      context,
      submission,
      error,
      { field: 'code', hide: ['code'], returnTo },
      { challengeId },
    )
  }
  // The notice of the sign-in is still pending (see root.tsx), unless its cookie has expired.
  if (viewer.assurance === 'aal1' && !context.cookies.get(noticeCookie))
    announce(context.cookies, 'signed-in')
  throw redirectDocument(returnTo, 303)
}

export default function Challenge() {
  const { t } = useLingui()
  const { factors, returnTo, again, emailChanged } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  return (
    <AuthSheet title={again ? t`Confirm it's you` : t`One more step`} refused={refused}>
      {factors.length > 0 ? (
        <>
          <p className="mt-3 text-muted">
            {emailChanged && t`Your email is changed, and we signed you in with the new one.`}
            {emailChanged && <Gap />}
            {again
              ? t`For this change, we need a code from your app again.`
              : t`Enter the code from your authenticator app.`}
          </p>
          <Form
            key={refused?.id}
            method="post"
            action={withReturnTo(factorPath, returnTo)}
            noValidate
            className="mt-6 grid gap-5"
          >
            <FactorFields factors={factors} refused={refused} challengeId={refused?.challengeId} />
            <SubmitButton>
              <Trans>Confirm</Trans>
            </SubmitButton>
          </Form>
          <p className="mt-6 text-sm text-muted">
            <Trans>
              Lost your phone? There are no recovery codes. Use your app on another device, or{' '}
              <PageLink to="/contact" className="link">
                contact us
              </PageLink>
              .
            </Trans>
          </p>
        </>
      ) : (
        <p className="mt-3">
          <Trans>
            We can't check your kind of second step here. Please{' '}
            <PageLink to="/contact" className="link">
              contact us
            </PageLink>
            .
          </Trans>
        </p>
      )}
      <div className="mt-6 text-center">
        {again ? (
          <a href="/dashboard" className="link">
            <Trans>Back to the dashboard</Trans>
          </a>
        ) : (
          <Form method="post" action="/auth/sign-out" reloadDocument>
            <button type="submit" className="link">
              <Trans>Sign out</Trans>
            </button>
          </Form>
        )}
      </div>
    </AuthSheet>
  )
}

function readReturn(request: Request, siteUrl: string): string {
  return safeRedirect(new URL(request.url).searchParams.get('redirectTo'), siteUrl)
}
