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
import { dependsOnAddress, parseAddress, requestEmail } from '~/auth/email.server'
import { AddressForm, CheckMailbox, mailboxPath } from '~/auth/email-forms'
import { errorNotice, errorStatus } from '~/auth/messages'
import { readPendingEmail, savePendingEmail } from '~/auth/pending-email.server'
import { safeRedirect, withReturnTo } from '~/auth/redirect'
import { completeSignIn, parseCode, verify } from '~/auth/verification.server'
import { readForm } from '~/forms/form.server'
import { announce } from '~/forms/notice.server'
import { formError, validationError } from '~/forms/refusal.server'
import { hydrated } from '~/rendering/hydration'
import { pageTitle } from '~/site'

/** The service's sentence for a code; for a link it has another. */
const wrongCode = 'Token has expired or is invalid'

export const handle = hydrated

export const meta: MetaFunction = () => [
  { title: pageTitle('Sign in by e-mail') },
  { name: 'robots', content: 'noindex' },
]

/** First the address; then, while a mail is waited for, the code that stands in it. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams
  const redirectTo = safeRedirect(query.get('redirectTo'), context.config.SITE_URL)
  const waiting = query.get('step') === 'mail' ? readPendingEmail(context.cookies) : null
  // Who is signed in has nothing to do here, unless they have forgotten their password.
  const state = await context.viewer()
  if (state.kind === 'member' && waiting?.purpose !== 'recovery') throw redirect(redirectTo, 303)
  return { waiting, carried: query.has('redirectTo') ? redirectTo : null }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request)
  if (form.get('intent') === 'enter') return enterCode(context, form)
  if (form.get('intent') === 'again') return askAgain(context)
  return askFirst(request, context, form)
}

async function askFirst(request: Request, context: AppLoadContext, form: FormData) {
  const submission = parseAddress(form)
  if (submission.status !== 'success')
    return data({ ...validationError(submission, ['email']), status: 400 }, 400)
  const { email } = submission.value
  const error = await requestEmail(context, 'sign-in', email)
  if (error) {
    const status = errorStatus(error)
    return data({ ...formError(submission.reply(), errorNotice(error)), status }, status)
  }
  const asked = new URL(request.url).searchParams.get('redirectTo')
  const redirectTo = asked === null ? null : safeRedirect(asked, context.config.SITE_URL)
  savePendingEmail(context.cookies, { email, purpose: 'sign-in', redirectTo })
  throw redirect(mailboxPath, 303)
}

async function askAgain(context: AppLoadContext) {
  const waiting = readPendingEmail(context.cookies)
  if (!waiting) throw redirect('/auth/code', 303)
  const error = await requestEmail(context, waiting.purpose, waiting.email)
  if (error) {
    const status = errorStatus(error)
    return data({ ...formError({}, errorNotice(error)), status }, status)
  }
  announce(context.cookies, 'mail-asked')
  throw redirectDocument(mailboxPath, 303)
}

async function enterCode(context: AppLoadContext, form: FormData) {
  const waiting = readPendingEmail(context.cookies)
  if (!waiting) throw redirect('/auth/code', 303)
  const submission = parseCode(form)
  if (submission.status !== 'success')
    return data({ ...validationError(submission, ['code']), status: 400 }, 400)
  const { email, purpose } = waiting
  const type = purpose === 'recovery' ? 'recovery' : 'email'
  const verified = await verify(context, { email, token: submission.value.code, type })
  if (verified.kind === 'session') throw completeSignIn(context, purpose, verified)
  // An address without an account is refused in the words of a wrong code.
  const { error } = verified.kind === 'refused' ? verified : { error: {} }
  if (dependsOnAddress(error)) {
    const lastResult = submission.reply({ fieldErrors: { code: [wrongCode] } })
    const notice = { title: 'Error', text: wrongCode, destructive: true }
    return data({ ...formError(lastResult, notice), status: 400 }, 400)
  }
  const status = errorStatus(error)
  return data({ ...formError(submission.reply(), errorNotice(error)), status }, status)
}

export default function SignInByMail() {
  const { waiting, carried } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  if (waiting) return <CheckMailbox waiting={waiting} refused={refused} />
  return (
    <AddressForm
      title="Sign in by e-mail"
      lead="Without a password: we send you a link and a code, and either signs you in."
      action={carried ? `/auth/code?${new URLSearchParams({ redirectTo: carried })}` : '/auth/code'}
      email={null}
      refused={refused}
    >
      <Link to={carried ? withReturnTo('/auth', carried) : '/auth'} className="link">
        Sign in with your password
      </Link>
    </AddressForm>
  )
}
