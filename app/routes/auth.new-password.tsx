import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
  redirectDocument,
} from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData, useNavigation } from '@remix-run/react'
import { endSessions, parseNewPassword, setPassword } from '~/auth/account.server'
import { AuthServiceNotice } from '~/auth/auth-service-notice'
import { endIfOver } from '~/auth/factor.server'
import { classifyAuthError, errorNotice, errorStatus } from '~/auth/messages'
import { endRecovery, isRecovering } from '~/auth/recovery.server'
import { accountPath, home, newPasswordPath } from '~/auth/redirect'
import { keepTyped } from '~/auth/unreachable.server'
import { requireViewer } from '~/auth/viewer.server'
import { Field } from '~/forms/field'
import { readForm } from '~/forms/form.server'
import { announce } from '~/forms/notice.server'
import { fieldErrors } from '~/forms/refusal'
import { formError, validationError } from '~/forms/refusal.server'
import { Toast } from '~/forms/toast'
import { hydrated } from '~/rendering/hydration'
import { pageTitle } from '~/site'

export const handle = hydrated

export const meta: MetaFunction = () => [
  { title: pageTitle('New password') },
  { name: 'robots', content: 'noindex' },
]

export async function loader({ context }: LoaderFunctionArgs) {
  const { email } = await requireRecovery(context)
  return { email }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request)
  keepTyped(context, form)
  const viewer = await requireRecovery(context)
  const submission = parseNewPassword(form)
  const hidden = ['newPassword'] as const
  if (submission.status !== 'success')
    return data({ ...validationError(submission, hidden, hidden), status: 400 }, 400)

  const error = await setPassword(context, viewer, submission.value.newPassword)
  if (error) {
    endIfOver(context, error, newPasswordPath)
    const status = errorStatus(error)
    const errors: Record<string, string[]> =
      status === 400 ? { newPassword: [classifyAuthError(error).sentence] } : {}
    const lastResult = submission.reply({ hideFields: [...hidden], fieldErrors: errors })
    return data({ ...formError(lastResult, errorNotice(error)), status }, status)
  }
  endRecovery(context.cookies)
  // Whoever has had the old password is out.
  const left = await endSessions(context, 'others')
  announce(context.cookies, left ? 'password-changed-only' : 'password-changed')
  throw redirectDocument(left ? accountPath : home, 303)
}

/** The member, where a recovery link has brought them. All others change their password with the current one. */
async function requireRecovery(context: AppLoadContext) {
  const viewer = await requireViewer(context, newPasswordPath)
  if (!isRecovering(context.cookies, viewer.id)) throw redirect(accountPath, 303)
  return viewer
}

export default function NewPassword() {
  const { email } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  const pending = useNavigation().state !== 'idle'
  return (
    <div className="column grid justify-items-center py-section">
      <Toast key={refused?.id} notice={refused?.notice} />
      <section className="sheet w-full max-w-md" aria-labelledby="password-title">
        <h1 id="password-title" className="text-heading">
          Choose a new password
        </h1>
        <AuthServiceNotice status={refused?.status} />
        <p className="mt-3 text-muted">
          For <span className="wrap-anywhere">{email}</span>. Your other devices are then signed out.
        </p>
        <Form key={refused?.id} method="post" action={newPasswordPath} noValidate className="mt-6 grid gap-5">
          {/* For the browser's password store: which account the password is for. */}
          <input type="email" name="email" autoComplete="username" defaultValue={email} readOnly hidden />
          <Field
            label="New password"
            name="newPassword"
            type="password"
            autoComplete="new-password"
            required
            error={fieldErrors(refused).newPassword?.[0]}
          />
          <button type="submit" className="button button-gold" disabled={pending}>
            {pending ? 'Loading...' : 'Save the password'}
          </button>
        </Form>
      </section>
    </div>
  )
}
