import { Form, Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { accountDataPath, accountPath, deletePath } from '~/auth/redirect'
import { useFollows } from '~/follow/follow'
import { Field } from '~/forms/field'
import { PasswordField } from '~/forms/password-field'
import { fieldsOf, type RefusedForm } from '~/forms/refusal'
import { SubmitButton } from '~/forms/submit-button'
import { minPasswordLength } from '~/site'
import { Sheet } from '~/ui/section'

/** The intents of the forms on the account page. */
export type AccountIntent = 'change-email' | 'change-password' | 'end-others' | 'end-all'

/** The email address, and a form to change it. */
export function EmailCard({
  memberId,
  email,
  refused,
}: {
  memberId: string
  email: string | null
  refused: RefusedForm | undefined
}) {
  return (
    <Card id="email-title" title="Email">
      <p className="mt-2 text-muted wrap-anywhere">{email ?? 'No email yet.'}</p>
      <IntentForm intent="change-email" label={email ? 'Change email' : 'Add email'}>
        <input type="hidden" name="member" value={memberId} />
        <Field
          {...fieldsOf(refused)('email')}
          label={email ? 'New email' : 'Email'}
          type="email"
          autoComplete="email"
          required
          hint="We'll email you a link to confirm. Nothing changes until you do."
        />
      </IntentForm>
    </Card>
  )
}

/** A form for a new password, which requires the current one. */
export function PasswordCard({ email, refused }: { email: string; refused: RefusedForm | undefined }) {
  const field = fieldsOf(refused)
  return (
    <Card id="password-title" title="Password">
      <p className="mt-2 text-muted">
        Changing it signs out your other devices.{' '}
        <Link to="/auth/forgot" className="link">
          Forgot your password?
        </Link>
      </p>
      <IntentForm intent="change-password" label="Change password">
        {/* For password managers: the account of the password. */}
        <input type="email" autoComplete="username" defaultValue={email} readOnly hidden />
        <PasswordField
          {...field('currentPassword')}
          label="Current password"
          autoComplete="current-password"
          required
        />
        <PasswordField
          {...field('newPassword')}
          label="New password"
          autoComplete="new-password"
          required
          hint={`At least ${minPasswordLength} characters`}
        />
      </IntentForm>
    </Card>
  )
}

export function FactorCard() {
  return (
    <Card id="factor-title" title="Two-step sign-in">
      <p className="mt-2 max-w-[60ch] text-muted">
        Asks for a code from your phone as well as your password.
      </p>
      <p className="mt-5">
        <Link to="/dashboard/account/factor" className="button">
          Manage two-step sign-in
        </Link>
      </p>
    </Card>
  )
}

/** Sign-out on this device, on the others, and on all. */
export function SessionsCard() {
  return (
    <Card id="sessions-title" title="Sign out">
      <p className="mt-2 max-w-[60ch] text-muted">
        Lost your phone or used someone else's computer? Sign it out here.
      </p>
      <div className="mt-5 flex flex-wrap gap-3">
        <Form method="post" action="/auth/sign-out" reloadDocument>
          <button type="submit" className="button">
            Sign out on this device
          </button>
        </Form>
        <IntentButton intent="end-others">Sign out other devices</IntentButton>
        <IntentButton intent="end-all">Sign out everywhere</IntentButton>
      </div>
    </Card>
  )
}

/** The export of the member's data, and the way to delete the account. */
export function DataCard() {
  const follows = useFollows()
  return (
    <Card id="data-title" title="Your data">
      <p className="mt-2 max-w-[60ch] text-muted">
        Download everything we store about you, or delete your account.
      </p>
      <div className="mt-5 flex flex-wrap gap-3">
        <a href={accountDataPath} className="button" download>
          Download my data
        </a>
        {follows && (
          <a href="/dashboard/follows" className="button">
            Emails that you follow
          </a>
        )}
        <Link to={deletePath} className="button">
          Delete my account
        </Link>
      </div>
    </Card>
  )
}

function Card({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <Sheet heading={id} title={title} className="min-w-0">
      {children}
    </Sheet>
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
  return (
    <Form method="post" action={accountPath} noValidate className="mt-5 grid gap-5">
      <input type="hidden" name="intent" value={intent} />
      {children}
      <div>
        <SubmitButton intent={intent}>{label}</SubmitButton>
      </div>
    </Form>
  )
}

function IntentButton({ intent, children }: { intent: AccountIntent; children: ReactNode }) {
  return (
    <Form method="post" action={accountPath}>
      <input type="hidden" name="intent" value={intent} />
      <SubmitButton intent={intent} className="button">
        {children}
      </SubmitButton>
    </Form>
  )
}
