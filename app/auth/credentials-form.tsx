import type { SubmissionResult } from '@conform-to/react'
import { Form, Link, useNavigation } from '@remix-run/react'
import { Field } from '../forms/field'
import type { Notice } from '../forms/notice'
import { fieldErrors } from '../forms/refusal'
import { Toast } from '../forms/toast'
import { AuthServiceNotice } from './auth-service-notice'
import { mailboxPath } from './email-forms'
import { WalletButtons } from './wallet-buttons'

interface Refused {
  id: string
  lastResult: SubmissionResult<string[]>
  notice: Notice
  status: number
  /** The e-mail address waits to be confirmed. */
  unconfirmed: boolean
}

/** The one form of /auth in either mode. `carried` is where the visitor was going. */
export function CredentialsForm({
  signUp,
  carried,
  refused,
}: {
  signUp: boolean
  carried: string | null
  refused: Refused | undefined
}) {
  const pending = useNavigation().state !== 'idle'
  const typed = refused?.lastResult.initialValue as { email?: string; username?: string } | undefined
  const errors = fieldErrors(refused)
  const address = (mode: string) => `/auth${query({ mode, redirectTo: carried })}`
  const label = signUp ? 'Sign Up' : 'Sign In'
  return (
    <div className="column grid justify-items-center py-section">
      <Toast key={refused?.id} notice={refused?.notice} />
      <section className="sheet w-full max-w-md" aria-labelledby="auth-title">
        <h1 id="auth-title" className="text-heading">
          {label}
        </h1>
        <AuthServiceNotice status={refused?.status} />
        {refused?.unconfirmed && (
          <p className="mt-3">
            <Link to={mailboxPath} className="link">
              Enter the code from our mail, or have it sent again
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
              label="Username"
              name="username"
              autoComplete="username"
              required
              defaultValue={typed?.username}
              error={errors.username?.[0]}
            />
          )}
          <Field
            label="Email"
            name="email"
            type="email"
            autoComplete="email"
            required
            defaultValue={typed?.email}
            error={errors.email?.[0]}
          />
          <Field
            label="Password"
            name="password"
            type="password"
            autoComplete={signUp ? 'new-password' : 'current-password'}
            required
            error={errors.password?.[0]}
          />
          <button type="submit" className="button button-gold" disabled={pending}>
            {pending ? 'Loading...' : label}
          </button>
        </Form>
        {!signUp && (
          <p className="mt-6 flex flex-wrap justify-center gap-x-6 gap-y-2 text-center">
            <Link to="/auth/forgot" className="link">
              Forgot your password?
            </Link>
            <Link to={`/auth/code${query({ redirectTo: carried })}`} className="link">
              Sign in by e-mail instead
            </Link>
          </p>
        )}
        <p className="mt-6 text-center">
          <Link to={address(signUp ? '' : 'sign-up')} className="link" reloadDocument={false}>
            {signUp ? 'Already have an account? Sign in' : "Don't have an account? Sign up"}
          </Link>
        </p>
        <WalletButtons action={`/auth/wallet${query({ redirectTo: carried })}`} />
      </section>
    </div>
  )
}

function query(parameters: Record<string, string | null>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length ? `?${new URLSearchParams(given)}` : ''
}
