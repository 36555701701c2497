import { Form, Link, useNavigation } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Field } from '../forms/field'
import type { FieldErrors } from '../forms/refusal'
import { accountPath } from './redirect'

/** What the forms of the account page send. */
export type AccountIntent = 'change-email' | 'change-password' | 'end-others' | 'end-all'

/** The address, and the way to another. */
export function EmailCard({
  email,
  typed,
  errors,
}: {
  email: string | null
  typed: string | undefined
  errors: FieldErrors
}) {
  return (
    <Card id="email-title" title="E-mail">
      <p className="mt-2 text-muted wrap-anywhere">{email ?? 'You have none here yet.'}</p>
      <IntentForm intent="change-email" label={email ? 'Change e-mail' : 'Add e-mail'}>
        <Field
          label={email ? 'New e-mail' : 'E-mail'}
          name="email"
          type="email"
          autoComplete="email"
          required
          defaultValue={typed}
          hint="We send a link to confirm it. Until then nothing changes."
          error={errors.email?.[0]}
        />
      </IntentForm>
    </Card>
  )
}

/** A new password, by the current one. */
export function PasswordCard({ email, errors }: { email: string; errors: FieldErrors }) {
  return (
    <Card id="password-title" title="Password">
      <p className="mt-2 text-muted">
        A new one signs your other devices out.{' '}
        <Link to="/auth/forgot" className="link">
          Forgot your password?
        </Link>
      </p>
      <IntentForm intent="change-password" label="Change password">
        {/* For the browser's password store: which account the password is for. */}
        <input type="email" autoComplete="username" defaultValue={email} readOnly hidden />
        <Field
          label="Current password"
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          required
          error={errors.currentPassword?.[0]}
        />
        <Field
          label="New password"
          name="newPassword"
          type="password"
          autoComplete="new-password"
          required
          error={errors.newPassword?.[0]}
        />
      </IntentForm>
    </Card>
  )
}

export function FactorCard() {
  return (
    <Card id="factor-title" title="Second factor">
      <p className="mt-2 max-w-[55ch] text-muted">
        A code from an app on your phone, asked for beside your password.
      </p>
      <p className="mt-5">
        <Link to="/dashboard/account/factor" className="button">
          Manage second factor
        </Link>
      </p>
    </Card>
  )
}

/** The three ways out: here, on the other devices, everywhere. */
export function SessionsCard() {
  return (
    <Card id="sessions-title" title="Sign out">
      <p className="mt-2 max-w-[55ch] text-muted">
        Lost a phone, or signed in on a computer that is not yours? End that session from here.
      </p>
      <div className="mt-5 flex flex-wrap gap-3">
        <Form method="post" action="/auth/sign-out" reloadDocument>
          <button type="submit" className="button">
            Sign out here
          </button>
        </Form>
        <IntentButton intent="end-others">Sign out other devices</IntentButton>
        <IntentButton intent="end-all">Sign out everywhere</IntentButton>
      </div>
    </Card>
  )
}

function Card({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className="sheet min-w-0" aria-labelledby={id}>
      <h2 id={id} className="text-heading">
        {title}
      </h2>
      {children}
    </section>
  )
}

function IntentForm({
  intent,
  label,
  children,
}: {
  intent: AccountIntent
  label: string
  children: ReactNode
}) {
  const { pending, mine } = usePending(intent)
  return (
    <Form method="post" action={accountPath} noValidate className="mt-5 grid gap-5">
      <input type="hidden" name="intent" value={intent} />
      {children}
      <div>
        <button type="submit" className="button button-gold" disabled={pending}>
          {mine ? 'Loading...' : label}
        </button>
      </div>
    </Form>
  )
}

function IntentButton({ intent, children }: { intent: AccountIntent; children: ReactNode }) {
  const { pending, mine } = usePending(intent)
  return (
    <Form method="post" action={accountPath}>
      <input type="hidden" name="intent" value={intent} />
      <button type="submit" className="button" disabled={pending}>
        {mine ? 'Loading...' : children}
      </button>
    </Form>
  )
}

/** Whether the page is busy, and whether with this form. */
function usePending(intent: AccountIntent) {
  const { state, formData } = useNavigation()
  const pending = state !== 'idle'
  return { pending, mine: pending && formData?.get('intent') === intent }
}
