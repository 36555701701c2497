import { Trans, useLingui } from '@lingui/react/macro'
import { Form, Link } from '@remix-run/react'
import { CodeField } from '~/members/auth/code-field'
import type { Enrolment, Factor } from '~/members/auth/factor'
import { Field } from '~/platform/forms/field'
import { fieldsOf, type RefusedForm } from '~/platform/forms/refusal'
import { SubmitButton } from '~/platform/forms/submit-button'
import { PageLink } from '~/platform/locales/react'
import { Sheet } from '~/platform/ui/section'
import { When } from '~/platform/ui/when'
import { WordsOfMember } from '~/platform/ui/words'

export const factorAccountPath = '/dashboard/account/factor'

/** The member's factors, each with a link to remove it. */
export function FactorList({ factors }: { factors: Factor[] }) {
  return (
    <ul className="mt-4">
      {factors.map(({ id, name, addedAt }) => (
        <li
          key={id}
          className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-hairline py-4"
        >
          <div className="min-w-0">
            <p className="font-semibold wrap-anywhere" dir="auto" lang="">
              {name}
            </p>
            {addedAt && (
              <p className="text-sm text-muted">
                <Trans>
                  Added on <When date={new Date(addedAt)} day />
                </Trans>
              </p>
            )}
          </div>
          <Link to={`${factorAccountPath}?remove=${id}`} className="button">
            <Trans>
              Remove
              <span className="sr-only" lang="">
                {' '}
                {name}
              </span>
            </Trans>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** The question that a member answers before the removal of a factor. */
export function RemoveFactor({ factor, last }: { factor: Factor; last: boolean }) {
  const name = <WordsOfMember>{factor.name}</WordsOfMember>
  const { t } = useLingui()
  return (
    <Sheet
      heading="remove-title"
      title={
        <span className="wrap-anywhere">
          <Trans>Remove “{name}”?</Trans>
        </span>
      }
    >
      <p className="mt-3 max-w-[60ch] text-muted">
        {last
          ? t`This is your only app. Without it, anyone with your password can sign in as you.`
          : t`Its codes will stop working. Your other apps still work.`}
      </p>
      <Form
        method="post"
        action={`${factorAccountPath}?remove=${factor.id}`}
        className="mt-6 flex flex-wrap gap-3"
      >
        <input type="hidden" name="intent" value="remove" />
        <input type="hidden" name="factorId" value={factor.id} />
        <SubmitButton className="button button-bad">
          <Trans>Remove it</Trans>
        </SubmitButton>
        <Link to={factorAccountPath} className="button">
          <Trans>Keep it</Trans>
        </Link>
      </Form>
    </Sheet>
  )
}

/** The first step of an enrolment: the name of the factor. */
export function AddFactor({ first, refused }: { first: boolean; refused: RefusedForm | undefined }) {
  const { t } = useLingui()
  return (
    <Sheet heading="add-title" title={first ? t`Add an app` : t`Add another app`}>
      <p className="mt-3 max-w-[60ch] text-muted">
        {first
          ? t`Install an authenticator app, such as Google Authenticator, Aegis or 1Password.`
          : t`A second app on another device still lets you in if you lose the first.`}
      </p>
      <p className="mt-3 max-w-[60ch] text-muted">
        <Trans>
          There are no recovery codes. If you lose your phone, a second app on another device is the way back.
          If you have none,{' '}
          <PageLink to="/contact" className="link">
            contact us
          </PageLink>
          .
        </Trans>
      </p>
      <Form method="post" action={factorAccountPath} noValidate className="mt-6 grid max-w-md gap-5">
        <input type="hidden" name="intent" value="enrol" />
        <Field
          {...fieldsOf(refused)(
            'name',
            first
              ? t({ message: 'My phone', comment: 'The name that the form suggests for an app with codes' })
              : '',
          )}
          label={t`Name`}
          autoComplete="off"
          required
          hint={t`So you can tell your apps apart`}
        />
        <div>
          <SubmitButton>
            <Trans>Set up</Trans>
          </SubmitButton>
        </div>
      </Form>
    </Sheet>
  )
}

/** The second step of an enrolment: the secret, and the form for the first code. */
export function VerifyFactor({
  enrolment,
  challengeId,
  refused,
}: {
  enrolment: Enrolment
  challengeId: string | undefined
  refused: RefusedForm | undefined
}) {
  const { t } = useLingui()
  const { qr, ...carried } = enrolment
  const { secret, uri } = carried
  const name = <WordsOfMember>{carried.name}</WordsOfMember>
  return (
    <Sheet
      heading="verify-title"
      title={
        <span className="wrap-anywhere">
          <Trans>Set up “{name}”</Trans>
        </span>
      }
    >
      <div className="mt-6 grid gap-8 md:grid-cols-[auto_minmax(0,1fr)] md:gap-12">
        <div className="justify-self-start">
          {/* QR readers need dark modules on a light margin, so the colours are the same in both themes. */}
          <img
            src={qr}
            alt={t`QR code of the key below`}
            width="208"
            height="208"
            className="rounded-block border border-hairline bg-[#fff] p-3"
          />
        </div>
        <div className="grid min-w-0 content-start gap-6">
          <p className="max-w-[60ch]">
            <Trans>
              Scan this QR code with your app. On this device?{' '}
              <a href={uri} className="link">
                Open it in the app
              </a>
              , or type the key:
            </Trans>
          </p>
          <p>
            <code className="rounded-lg bg-panel px-2 py-1 font-mono text-lg wrap-anywhere select-all">
              {secret}
            </code>
          </p>
          <Form method="post" action={factorAccountPath} noValidate className="grid max-w-md gap-5">
            <input type="hidden" name="intent" value="verify" />
            {Object.entries(carried).map(([field, value]) => (
              <input key={field} type="hidden" name={field} value={value} />
            ))}
            {challengeId && <input type="hidden" name="challengeId" value={challengeId} />}
            <CodeField refused={refused} />
            <div className="flex flex-wrap gap-3">
              <SubmitButton>
                <Trans>Turn it on</Trans>
              </SubmitButton>
              <Link to={factorAccountPath} className="button">
                <Trans>Cancel</Trans>
              </Link>
            </div>
          </Form>
          <p className="max-w-[60ch] text-sm text-muted">
            <Trans>
              After this, we ask for a code every time you sign in. Your other devices get signed out.
            </Trans>
          </p>
        </div>
      </div>
    </Sheet>
  )
}
