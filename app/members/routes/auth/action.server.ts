import { type ActionFunctionArgs, redirect } from '@remix-run/cloudflare'
import { refuseAuth } from '~/members/auth/auth-refusal.server'
import { parseCredentials } from '~/members/auth/credentials.server'
import { mailboxPath } from '~/members/auth/email-forms'
import { withMinimumTime } from '~/members/auth/minimum-time.server'
import { savePendingEmail } from '~/members/auth/pending-email.server'
import { completeSignIn, type SignInResult, signInOrUp } from '~/members/auth/sign-in.server'
import { readForm } from '~/platform/forms/form.server'
import { refuse } from '~/platform/forms/refusal.server'
import { safeRedirect } from '~/platform/server/redirect'

const hide = ['password']

/** Signs a visitor in or up, with the form of the page. */
export async function signIn({ request, context }: ActionFunctionArgs) {
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
