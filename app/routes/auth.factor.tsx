import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
  redirectDocument,
} from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData, useNavigation } from '@remix-run/react'
import { AuthServiceNotice } from '~/auth/auth-service-notice'
import { answerChallenge, askFactors, endIfOver, isVerified, usable } from '~/auth/factor.server'
import { CodeField } from '~/auth/factor-code'
import { parseAnswer } from '~/auth/factor-form.server'
import { classifyAuthError, errorNotice, errorStatus } from '~/auth/messages'
import { safeRedirect, withReturnTo } from '~/auth/redirect'
import { keepTyped } from '~/auth/unreachable.server'
import { isFresh, requireMember } from '~/auth/viewer.server'
import { readForm } from '~/forms/form.server'
import { announce, noticeCookie } from '~/forms/notice.server'
import { fieldErrors } from '~/forms/refusal'
import { formError, validationError } from '~/forms/refusal.server'
import { Toast } from '~/forms/toast'
import { hydrated } from '~/rendering/hydration'
import { pageTitle } from '~/site'

export const handle = hydrated

export const meta: MetaFunction = () => [
  { title: pageTitle('Second factor') },
  { name: 'robots', content: 'noindex' },
]

/** Whoever has nothing to show, or has shown it just now, goes where they were going. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const returnTo = readReturn(request, context.config.SITE_URL)
  const viewer = await requireMember(context, returnTo)
  if (isFresh(viewer, context)) throw redirect(returnTo, 303)
  const factors = await askFactors(context, viewer.accessToken, returnTo)
  if (!factors.some(isVerified)) throw redirect(returnTo, 303)
  return { factors: usable(factors), returnTo, again: viewer.assurance === 'aal2' }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const returnTo = readReturn(request, context.config.SITE_URL)
  const form = await readForm(request)
  keepTyped(context, form)
  const viewer = await requireMember(context, returnTo)
  const submission = parseAnswer(form)
  if (submission.status !== 'success')
    return data(
      { ...validationError(submission, ['factorId', 'code'], ['code']), challengeId: undefined, status: 400 },
      400,
    )

  const fault = await answerChallenge(context, viewer, submission.value)
  if (fault) {
    const { error, challengeId } = fault
    const { level, sentence } = classifyAuthError(error)
    context.log[level]('factor.refused', {
      intent: 'answer',
      code: error.code ?? error.name,
      status: error.status,
    })
    endIfOver(context, error, returnTo)
    const lastResult = submission.reply({ hideFields: ['code'], fieldErrors: { code: [sentence] } })
    const status = errorStatus(error)
    return data({ ...formError(lastResult, errorNotice(error)), challengeId, status }, status)
  }
  // What the sign-in has to say has waited for this (root.tsx), unless it took too long.
  if (viewer.assurance === 'aal1' && !context.cookies.get(noticeCookie))
    announce(context.cookies, 'signed-in')
  throw redirectDocument(returnTo, 303)
}

export default function Challenge() {
  const { factors, returnTo, again } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  const pending = useNavigation().state !== 'idle'
  const errors = fieldErrors(refused)
  const typed = refused?.lastResult.initialValue as { factorId?: string } | undefined
  return (
    <div className="column grid justify-items-center py-section">
      <Toast key={refused?.id} notice={refused?.notice} />
      <section className="sheet w-full max-w-md" aria-labelledby="factor-title">
        <h1 id="factor-title" className="text-heading">
          {again ? 'Confirm that it is you' : 'One more step'}
        </h1>
        <AuthServiceNotice status={refused?.status} />
        {factors.length > 0 ? (
          <>
            <p className="mt-3 text-muted">
              {again
                ? 'What you are about to do asks for your second factor again.'
                : 'Your account is protected by a second factor: the app that shows codes.'}
            </p>
            <Form
              key={refused?.id}
              method="post"
              action={withReturnTo('/auth/factor', returnTo)}
              noValidate
              className="mt-6 grid gap-5"
            >
              {factors.length > 1 ? (
                <div className="grid gap-1.5">
                  <label htmlFor="factorId" className="font-semibold">
                    App
                  </label>
                  <select id="factorId" name="factorId" className="field" defaultValue={typed?.factorId}>
                    {factors.map(({ id, name }) => (
                      <option key={id} value={id}>
                        {name}
                      </option>
                    ))}
                  </select>
                </div>
              ) : (
                <input type="hidden" name="factorId" value={factors[0]?.id} />
              )}
              {refused?.challengeId && <input type="hidden" name="challengeId" value={refused.challengeId} />}
              <CodeField error={errors.code?.[0]} />
              <button type="submit" className="button button-gold" disabled={pending}>
                {pending ? 'Loading...' : 'Confirm'}
              </button>
            </Form>
          </>
        ) : (
          <p className="mt-3">
            Your second factor is of a kind that can't be answered here. Please{' '}
            <a href="/contact" className="link">
              write to us
            </a>
            .
          </p>
        )}
        <div className="mt-6 text-center">
          {again ? (
            <a href="/dashboard" className="link">
              Back to the dashboard
            </a>
          ) : (
            <Form method="post" action="/auth/sign-out" reloadDocument>
              <button type="submit" className="link">
                Sign out
              </button>
            </Form>
          )}
        </div>
      </section>
    </div>
  )
}

function readReturn(request: Request, siteUrl: string): string {
  return safeRedirect(new URL(request.url).searchParams.get('redirectTo'), siteUrl)
}
