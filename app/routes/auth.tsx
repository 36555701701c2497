import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
  redirectDocument,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { parseCredentials } from '~/auth/credentials.server'
import { CredentialsForm } from '~/auth/credentials-form'
import { mailboxPath } from '~/auth/email-forms'
import { errorNotice, errorStatus } from '~/auth/messages'
import { savePendingEmail } from '~/auth/pending-email.server'
import { safeRedirect } from '~/auth/redirect'
import { type SignInResult, signInOrUp } from '~/auth/sign-in.server'
import { readForm } from '~/forms/form.server'
import { announce } from '~/forms/notice.server'
import { formError, validationError } from '~/forms/refusal.server'
import { hydrated } from '~/rendering/hydration'
import { pageTitle } from '~/site'

export const handle = hydrated

export const meta: MetaFunction = () => [
  { title: pageTitle('Sign in') },
  { name: 'description', content: 'Sign in to keep your profile and list your fundraising pools.' },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams
  const redirectTo = safeRedirect(query.get('redirectTo'), context.config.SITE_URL)
  // A session that can't be checked may sign in again: the form must stand when the backend does not.
  const state = await context.viewer()
  if (state.kind === 'member') throw redirect(redirectTo, 303)
  return { mode: readMode(query), carried: query.has('redirectTo') ? redirectTo : null }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const submission = parseCredentials(await readForm(request))
  if (submission.status !== 'success')
    return data(
      {
        ...validationError(submission, ['email', 'password', 'username', 'intent'], ['password']),
        status: 400,
        unconfirmed: false,
      },
      400,
    )

  const { value } = submission
  const { SITE_URL } = context.config
  const asked = new URL(request.url).searchParams.get('redirectTo')
  const redirectTo = safeRedirect(asked, SITE_URL)
  const tooOften = await context.limit(value.intent, value.email)
  const entry: SignInResult = tooOften
    ? { kind: 'refused', error: tooOften }
    : await signInOrUp(context.auth(), value, SITE_URL, context.log)
  const unconfirmed = entry.kind === 'refused' && entry.error.code === 'email_not_confirmed'
  if (entry.kind === 'mailbox' || unconfirmed)
    savePendingEmail(context.cookies, { email: value.email, purpose: 'sign-up', redirectTo })
  if (entry.kind === 'mailbox') throw redirect(mailboxPath, 303)
  if (entry.kind === 'refused') {
    const notice = errorNotice(entry.error)
    const status = errorStatus(entry.error)
    const lastResult = submission.reply({ hideFields: ['password'] })
    return data({ ...formError(lastResult, notice), status, unconfirmed }, status)
  }
  context.endFlows()
  announce(context.cookies, value.intent === 'sign-in' ? 'signed-in' : 'signed-up')
  throw redirectDocument(redirectTo, 303)
}

export default function Auth() {
  const { mode, carried } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  // A new form for each mode: what was refused in one says nothing about the other.
  return <CredentialsForm key={mode} signUp={mode === 'sign-up'} carried={carried} refused={refused} />
}

function readMode(query: URLSearchParams): 'sign-in' | 'sign-up' {
  return query.get('mode') === 'sign-up' ? 'sign-up' : 'sign-in'
}
