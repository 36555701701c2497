import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/cloudflare'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { refuseAuth } from '~/members/auth/auth-refusal.server'
import { parseAddress, requestEmail } from '~/members/auth/email.server'
import { AddressForm, mailboxPath } from '~/members/auth/email-forms'
import { savePendingEmail } from '~/members/auth/pending-email.server'
import { readForm } from '~/platform/forms/form.server'
import { refuse } from '~/platform/forms/refusal.server'
import type { PageHandle } from '~/platform/rendering/handle'
import { accountPath } from '~/platform/server/redirect'

export const handle: PageHandle = { hydrated: { title: msg`Forgot your password?` } }

/** Members open this page too, from their account page. */
export async function loader({ context }: LoaderFunctionArgs) {
  const state = await context.viewer()
  return { email: state.kind === 'member' ? state.viewer.email || null : null }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const submission = parseAddress(await readForm(request), context.language.i18n)
  if (submission.status !== 'success') return refuse(context, submission)
  const { email } = submission.value
  const error = await requestEmail(context, 'recovery', email)
  if (error) return refuseAuth(context, submission, error)
  savePendingEmail(context.cookies, { email, purpose: 'recovery', redirectTo: null })
  throw redirect(mailboxPath, 303)
}

export default function Forgot() {
  const { t } = useLingui()
  const { email } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  return (
    <AddressForm
      title={t`Forgot your password?`}
      lead={t`We'll email you a link and a code. Use either to set a new password.`}
      action="/auth/forgot"
      email={email}
      refused={refused}
    >
      <Link to={email ? accountPath : '/auth'} className="link">
        {email ? t`Back to your account` : t`Back to signing in`}
      </Link>
    </AddressForm>
  )
}
