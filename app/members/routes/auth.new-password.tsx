import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  type LoaderFunctionArgs,
  redirect,
  redirectDocument,
} from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { endSessions, parseNewPassword, setPassword } from '~/members/auth/account.server'
import { announce } from '~/members/auth/auth-notices.server'
import { refuseAuth } from '~/members/auth/auth-refusal.server'
import { AuthSheet } from '~/members/auth/auth-sheet'
import { errorStatus } from '~/members/auth/messages'
import { endRecovery, isRecovering } from '~/members/auth/recovery.server'
import { type GuardOptions, requireFreshAssurance } from '~/members/auth/viewer.server'
import { readForm } from '~/platform/forms/form.server'
import { PasswordField } from '~/platform/forms/password-field'
import { refuse } from '~/platform/forms/refusal.server'
import { SubmitButton } from '~/platform/forms/submit-button'
import type { PageHandle } from '~/platform/rendering/handle'
import { accountPath, home, newPasswordPath } from '~/platform/server/redirect'
import { minPasswordLength } from '~/platform/site'

const hide = ['newPassword']

export const handle: PageHandle = { hydrated: { title: msg`New password` } }

export async function loader({ context }: LoaderFunctionArgs) {
  const { email } = await requireRecovery(context)
  return { email }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request)
  const viewer = await requireRecovery(context, { form })
  const submission = parseNewPassword(form, context.language.i18n)
  if (submission.status !== 'success') return refuse(context, submission, { hide })

  const error = await setPassword(context, viewer, submission.value.newPassword)
  if (error) {
    const field = errorStatus(error) === 400 ? 'newPassword' : undefined
    return refuseAuth(context, submission, error, { field, hide, returnTo: newPasswordPath })
  }
  endRecovery(context.cookies)
  // End the other sessions, because they may have started with the old password.
  const failure = await endSessions(context, 'others')
  announce(context.cookies, failure ? 'password-changed-only' : 'password-changed')
  throw redirectDocument(failure ? accountPath : home, 303)
}

/**
 * The member, who must have signed in with a recovery or invitation email. A member with a second factor must
 * have verified it within the last ten minutes. Otherwise throws the 503 page or a redirect to /auth, to the
 * second factor or to the account page.
 */
async function requireRecovery(context: AppLoadContext, options: GuardOptions = {}) {
  const viewer = await requireFreshAssurance(context, newPasswordPath, options)
  if (!isRecovering(context, viewer)) throw redirect(accountPath, 303)
  return viewer
}

export default function NewPassword() {
  const { t } = useLingui()
  const { email } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  return (
    <AuthSheet title={t`Choose a new password`} refused={refused}>
      <p className="mt-3 text-muted">
        <Trans>
          For <span className="wrap-anywhere">{email}</span>. Saving it signs out your other devices.
        </Trans>
      </p>
      <Form key={refused?.id} method="post" action={newPasswordPath} noValidate className="mt-6 grid gap-5">
        {/* Tells password managers which account the password belongs to. */}
        <input type="email" name="email" autoComplete="username" defaultValue={email} readOnly hidden />
        <PasswordField
          name="newPassword"
          refused={refused}
          label={t`New password`}
          autoComplete="new-password"
          required
          hint={t`At least ${minPasswordLength} characters`}
        />
        <SubmitButton>
          <Trans>Save password</Trans>
        </SubmitButton>
      </Form>
    </AuthSheet>
  )
}
