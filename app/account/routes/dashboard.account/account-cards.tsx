import { Trans, useLingui } from '@lingui/react/macro'
import { Form, Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { useFollows } from '~/follow/follow'
import { Field } from '~/platform/forms/field'
import { PasswordField } from '~/platform/forms/password-field'
import { fieldsOf, type RefusedForm } from '~/platform/forms/refusal'
import { SubmitButton } from '~/platform/forms/submit-button'
import { accountDataPath, accountPath, deletePath } from '~/platform/server/redirect'
import { minPasswordLength } from '~/platform/site'
import { Sheet } from '~/platform/ui/section'

/** The intents of the forms on the account page. */
export type AccountIntent = 'change-email' | 'change-password' | 'end-others' | 'end-all'

/** The email address with a form to change it. */
export function EmailCard({
  memberId,
  email,
  refused,
}: {
  memberId: string
  email: string | null
  refused: RefusedForm | undefined
}) {
  const { t } = useLingui()
  return (
    <Card id="email-title" title={t`Email`}>
      <p className="mt-2 text-muted wrap-anywhere">{email ?? t`No email yet.`}</p>
      <IntentForm intent="change-email" label={email ? t`Change email` : t`Add email`}>
        <input type="hidden" name="member" value={memberId} />
        <Field
          {...fieldsOf(refused)('email')}
          label={email ? t`New email` : t`Email`}
          type="email"
          autoComplete="email"
          required
          hint={t`We'll email you a link to confirm. Nothing changes until you do.`}
        />
      </IntentForm>
    </Card>
  )
}

/** A form that sets a new password and requires the current password. */
export function PasswordCard({ email, refused }: { email: string; refused: RefusedForm | undefined }) {
  const { t } = useLingui()
  return (
    <Card id="password-title" title={t`Password`}>
      <p className="mt-2 text-muted">
        <Trans>
          Changing it signs out your other devices.{' '}
          <Link to="/auth/forgot" className="link">
            Forgot your password?
          </Link>
        </Trans>
      </p>
      <IntentForm intent="change-password" label={t`Change password`}>
        {/* Tells password managers which account the password belongs to. */}
        <input type="email" autoComplete="username" defaultValue={email} readOnly hidden />
        <PasswordField
          name="currentPassword"
          refused={refused}
          label={t`Current password`}
          autoComplete="current-password"
          required
        />
        <PasswordField
          name="newPassword"
          refused={refused}
          label={t`New password`}
          autoComplete="new-password"
          required
          hint={t`At least ${minPasswordLength} characters`}
        />
      </IntentForm>
    </Card>
  )
}

export function FactorCard() {
  const { t } = useLingui()
  return (
    <Card id="factor-title" title={t`Two-step sign-in`}>
      <p className="mt-2 max-w-[60ch] text-muted">
        <Trans>Asks for a code from your phone as well as your password.</Trans>
      </p>
      <p className="mt-5">
        <Link to="/dashboard/account/factor" className="button">
          <Trans>Manage two-step sign-in</Trans>
        </Link>
      </p>
    </Card>
  )
}

/** Signs out this device, the other devices or all devices. */
export function SessionsCard() {
  const { t } = useLingui()
  return (
    <Card id="sessions-title" title={t`Sign out`}>
      <p className="mt-2 max-w-[60ch] text-muted">
        <Trans>Lost your phone or used someone else's computer? Sign it out here.</Trans>
      </p>
      <div className="mt-5 flex flex-wrap gap-3">
        <Form method="post" action="/auth/sign-out" reloadDocument>
          <button type="submit" className="button">
            <Trans>Sign out on this device</Trans>
          </button>
        </Form>
        <IntentButton intent="end-others">
          <Trans>Sign out other devices</Trans>
        </IntentButton>
        <IntentButton intent="end-all">
          <Trans>Sign out everywhere</Trans>
        </IntentButton>
      </div>
    </Card>
  )
}

/** Links to the export of the member's data and to the page that deletes the account. */
export function DataCard() {
  const { t } = useLingui()
  const follows = useFollows()
  return (
    <Card id="data-title" title={t`Your data`}>
      <p className="mt-2 max-w-[60ch] text-muted">
        <Trans>Download everything we store about you, or delete your account.</Trans>
      </p>
      <div className="mt-5 flex flex-wrap gap-3">
        <a href={accountDataPath} className="button" download>
          <Trans>Download my data</Trans>
        </a>
        {follows && (
          <a href="/dashboard/follows" className="button">
            <Trans>Email updates</Trans>
          </a>
        )}
        <Link to={deletePath} className="button button-bad">
          <Trans>Delete my account</Trans>
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
