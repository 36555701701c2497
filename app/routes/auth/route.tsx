import { msg } from '@lingui/core/macro'
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { refuseAuth } from '~/auth/auth-refusal.server'
import { parseCredentials } from '~/auth/credentials.server'
import { mailboxPath } from '~/auth/email-forms'
import { withMinimumTime } from '~/auth/minimum-time.server'
import { savePendingEmail } from '~/auth/pending-email.server'
import { safeRedirect } from '~/auth/redirect'
import { completeSignIn, type SignInResult, signInOrUp } from '~/auth/sign-in.server'
import { readForm } from '~/forms/form.server'
import { refuse } from '~/forms/refusal.server'
import type { PageHandle } from '~/rendering/handle'
import { languageOf } from '~/rendering/seo'
import { CredentialsForm } from './credentials-form'

const hide = ['password']

export const handle: PageHandle = {
  hydrated: {
    title: (query) => (readMode(query) === 'sign-up' ? msg`Sign up` : msg`Sign in`),
    isIndexed: true,
  },
}

export const meta: MetaFunction = ({ matches }) => [
  {
    name: 'description',
    content: languageOf(matches).i18n._(msg`Sign in to keep your profile and list your fundraising pools.`),
  },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams
  const redirectTo = safeRedirect(query.get('redirectTo'), context.config.SITE_URL)
  // The form must open during an outage, so a visitor whose session cannot be verified may sign in again.
  const state = await context.viewer()
  if (state.kind === 'member') throw redirect(redirectTo, 303)
  const mode = readMode(query)
  const purpose = purposeOf(mode, redirectTo, context.config.FUNDME_OPEN)
  return {
    mode,
    carried: query.has('redirectTo') ? redirectTo : null,
    // Translated here, so that the script of this page stays small.
    purpose: purpose && context.language.i18n._(purpose),
  }
}

/** Why a visitor needs an account; null if the page gives no reason. */
function purposeOf(mode: 'sign-in' | 'sign-up', redirectTo: string, isOpen: boolean) {
  if (isOpen && redirectTo.startsWith('/dashboard/goals/'))
    return msg`You need an account to ask for money. You write your goal there, and read our answer.`
  if (isOpen && /^\/giveback\/[^/]+\/problem$/.test(redirectTo))
    return msg`Your report comes next. The author of the goal never learns who wrote it.`
  if (mode === 'sign-in') return null
  return isOpen
    ? msg`An account lists your own donations and your goals. You can read and give without one.`
    : msg`An account lists your own donations, and later your fundraisers. You can read and give without one.`
}

export async function action({ request, context }: ActionFunctionArgs) {
  const submission = parseCredentials(await readForm(request), context.language.i18n)
  if (submission.status !== 'success') return refuse(context, submission, { hide }, { unconfirmed: false })

  const { email, intent } = submission.value
  const redirectTo = safeRedirect(
    new URL(request.url).searchParams.get('redirectTo'),
    context.config.SITE_URL,
  )
  // A sign-up sends an email, so it also counts towards the limit of emails to this recipient.
  const limited =
    (await context.limit(intent, email)) ?? (intent === 'sign-up' ? await context.limit('mail', email) : null)
  const result: SignInResult = limited
    ? { kind: 'refused', error: limited }
    : await withMinimumTime(
        context,
        () => signInOrUp(context, submission.value),
        ({ kind }) => kind === 'session',
      )
  if (result.kind === 'session')
    throw completeSignIn(context, result.session, {
      notice: intent === 'sign-in' ? 'signed-in' : 'signed-up',
      to: redirectTo,
    })

  const unconfirmed = result.kind === 'refused' && result.error.code === 'email_not_confirmed'
  if (result.kind === 'mailbox' || unconfirmed)
    savePendingEmail(context.cookies, { email, purpose: 'sign-up', redirectTo })
  if (result.kind === 'mailbox') throw redirect(mailboxPath, 303)
  return refuseAuth(context, submission, result.error, { hide }, { unconfirmed })
}

export default function Auth() {
  const { mode, carried, purpose } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  // Each mode has its own form, so that a refusal of one form is not shown in the other.
  return (
    <CredentialsForm
      key={mode}
      signUp={mode === 'sign-up'}
      carried={carried}
      purpose={purpose}
      refused={refused}
    />
  )
}

function readMode(query: URLSearchParams): 'sign-in' | 'sign-up' {
  return query.get('mode') === 'sign-up' ? 'sign-up' : 'sign-in'
}
