import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  type LoaderFunctionArgs,
  redirectDocument,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import {
  changeEmail,
  checkPassword,
  endSessions,
  parseEmailChange,
  parsePasswordChange,
  readEmail,
  setPassword,
  wrongPassword,
} from '~/members/auth/account.server'
import { announce } from '~/members/auth/auth-notices.server'
import { refuseAuth } from '~/members/auth/auth-refusal.server'
import type { Viewer } from '~/members/auth/identity.server'
import { errorStatus } from '~/members/auth/messages'
import { signOutHere } from '~/members/auth/sign-out.server'
import { requireFreshAssurance, requireViewer } from '~/members/auth/viewer.server'
import { readForm } from '~/platform/forms/form.server'
import { refuse } from '~/platform/forms/refusal.server'
import { Toast } from '~/platform/forms/toast'
import type { PageHandle } from '~/platform/rendering/handle'
import type { BackendError } from '~/platform/server/backend-error'
import { accountPath } from '~/platform/server/redirect'
import { PageHead } from '~/platform/ui/page-head'
import {
  type AccountIntent,
  DataCard,
  EmailCard,
  FactorCard,
  PasswordCard,
  SessionsCard,
} from './account-cards'

const returnTo = accountPath
const passwords = ['currentPassword', 'newPassword']

export const handle: PageHandle = { hydrated: { title: msg`Account` } }

export async function loader({ context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(context, accountPath)
  const { email } = await readEmail(context, viewer)
  return { memberId: viewer.id, email }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request)
  // A member must be able to sign out during an outage of the auth service.
  const unverified = (await context.viewer()).kind === 'unreachable'
  if (unverified && form.get('intent') === 'end-all') return endAll(context)
  const viewer = await requireViewer(context, accountPath, { form })
  switch (form.get('intent') as AccountIntent | null) {
    case 'change-email':
      return newEmail(context, form)
    case 'change-password':
      return newPassword(context, form)
    case 'end-others':
      return endOthers(context, form)
    case 'end-all':
      return endAll(context)
    default:
      context.log.warn('account.unknown-intent', { member: viewer.id })
      throw new Response(null, { status: 400, statusText: 'Bad Request' })
  }
}

async function newEmail(context: AppLoadContext, form: FormData) {
  const viewer = await requireFreshAssurance(context, accountPath, { form })
  // If another member has signed in since the form was opened, keep that member's email address.
  if (form.get('member') !== viewer.id) throw redirectDocument(accountPath, 303)
  const { email: current } = await readEmail(context, viewer)
  const submission = parseEmailChange(form, current, context.language.i18n)
  // The page has several forms: `intent` names the refused one.
  const intent: AccountIntent = 'change-email'
  if (submission.status !== 'success') return refuse(context, submission, {}, { intent })
  const change = await changeEmail(context, viewer, submission.value.email)
  if (change.kind === 'refused')
    return refuseAuth(context, submission, change.error, { returnTo }, { intent })
  announce(context.cookies, change.kind === 'changed' ? 'email-changed' : 'email-mailed')
  throw redirectDocument(accountPath, 303)
}

async function newPassword(context: AppLoadContext, form: FormData) {
  const viewer: Viewer = await requireFreshAssurance(context, accountPath, { form })
  const intent: AccountIntent = 'change-password'
  const { i18n } = context.language
  const submission = parsePasswordChange(form, i18n)
  if (submission.status !== 'success') return refuse(context, submission, { hide: passwords }, { intent })
  const { currentPassword, newPassword: chosen } = submission.value
  const refused = (error: BackendError, field?: string) =>
    refuseAuth(context, submission, error, { field, hide: passwords }, { intent })

  const { email, error: unread } = await readEmail(context, viewer)
  if (!email || unread) return refused(unread ?? { code: 'invalid_credentials', status: 400 })
  const wrong = await checkPassword(context, viewer, email, currentPassword)
  if (wrong?.code === 'invalid_credentials') {
    const [field] = passwords
    return refuse(context, submission, { message: i18n._(wrongPassword), field, hide: passwords }, { intent })
  }
  if (wrong) return refused(wrong)

  const error = await setPassword(context, viewer, chosen, currentPassword)
  if (error) {
    const field = errorStatus(error) === 400 ? 'newPassword' : undefined
    return refuseAuth(context, submission, error, { field, hide: passwords, returnTo }, { intent })
  }
  const failure = await endSessions(context, 'others')
  announce(context.cookies, failure ? 'password-changed-only' : 'password-changed')
  throw redirectDocument(accountPath, 303)
}

async function endOthers(context: AppLoadContext, form: FormData) {
  await requireFreshAssurance(context, accountPath, { form })
  const failure = await endSessions(context, 'others')
  if (failure) {
    const intent: AccountIntent = 'end-others'
    return refuseAuth(context, null, failure, { returnTo }, { intent })
  }
  announce(context.cookies, 'others-signed-out')
  throw redirectDocument(accountPath, 303)
}

/** Ends the session on this device, even if the service fails. The notice says whether all have ended. */
async function endAll(context: AppLoadContext) {
  const failure = await endSessions(context, 'global')
  signOutHere(context)
  announce(context.cookies, failure ? 'only-signed-out' : 'all-signed-out')
  throw redirectDocument(context.language.href('/'), 303)
}

export default function Account() {
  const { t } = useLingui()
  const { memberId, email } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  const of = (intent: AccountIntent) => (refused?.intent === intent ? refused : undefined)
  const emailRefused = of('change-email')
  const passwordRefused = of('change-password')
  return (
    <div className="column grid gap-8 py-section">
      <Toast key={refused?.id} notice={refused?.notice} />
      <PageHead back={{ to: '/dashboard', label: t`Dashboard` }} title={t`Account`} />
      <div className="grid items-start gap-8 lg:grid-cols-2">
        <EmailCard
          key={emailRefused?.id ?? 'email'}
          memberId={memberId}
          email={email}
          refused={emailRefused}
        />
        {email && (
          <PasswordCard key={passwordRefused?.id ?? 'password'} email={email} refused={passwordRefused} />
        )}
        <FactorCard />
        <SessionsCard key={of('end-others')?.id ?? 'sessions'} />
        <DataCard />
      </div>
    </div>
  )
}
