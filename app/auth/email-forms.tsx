import { Form, Link, useNavigation } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Field } from '../forms/field'
import { fieldErrors } from '../forms/refusal'
import type { formError } from '../forms/refusal.server'
import { Toast } from '../forms/toast'
import { AuthServiceNotice } from './auth-service-notice'
import type { PendingEmail } from './pending-email.server'

/** What a refused form of these pages answers. `status` is that of the answer. */
export type Refused = ReturnType<typeof formError> & { status: number }

/** Asks for the address that a mail goes to. */
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
  refused: Refused | undefined
  /** The ways elsewhere. */
  children: ReactNode
}) {
  const pending = useNavigation().state !== 'idle'
  const typed = refused?.lastResult.initialValue as { email?: string } | undefined
  return (
    <Sheet title={title} refused={refused}>
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
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          required
          defaultValue={typed ? typed.email : (email ?? undefined)}
          error={fieldErrors(refused).email?.[0]}
        />
        <button type="submit" className="button button-gold" disabled={pending}>
          {pending ? 'Loading...' : 'Send the mail'}
        </button>
      </Form>
      <div className="mt-6 grid justify-items-center gap-2">{children}</div>
    </Sheet>
  )
}

/** The address of this page, where a code is entered: of every mail that somebody waits for. */
export const mailboxPath = '/auth/code?step=mail'

const again: Record<PendingEmail['purpose'], { to: string; label: string }> = {
  'sign-up': { to: '/auth', label: 'Already have an account? Sign in' },
  'sign-in': { to: '/auth/code', label: 'Use another address' },
  recovery: { to: '/auth/forgot', label: 'Use another address' },
}

/** Said whoever asks, and whether or not the address has an account. The mailed code can be entered. */
export function CheckMailbox({ waiting, refused }: { waiting: PendingEmail; refused: Refused | undefined }) {
  const { state, formData } = useNavigation()
  const pending = state !== 'idle'
  const sending = pending && formData?.get('intent') === 'again'
  const typed = refused?.lastResult.initialValue as { code?: string } | undefined
  const { to, label } = again[waiting.purpose]
  return (
    <Sheet title="Check your mailbox" refused={refused}>
      <p className="mt-3">
        <WhatWasSent {...waiting} />
      </p>
      <Form
        key={refused?.id ?? 'code'}
        method="post"
        action={mailboxPath}
        noValidate
        className="mt-6 grid gap-5"
      >
        <input type="hidden" name="intent" value="enter" />
        <Field
          label="Code"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoCapitalize="off"
          spellCheck={false}
          required
          defaultValue={typed?.code}
          hint="The six digits in the mail"
          error={fieldErrors(refused).code?.[0]}
        />
        <button type="submit" className="button button-gold" disabled={pending}>
          {pending && !sending ? 'Loading...' : 'Continue'}
        </button>
      </Form>
      <div className="mt-6 border-t border-hairline pt-5">
        <p className="text-muted">Nothing after a few minutes? Look into the spam folder first.</p>
        <Form
          key={`${refused?.id} again`}
          method="post"
          action={mailboxPath}
          className="mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3"
        >
          <input type="hidden" name="intent" value="again" />
          <button type="submit" className="button" disabled={pending}>
            {sending ? 'Loading...' : 'Send it again'}
          </button>
          <Link to={to} className="link">
            {label}
          </Link>
        </Form>
      </div>
    </Sheet>
  )
}

function WhatWasSent({ email, purpose }: PendingEmail) {
  if (purpose === 'sign-up')
    return 'We have sent you a link. Open it to confirm your e-mail address, or enter the code that stands below it.'
  return (
    <>
      If <strong className="wrap-anywhere">{email}</strong> has an account here, we have sent it a link.{' '}
      {purpose === 'sign-in'
        ? 'Open it to sign in, or enter the code that stands below it.'
        : 'Open it to choose a new password, or enter the code that stands below it.'}
    </>
  )
}

function Sheet({
  title,
  refused,
  children,
}: {
  title: string
  refused: Refused | undefined
  children: ReactNode
}) {
  return (
    <div className="column grid justify-items-center py-section">
      <Toast key={refused?.id} notice={refused?.notice} />
      <section className="sheet w-full max-w-md" aria-labelledby="mail-title">
        <h1 id="mail-title" className="text-heading">
          {title}
        </h1>
        <AuthServiceNotice status={refused?.status} />
        {children}
      </section>
    </div>
  )
}
