import { Trans, useLingui } from '@lingui/react/macro'
import { Form, Link } from '@remix-run/react'
import { AuthSheet } from '~/members/auth/auth-sheet'
import { mailboxPath } from '~/members/auth/email-forms'
import { WalletButtons } from '~/members/auth/wallet-buttons'
import { Field } from '~/platform/forms/field'
import { PasswordField } from '~/platform/forms/password-field'
import { fieldsOf, type RefusedForm } from '~/platform/forms/refusal'
import { SubmitButton } from '~/platform/forms/submit-button'
import { minPasswordLength, minUsernameLength } from '~/platform/site'

/** A refused sign-in or sign-up. `unconfirmed`: the member has not confirmed the email address yet. */
type Refused = RefusedForm & { unconfirmed: boolean }

/** The form of /auth in both modes. `carried` is the path to open after sign-in. */
export function CredentialsForm({
  signUp,
  carried,
  purpose,
  refused,
}: {
  signUp: boolean
  carried: string | null
  /** Why a visitor needs an account. */
  purpose: string | null
  refused: Refused | undefined
}) {
  const { t } = useLingui()
  const field = fieldsOf(refused)
  const address = (mode: string) => `/auth${query({ mode, redirectTo: carried })}`
  const label = signUp ? t`Sign Up` : t`Sign In`
  // A refusal that names no field resets the form too: the field to correct takes the focus.
  const focused = refused && Object.keys(refused.errors).length === 0 && (signUp ? 'email' : 'password')
  return (
    <AuthSheet title={label} refused={refused}>
      {purpose && <p className="mt-3 text-muted">{purpose}</p>}
      {refused?.unconfirmed && (
        <p className="mt-3">
          <Link to={mailboxPath} className="link">
            <Trans>Enter the code from our email, or get a new one</Trans>
          </Link>
        </p>
      )}
      <Form
        key={refused?.id}
        method="post"
        action={address(signUp ? 'sign-up' : '')}
        noValidate
        className="mt-6 grid gap-5"
      >
        <input type="hidden" name="intent" value={signUp ? 'sign-up' : 'sign-in'} />
        {signUp && (
          <Field
            {...field('username')}
            label={t`Username`}
            autoComplete="nickname"
            required
            hint={t`At least ${minUsernameLength} characters`}
          />
        )}
        {/* Password managers use the email address as the username. */}
        <Field
          {...field('email')}
          {...(focused === 'email' && { isFirst: true })}
          label={t`Email`}
          type="email"
          autoComplete="username"
          required
        />
        <PasswordField
          name="password"
          refused={refused}
          {...(focused === 'password' && { isFirst: true })}
          label={t`Password`}
          autoComplete={signUp ? 'new-password' : 'current-password'}
          required
          {...(signUp && { hint: t`At least ${minPasswordLength} characters` })}
        />
        <SubmitButton>{label}</SubmitButton>
      </Form>
      {!signUp && (
        <p className="mt-6 flex flex-wrap justify-center gap-x-6 gap-y-2 text-center">
          <Link to="/auth/forgot" className="link">
            <Trans>Forgot your password?</Trans>
          </Link>
          <Link to={`/auth/code${query({ redirectTo: carried })}`} className="link">
            <Trans>Email me a sign-in link</Trans>
          </Link>
        </p>
      )}
      <p className="mt-6 text-center">
        <Link to={address(signUp ? '' : 'sign-up')} className="link" reloadDocument={false}>
          {signUp ? t`Already have an account? Sign in` : t`Don't have an account? Sign up`}
        </Link>
      </p>
      <WalletButtons action={`/auth/wallet${query({ redirectTo: carried })}`} />
    </AuthSheet>
  )
}

function query(parameters: Record<string, string | null>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length ? `?${new URLSearchParams(given)}` : ''
}
