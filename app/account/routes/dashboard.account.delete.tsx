import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  type LoaderFunctionArgs,
  redirectDocument,
} from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { deleteAccount, isRecentlyProven, readEmail, wrongPassword } from '~/members/auth/account.server'
import { announce } from '~/members/auth/auth-notices.server'
import { refuseAuth } from '~/members/auth/auth-refusal.server'
import { AuthServiceNotice } from '~/members/auth/auth-service-notice'
import type { Viewer } from '~/members/auth/identity.server'
import { signOutHere } from '~/members/auth/sign-out.server'
import { type GuardOptions, requireFreshAssurance } from '~/members/auth/viewer.server'
import { readForm } from '~/platform/forms/form.server'
import { PasswordField } from '~/platform/forms/password-field'
import { refuse } from '~/platform/forms/refusal.server'
import { SubmitButton } from '~/platform/forms/submit-button'
import { Toast } from '~/platform/forms/toast'
import { publishChanges } from '~/platform/live/publish.server'
import type { PageHandle } from '~/platform/rendering/handle'
import { accountPath, deletePath } from '~/platform/server/redirect'
import { PageHead } from '~/platform/ui/page-head'
import { Sheet } from '~/platform/ui/section'

export const handle: PageHandle = { hydrated: { title: msg`Delete your account` } }

/** `proof`: what the deletion still requires: a 'password', a new 'sign-in' before the form, or 'none'. */
export async function loader({ context }: LoaderFunctionArgs) {
  const { viewer, email, proof } = await requireProof(context)
  return { memberId: viewer.id, email, proof, ...(context.config.FUNDME_OPEN && { fundMe: true }) }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request)
  const { i18n } = context.language
  const { viewer, email, proof } = await requireProof(context, { form })
  // If another member has signed in since the form was opened, keep that member's account.
  if (proof === 'sign-in' || form.get('member') !== viewer.id) throw redirectDocument(deletePath, 303)
  const password = proof === 'password' ? String(form.get('currentPassword') ?? '') : null
  const error = await deleteAccount(context, viewer, email, password)
  if (error?.code === 'invalid_credentials')
    return refuse(context, null, { message: i18n._(wrongPassword), field: 'currentPassword' })
  if (error) return refuseAuth(context, null, error)
  // Deleting the account has ended the member's open goal.
  if (context.config.FUNDME_OPEN) context.execution.waitUntil(publishChanges(context))
  signOutHere(context)
  announce(context.cookies, 'account-deleted')
  throw redirectDocument(context.language.href('/'), 303)
}

/**
 * The member, the member's email address and the `proof`. Throws a redirect if the visitor is not signed in,
 * or has a second factor and has not verified it within the last ten minutes. Throws the 503 page if the
 * session cannot be verified.
 */
async function requireProof(context: AppLoadContext, options: GuardOptions = {}) {
  const viewer: Viewer = await requireFreshAssurance(context, deletePath, options)
  const { email } = await readEmail(context, viewer)
  const proof = isRecentlyProven(context, viewer) ? 'none' : email ? 'password' : 'sign-in'
  return { viewer, email, proof } as const
}

export default function DeleteAccount() {
  const { t } = useLingui()
  const { memberId, email, proof, fundMe } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  return (
    <div className="column grid gap-8 py-section">
      <Toast key={refused?.id} notice={refused?.notice} />
      <PageHead back={{ to: accountPath, label: t`Account` }} title={t`Delete your account`} />
      <Sheet heading="delete-title" title={t`This can't be undone`} className="max-w-2xl">
        <AuthServiceNotice status={refused?.status} />
        <p className="mt-3">
          {fundMe ? (
            <Trans>
              We delete right away: your profile, the wallets you added, your email, password, two-step
              sign-in and wallet sign-in. Your picture is gone within an hour. You are signed out on every
              device.
            </Trans>
          ) : (
            <Trans>
              We delete right away: your profile, your FundMe pools, the wallets you added, your email,
              password, two-step sign-in and wallet sign-in. Your picture is gone within an hour. You are
              signed out on every device.
            </Trans>
          )}
        </p>
        <p className="mt-3">
          <Trans>
            What stays: the public ledger and the blockchain. They hold wallet addresses and amounts, but no
            link to your account.{' '}
            <a href="/dashboard/account/data" className="link" download>
              Download your data
            </a>{' '}
            first if you want it.
          </Trans>
        </p>
        {fundMe && (
          <p className="mt-3">
            <Trans>
              We also delete your goals that were never public, with their pictures, and the problems that you
              reported. An open goal ends with “The member deleted their account.” What was published stays:
              the goal with its pictures and updates, under the name that you typed, and its payments.
            </Trans>
          </p>
        )}
        {proof === 'sign-in' ? (
          <>
            <p className="mt-6">
              <Trans>
                To show it's you, sign out, sign in with your wallet again, and come back to this page within
                10 minutes.
              </Trans>
            </p>
            <Form method="post" action="/auth/sign-out" reloadDocument className="mt-4">
              <button type="submit" className="button">
                <Trans>Sign out</Trans>
              </button>
            </Form>
          </>
        ) : (
          <Form
            key={refused?.id}
            method="post"
            action={deletePath}
            noValidate
            className="mt-6 grid max-w-md gap-5"
          >
            <input type="hidden" name="member" value={memberId} />
            {proof === 'password' && (
              <>
                {/* Tells password managers which account the password belongs to. */}
                <input type="email" autoComplete="username" defaultValue={email ?? ''} readOnly hidden />
                <PasswordField
                  name="currentPassword"
                  refused={refused}
                  label={t`Current password`}
                  autoComplete="current-password"
                  required
                  hint={t`No password? Sign out, sign in by email, and come back within 10 minutes.`}
                />
              </>
            )}
            <div className="flex flex-wrap gap-3">
              <SubmitButton className="button button-bad">
                <Trans>Delete my account</Trans>
              </SubmitButton>
              <Link to={accountPath} className="button">
                <Trans>Keep it</Trans>
              </Link>
            </div>
          </Form>
        )}
      </Sheet>
    </div>
  )
}
