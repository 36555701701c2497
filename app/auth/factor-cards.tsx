import { Form, Link, useNavigation } from '@remix-run/react'
import { Field } from '../forms/field'
import { When } from '../ui/when'
import type { Enrolment, Factor } from './factor'
import { CodeField } from './factor-code'

export const factorAddress = '/dashboard/account/factor'

/** The apps that protect the account, each with its way out. */
export function FactorList({ factors }: { factors: Factor[] }) {
  return (
    <ul className="mt-4 divide-y divide-hairline">
      {factors.map(({ id, name, addedAt }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
          <div className="min-w-0">
            <p className="font-semibold wrap-anywhere">{name}</p>
            {addedAt && (
              <p className="text-sm text-muted">
                Added on <When date={new Date(addedAt)} day />
              </p>
            )}
          </div>
          <Link to={`${factorAddress}?remove=${id}`} className="button">
            Remove<span className="sr-only"> {name}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** Asked before a factor goes. */
export function RemoveFactor({ factor, last }: { factor: Factor; last: boolean }) {
  const pending = useNavigation().state !== 'idle'
  return (
    <section className="sheet" aria-labelledby="remove-title">
      <h2 id="remove-title" className="text-heading wrap-anywhere">
        Remove “{factor.name}”?
      </h2>
      <p className="mt-3 max-w-[60ch] text-muted">
        {last
          ? 'It is your only one. Whoever knows your password can then sign in as you.'
          : 'Its codes will no longer be accepted. Your other apps go on working.'}
      </p>
      <Form
        method="post"
        action={`${factorAddress}?remove=${factor.id}`}
        className="mt-6 flex flex-wrap gap-3"
      >
        <input type="hidden" name="intent" value="remove" />
        <input type="hidden" name="factorId" value={factor.id} />
        <button type="submit" className="button border-bad text-bad" disabled={pending}>
          {pending ? 'Loading...' : 'Remove it'}
        </button>
        <Link to={factorAddress} className="button">
          Keep it
        </Link>
      </Form>
    </section>
  )
}

/** The first step of setting one up: how it is called. */
export function AddFactor({
  first,
  name,
  error,
}: {
  first: boolean
  name: string | undefined
  error: string | undefined
}) {
  const pending = useNavigation().state !== 'idle'
  return (
    <section className="sheet" aria-labelledby="add-title">
      <h2 id="add-title" className="text-heading">
        {first ? 'Add an app' : 'Add another app'}
      </h2>
      <p className="mt-3 max-w-[60ch] text-muted">
        {first
          ? 'Install an authenticator app on your phone: any that shows codes of six digits.'
          : 'A second app, on another device, still lets you in when you lose the first.'}
      </p>
      <Form method="post" action={factorAddress} noValidate className="mt-6 grid max-w-md gap-5">
        <input type="hidden" name="intent" value="enrol" />
        <Field
          label="Name"
          name="name"
          autoComplete="off"
          required
          defaultValue={name ?? (first ? 'My phone' : '')}
          hint="For you to tell your apps apart"
          error={error}
        />
        <div>
          <button type="submit" className="button button-gold" disabled={pending}>
            {pending ? 'Loading...' : 'Set up'}
          </button>
        </div>
      </Form>
    </section>
  )
}

/** The second step: the secret goes into the app, and its first code comes back. */
export function VerifyFactor({
  enrolment,
  challengeId,
  error,
}: {
  enrolment: Enrolment
  challengeId: string | undefined
  error: string | undefined
}) {
  const pending = useNavigation().state !== 'idle'
  const { name, qr, secret, uri } = enrolment
  return (
    <section className="sheet" aria-labelledby="verify-title">
      <h2 id="verify-title" className="text-heading wrap-anywhere">
        Set up “{name}”
      </h2>
      <div className="mt-6 grid gap-8 md:grid-cols-[auto_minmax(0,1fr)] md:gap-12">
        <div className="justify-self-start">
          {/* Readers want dark on light, with a margin, in either theme. */}
          <img
            src={qr}
            alt="QR code that holds the key below"
            width="208"
            height="208"
            className="rounded-block border border-hairline bg-[#fff] p-3"
          />
        </div>
        <div className="grid min-w-0 content-start gap-6">
          <p className="max-w-[55ch]">
            Scan the picture with your app. On this device,{' '}
            <a href={uri} className="link">
              open it in the app
            </a>{' '}
            instead, or type the key:
          </p>
          <p>
            <code className="rounded-lg bg-panel px-2 py-1 font-mono text-lg wrap-anywhere select-all">
              {secret}
            </code>
          </p>
          <Form method="post" action={factorAddress} noValidate className="grid max-w-md gap-5">
            <input type="hidden" name="intent" value="verify" />
            {Object.entries(enrolment).map(([field, value]) => (
              <input key={field} type="hidden" name={field} value={value} />
            ))}
            {challengeId && <input type="hidden" name="challengeId" value={challengeId} />}
            <CodeField error={error} />
            <div className="flex flex-wrap gap-3">
              <button type="submit" className="button button-gold" disabled={pending}>
                {pending ? 'Loading...' : 'Turn it on'}
              </button>
              <Link to={factorAddress} className="button">
                Cancel
              </Link>
            </div>
          </Form>
          <p className="max-w-[55ch] text-sm text-muted">
            From then on every sign-in asks for a code, and other devices are signed out.
          </p>
        </div>
      </div>
    </section>
  )
}
