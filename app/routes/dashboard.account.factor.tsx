import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
  redirectDocument,
} from '@remix-run/cloudflare'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { answerChallenge, askFactors, endIfOver, enrol, usable } from '~/auth/factor.server'
import { AddFactor, FactorList, factorAddress, RemoveFactor, VerifyFactor } from '~/auth/factor-cards'
import { parseChange, readEnrolment } from '~/auth/factor-form.server'
import { classifyAuthError, errorNotice, errorStatus } from '~/auth/messages'
import { keepTyped } from '~/auth/unreachable.server'
import { requireFreshAssurance, requireViewer } from '~/auth/viewer.server'
import { readForm } from '~/forms/form.server'
import { announce } from '~/forms/notice.server'
import { fieldErrors } from '~/forms/refusal'
import { formError, validationError } from '~/forms/refusal.server'
import { Toast } from '~/forms/toast'
import { hydrated } from '~/rendering/hydration'
import type { BackendError } from '~/server/backend-error'
import { pageTitle } from '~/site'

export const handle = hydrated

export const meta: MetaFunction = () => [
  { title: pageTitle('Second factor') },
  { name: 'robots', content: 'noindex' },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { search, searchParams } = new URL(request.url)
  const asked = searchParams.get('remove')
  const returnTo = asked ? factorAddress + search : factorAddress
  // To remove one is sensitive: the code comes before the question.
  const viewer = await (asked ? requireFreshAssurance : requireViewer)(context, returnTo)
  const factors = usable(await askFactors(context, viewer.accessToken, returnTo))
  const removing = factors.find(({ id }) => id === asked) ?? null
  if (asked && !removing) throw redirect(factorAddress, 303)
  return { factors, removing, canAdd: viewer.email !== '' }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request)
  keepTyped(context, form)
  const viewer = await requireFreshAssurance(context, factorAddress)
  const submission = parseChange(form)
  const carried = readEnrolment(form)
  if (submission.status !== 'success') {
    const refused = validationError(submission, ['name', 'code', 'factorId', 'intent'], hidden)
    return data({ ...refused, enrolment: carried, challengeId: readChallenge(form) }, 400)
  }

  const { value } = submission
  const auth = context.auth()
  switch (value.intent) {
    case 'enrol': {
      // The service names the key after the e-mail address; an account of a wallet has none.
      if (!viewer.email) throw redirect(factorAddress, 303)
      const factors = await askFactors(context, viewer.accessToken, factorAddress)
      const begun = await enrol(auth, value.name, factors)
      if ('enrolment' in begun)
        return {
          id: crypto.randomUUID(),
          notice: null,
          lastResult: undefined,
          challengeId: undefined,
          ...begun,
        }
      return answerFault(context, begun.error, submission.reply(fieldFault('name', begun.error)), null)
    }
    case 'verify': {
      const fault = await answerChallenge(context, viewer, value)
      if (fault) {
        const { error, challengeId } = fault
        return answerFault(context, error, submission.reply(fieldFault('code', error)), carried, challengeId)
      }
      announce(context.cookies, 'factor-added')
      throw redirectDocument(factorAddress, 303)
    }
    case 'remove': {
      const { error } = await auth.mfa.unenroll({ factorId: value.factorId })
      if (error) return answerFault(context, error, submission.reply(), null)
      announce(context.cookies, 'factor-removed')
      throw redirectDocument(factorAddress, 303)
    }
  }
}

/** What is not sent back with a refused form: a code is for once, and the rest travels beside it. */
const hidden = ['code', 'qr', 'secret', 'uri']

/** The error, said at the field that it is about. */
function fieldFault(field: 'name' | 'code', error: BackendError) {
  const { sentence } = classifyAuthError(error)
  return { hideFields: hidden as never, fieldErrors: { [field]: [sentence] } }
}

function answerFault(
  context: AppLoadContext,
  error: BackendError,
  lastResult: Parameters<typeof formError>[0],
  enrolment: ReturnType<typeof readEnrolment>,
  challengeId?: string,
) {
  context.log[classifyAuthError(error).level]('factor.refused', {
    intent: lastResult.initialValue?.intent,
    code: error.code ?? error.name,
    status: error.status,
  })
  endIfOver(context, error, factorAddress)
  const kept = error.code === 'mfa_factor_not_found' ? null : enrolment
  return data(
    { ...formError(lastResult, errorNotice(error)), enrolment: kept, challengeId },
    errorStatus(error),
  )
}

function readChallenge(form: FormData): string | undefined {
  const challengeId = form.get('challengeId')
  return typeof challengeId === 'string' ? challengeId : undefined
}

export default function SecondFactor() {
  const { factors, removing, canAdd } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  const errors = fieldErrors(answer)
  const typed = answer?.lastResult?.initialValue as { name?: string } | undefined
  return (
    <div className="column grid gap-8 py-section">
      <Toast key={answer?.id} notice={answer?.notice} />
      <div>
        <p>
          <Link to="/dashboard/account" className="link">
            Account
          </Link>
        </p>
        <h1 className="mt-2 text-title">Second factor</h1>
        <p className="mt-4 max-w-[60ch] text-lg text-muted">
          A code from an app on your phone, asked for beside your password. A stolen password alone then opens
          nothing.
        </p>
      </div>
      {removing ? (
        <RemoveFactor factor={removing} last={factors.length === 1} />
      ) : answer?.enrolment ? (
        <VerifyFactor
          key={answer.id}
          enrolment={answer.enrolment}
          challengeId={answer.challengeId}
          error={errors.code?.[0]}
        />
      ) : (
        <>
          {factors.length > 0 && (
            <section className="sheet" aria-labelledby="factors-title">
              <div className="flex flex-wrap items-center justify-between gap-3">
                <h2 id="factors-title" className="text-heading">
                  Your apps
                </h2>
                <span className="badge bg-good-wash text-good">On</span>
              </div>
              <FactorList factors={factors} />
            </section>
          )}
          {canAdd ? (
            <AddFactor
              key={answer?.id}
              first={factors.length === 0}
              name={typed?.name}
              error={errors.name?.[0]}
            />
          ) : (
            <p className="notice">
              You sign in with your wallet, which is something you have. A second factor protects accounts
              with an e-mail address and a password.
            </p>
          )}
        </>
      )}
    </div>
  )
}
