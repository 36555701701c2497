import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirectDocument,
} from '@remix-run/cloudflare'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import {
  changeEmail,
  checkPassword,
  endSessions,
  parseEmailChange,
  parsePasswordChange,
  readEmail,
  setPassword,
} from '~/auth/account.server'
import { type AccountIntent, EmailCard, FactorCard, PasswordCard, SessionsCard } from '~/auth/account-cards'
import { endIfOver } from '~/auth/factor.server'
import { classifyAuthError, errorNotice, errorStatus } from '~/auth/messages'
import { accountPath } from '~/auth/redirect'
import { keepTyped } from '~/auth/unreachable.server'
import { requireFreshAssurance, requireViewer, type Viewer } from '~/auth/viewer.server'
import { readForm } from '~/forms/form.server'
import { announce } from '~/forms/notice.server'
import { fieldErrors } from '~/forms/refusal'
import { formError, validationError } from '~/forms/refusal.server'
import { Toast } from '~/forms/toast'
import { dropDraft } from '~/profile/draft.server'
import { hydrated } from '~/rendering/hydration'
import type { BackendError } from '~/server/backend-error'
import { pageTitle } from '~/site'

const passwords = ['currentPassword', 'newPassword'] as const

export const handle = hydrated

export const meta: MetaFunction = () => [
  { title: pageTitle('Account') },
  { name: 'robots', content: 'noindex' },
]

export async function loader({ context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(context, accountPath)
  const { email } = await readEmail(context, viewer)
  return { email }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request)
  keepTyped(context, form)
  // Nobody may stay signed in here because a server was away.
  const unknown = (await context.viewer()).kind === 'unreachable'
  if (unknown && form.get('intent') === 'end-all') return endAll(context)
  const viewer = await requireViewer(context, accountPath)
  switch (form.get('intent') as AccountIntent | null) {
    case 'change-email':
      return newEmail(context, await requireFreshAssurance(context, accountPath), form)
    case 'change-password':
      return newPassword(context, await requireFreshAssurance(context, accountPath), form)
    case 'end-others':
      return endOthers(context)
    case 'end-all':
      return endAll(context)
    default:
      context.log.warn('account.unknown-intent', { member: viewer.id })
      throw new Response(null, { status: 400, statusText: 'Bad Request' })
  }
}

async function newEmail(context: AppLoadContext, viewer: Viewer, form: FormData) {
  const { email: current } = await readEmail(context, viewer)
  const submission = parseEmailChange(form, current)
  if (submission.status !== 'success')
    return answer('change-email', validationError(submission, ['email']), 400)
  const change = await changeEmail(context, viewer, submission.value.email)
  if (change.kind === 'refused') {
    endIfOver(context, change.error, accountPath)
    return fail('change-email', submission.reply(), change.error)
  }
  announce(context.cookies, change.kind === 'changed' ? 'email-changed' : 'email-mailed')
  throw redirectDocument(accountPath, 303)
}

async function newPassword(context: AppLoadContext, viewer: Viewer, form: FormData) {
  const submission = parsePasswordChange(form)
  if (submission.status !== 'success')
    return answer('change-password', validationError(submission, passwords, passwords), 400)
  const { currentPassword, newPassword: chosen } = submission.value
  const refused = (error: BackendError, errors: Record<string, string[]> = {}) =>
    fail('change-password', submission.reply({ hideFields: [...passwords], fieldErrors: errors }), error)

  const { email, error: unread } = await readEmail(context, viewer)
  if (!email || unread) return refused(unread ?? { code: 'invalid_credentials', status: 400 })
  const wrong = await checkPassword(context, viewer, email, currentPassword)
  if (wrong?.code === 'invalid_credentials') {
    const text = 'Current password is not correct'
    const lastResult = submission.reply({
      hideFields: [...passwords],
      fieldErrors: { currentPassword: [text] },
    })
    return answer('change-password', formError(lastResult, { title: 'Error', text, destructive: true }), 400)
  }
  if (wrong) return refused(wrong)

  const error = await setPassword(context, viewer, chosen, currentPassword)
  if (error) {
    endIfOver(context, error, accountPath)
    return refused(
      error,
      errorStatus(error) === 400 ? { newPassword: [classifyAuthError(error).sentence] } : {},
    )
  }
  const left = await endSessions(context, 'others')
  announce(context.cookies, left ? 'password-changed-only' : 'password-changed')
  throw redirectDocument(accountPath, 303)
}

async function endOthers(context: AppLoadContext) {
  const error = await endSessions(context, 'others')
  if (error) {
    endIfOver(context, error, accountPath)
    return fail('end-others', {}, error)
  }
  announce(context.cookies, 'others-signed-out')
  throw redirectDocument(accountPath, 303)
}

/** As signing out here does, this ends the session on this device whatever the service answers; then it says so. */
async function endAll(context: AppLoadContext) {
  const error = await endSessions(context, 'global')
  context.dropSession()
  dropDraft(context.cookies)
  announce(context.cookies, error ? 'only-signed-out' : 'all-signed-out')
  throw redirectDocument('/', 303)
}

function fail(intent: AccountIntent, lastResult: Parameters<typeof formError>[0], error: BackendError) {
  return answer(intent, formError(lastResult, errorNotice(error)), errorStatus(error))
}

/** A refused form's answer: one of several on the page, so it says which. */
function answer(intent: AccountIntent, refused: ReturnType<typeof formError>, status: number) {
  return data({ ...refused, intent }, status)
}

export default function Account() {
  const { email } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  const of = (intent: AccountIntent) => (refused?.intent === intent ? refused : undefined)
  const emailRefused = of('change-email')
  const passwordRefused = of('change-password')
  const typed = emailRefused?.lastResult.initialValue as { email?: string } | undefined
  return (
    <div className="column grid gap-8 py-section">
      <Toast key={refused?.id} notice={refused?.notice} />
      <div>
        <p>
          <Link to="/dashboard" className="link">
            Dashboard
          </Link>
        </p>
        <h1 className="mt-2 text-title">Account</h1>
      </div>
      <div className="grid items-start gap-8 lg:grid-cols-2">
        <EmailCard
          key={emailRefused?.id ?? 'email'}
          email={email}
          typed={typed?.email}
          errors={fieldErrors(emailRefused)}
        />
        {email && (
          <PasswordCard
            key={passwordRefused?.id ?? 'password'}
            email={email}
            errors={fieldErrors(passwordRefused)}
          />
        )}
        <FactorCard />
        <SessionsCard key={of('end-others')?.id ?? 'sessions'} />
      </div>
    </div>
  )
}
