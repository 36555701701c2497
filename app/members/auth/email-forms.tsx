import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Form, Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Field } from '../../platform/forms/field'
import { fieldsOf, type RefusedForm } from '../../platform/forms/refusal'
import { SubmitButton } from '../../platform/forms/submit-button'
import type { Text } from '../../platform/locales/i18n'
import { useLanguage } from '../../platform/locales/react'
import { AuthSheet } from './auth-sheet'
import { CodeField } from './code-field'
import type { PendingEmail } from './pending-email.server'

/** The form for the address that gets an email. `children`: links to other ways to sign in. */
export function AddressForm({
  title,
  lead,
  action,
  email,
  refused,
  children,
}: {
  title: string
  lead: string
  action: string
  email: string | null
  refused: RefusedForm | undefined
  children: ReactNode
}) {
  const { t } = useLingui()
  return (
    <AuthSheet title={title} refused={refused}>
      <p className="mt-3 text-muted">{lead}</p>
      <Form
        key={refused?.id ?? 'address'}
        method="post"
        action={action}
        noValidate
        className="mt-6 grid gap-5"
      >
        <input type="hidden" name="intent" value="ask" />
        <Field
          {...fieldsOf(refused)('email', email ?? undefined)}
          label={t`Email`}
          type="email"
          autoComplete="email"
          required
        />
        <SubmitButton>
          <Trans>Send email</Trans>
        </SubmitButton>
      </Form>
      <div className="mt-6 grid justify-items-center gap-2">{children}</div>
    </AuthSheet>
  )
}

/** The page where a visitor enters the code of a requested email. */
export const mailboxPath = '/auth/code?step=mail'

const alternatives: Record<PendingEmail['purpose'], { to: string; label: Text }> = {
  'sign-up': { to: '/auth?mode=sign-up', label: msg`Use another address` },
  'sign-in': { to: '/auth/code', label: msg`Use another address` },
  recovery: { to: '/auth/forgot', label: msg`Use another address` },
}

/** The page after a request for an email: the same whether or not the address has an account. */
export function CheckMailbox({
  pending,
  refused,
}: {
  pending: PendingEmail
  refused: RefusedForm | undefined
}) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const { to, label } = alternatives[pending.purpose]
  return (
    <AuthSheet title={t`Check your email`} refused={refused}>
      <p className="mt-3">
        <SentMail {...pending} />
      </p>
      <Form
        key={refused?.id ?? 'code'}
        method="post"
        action={mailboxPath}
        noValidate
        className="mt-6 grid gap-5"
      >
        <input type="hidden" name="intent" value="enter" />
        <CodeField refused={refused} hint={t`The 6-digit code in the email`} />
        <SubmitButton intent="enter">
          <Trans>Continue</Trans>
        </SubmitButton>
      </Form>
      <div className="mt-6 border-t border-hairline pt-5">
        <p className="text-muted">
          <Trans>Nothing yet? Check your spam folder.</Trans>
        </p>
        <Form
          key={`${refused?.id} again`}
          method="post"
          action={mailboxPath}
          className="mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3"
        >
          <input type="hidden" name="intent" value="again" />
          <SubmitButton intent="again" className="button">
            <Trans>Send it again</Trans>
          </SubmitButton>
          <Link to={to} className="link">
            {i18n._(label)}
          </Link>
        </Form>
      </div>
    </AuthSheet>
  )
}

function SentMail({ email, purpose }: PendingEmail) {
  const address = <strong className="wrap-anywhere">{email}</strong>
  if (purpose === 'sign-up')
    return (
      <Trans>
        We sent a link to {address}. Open it to confirm your email, or enter the code from the email.
      </Trans>
    )
  if (purpose === 'sign-in')
    return (
      <Trans>
        If {address} has an account, we've sent it a link. Open it, or enter the code from the email.
      </Trans>
    )
  return (
    <Trans>
      If {address} has an account, we've sent it a link to set a new password. Open it, or enter the code from
      the email.
    </Trans>
  )
}
