import type { SubmissionResult } from '@conform-to/react'
import { Form, Link, useNavigation } from '@remix-run/react'
import { Field } from '../ui/field'
import type { Notice } from '../ui/notice'
import { fieldErrors } from '../ui/refusal'
import { Toast } from '../ui/toast'
import { WalletButtons } from './wallet-buttons'

interface Refused {
  id: string
  lastResult: SubmissionResult<string[]>
  notice: Notice
  /** The service is away or babbles: worth a word beside the toast. */
  away: boolean
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
        {refused?.away && (
          <p className="mt-3 text-bad">
            The sign-in service does not answer as it should. What you typed is kept: please try again in a
            moment.
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
        <WalletButtons action={`/auth/wallet${query({ redirectTo: carried })}`} />
        <p className="mt-6 text-center">
          <Link to={address(signUp ? '' : 'sign-up')} className="link" reloadDocument={false}>
            {signUp ? 'Already have an account? Sign in' : "Don't have an account? Sign up"}
          </Link>
        </p>
      </section>
    </div>
  )
}

/** Said after signing up where the e-mail address has to be confirmed, whoever asks. */
export function CheckMailbox() {
  return (
    <div className="column grid justify-items-center py-section">
      <section className="sheet w-full max-w-md text-center">
        <h1 className="text-heading">Check your mailbox</h1>
        <p className="mt-4">
          We have sent you a link. Open it to confirm your e-mail address; it leads to your dashboard. If
          nothing arrives within a few minutes, look into the spam folder.
        </p>
        <p className="mt-6">
          <Link to="/auth" className="link">
            Already have an account? Sign in
          </Link>
        </p>
      </section>
    </div>
  )
}

function query(parameters: Record<string, string | null>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length ? `?${new URLSearchParams(given)}` : ''
}
