import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  type LoaderFunctionArgs,
  redirect,
  redirectDocument,
} from '@remix-run/cloudflare'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { announce } from '~/members/auth/auth-notices.server'
import { refuseAuth } from '~/members/auth/auth-refusal.server'
import { dependsOnAddress, parseAddress, requestEmail } from '~/members/auth/email.server'
import { AddressForm, CheckMailbox, mailboxPath } from '~/members/auth/email-forms'
import { readPendingEmail, savePendingEmail } from '~/members/auth/pending-email.server'
import { completeEmailSignIn, parseCode, verify } from '~/members/auth/verification.server'
import { readForm } from '~/platform/forms/form.server'
import { refuse } from '~/platform/forms/refusal.server'
import type { PageHandle } from '~/platform/rendering/handle'
import { safeRedirect, withReturnTo } from '~/platform/server/redirect'

/** The auth service's error message for a wrong code; its message for a wrong link is different. */
const wrongCode = msg`Token has expired or is invalid`

export const handle: PageHandle = { hydrated: { title: msg`Sign in by email` } }

/** Shows the form for the email address and, after an email was requested, the form for the emailed code. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams
  const redirectTo = safeRedirect(query.get('redirectTo'), context.config.SITE_URL)
  const pending = query.get('step') === 'mail' ? readPendingEmail(context.cookies) : null
  // A member needs this page only to recover a password.
  const state = await context.viewer()
  if (state.kind === 'member' && pending?.purpose !== 'recovery') throw redirect(redirectTo, 303)
  return { pending, carried: query.has('redirectTo') ? redirectTo : null }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request)
  if (form.get('intent') === 'enter') return enterCode(context, form)
  if (form.get('intent') === 'again') return requestAgain(context)
  return requestFirst(request, context, form)
}

async function requestFirst(request: Request, context: AppLoadContext, form: FormData) {
  const submission = parseAddress(form, context.language.i18n)
  if (submission.status !== 'success') return refuse(context, submission)
  const { email } = submission.value
  const error = await requestEmail(context, 'sign-in', email)
  if (error) return refuseAuth(context, submission, error)
  const returnPath = new URL(request.url).searchParams.get('redirectTo')
  const redirectTo = returnPath === null ? null : safeRedirect(returnPath, context.config.SITE_URL)
  savePendingEmail(context.cookies, { email, purpose: 'sign-in', redirectTo })
  throw redirect(mailboxPath, 303)
}

async function requestAgain(context: AppLoadContext) {
  const pending = readPendingEmail(context.cookies)
  if (!pending) throw redirect('/auth/code', 303)
  const error = await requestEmail(context, pending.purpose, pending.email)
  if (error) return refuseAuth(context, null, error)
  announce(context.cookies, 'mail-requested')
  throw redirectDocument(mailboxPath, 303)
}

async function enterCode(context: AppLoadContext, form: FormData) {
  const { i18n } = context.language
  const pending = readPendingEmail(context.cookies)
  if (!pending) throw redirect('/auth/code', 303)
  const submission = parseCode(form, i18n)
  if (submission.status !== 'success') return refuse(context, submission)
  const { email, purpose } = pending
  const type = purpose === 'recovery' ? 'recovery' : 'email'
  const verified = await verify(context, { email, token: submission.value.code, type })
  if (verified.kind === 'session') throw completeEmailSignIn(context, purpose, verified)
  // Only a change of the email needs a second confirmation, and this page takes no codes for it.
  if (verified.kind === 'awaitingOtherAddress') throw redirect('/auth/code', 303)
  if (!dependsOnAddress(verified.error)) return refuseAuth(context, submission, verified.error)
  // Do not reveal whether the email address has an account: show the error message for a wrong code.
  return refuse(context, submission, { message: i18n._(wrongCode), field: 'code' })
}

export default function SignInByMail() {
  const { t } = useLingui()
  const { pending, carried } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  if (pending) return <CheckMailbox pending={pending} refused={refused} />
  return (
    <AddressForm
      title={t`Sign in by email`}
      lead={t`No password needed. We'll email you a link and a code; use either one.`}
      action={carried ? `/auth/code?${new URLSearchParams({ redirectTo: carried })}` : '/auth/code'}
      email={null}
      refused={refused}
    >
      <Link to={carried ? withReturnTo('/auth', carried) : '/auth'} className="link">
        <Trans>Sign in with your password</Trans>
      </Link>
    </AddressForm>
  )
}
