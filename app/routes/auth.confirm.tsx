import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirectDocument,
} from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { announce } from '~/auth/notices.server'
import { accountPath } from '~/auth/redirect'
import { authFormError } from '~/auth/refusal.server'
import {
  completeEmailChange,
  completeEmailSignIn,
  kindOf,
  type LinkKind,
  parseLink,
  verify,
} from '~/auth/verification.server'
import { readForm } from '~/forms/form.server'
import { SubmitButton } from '~/forms/submit-button'
import { Toast } from '~/forms/toast'
import { hydratedPage } from '~/rendering/hydration'

const words: Record<LinkKind, { title: string; text: string; button: string }> = {
  'sign-up': {
    title: 'Confirm your email',
    text: 'Click once to sign in.',
    button: 'Confirm and sign in',
  },
  'sign-in': { title: 'Sign in', text: 'Click once to sign in.', button: 'Sign in' },
  recovery: {
    title: 'Choose a new password',
    text: 'Click once, then choose a new password.',
    button: 'Continue',
  },
  invite: {
    title: 'You are invited',
    text: 'Accept and choose a password.',
    button: 'Accept the invitation',
  },
  'email-change': {
    title: 'Confirm your new email',
    text: 'Click once to confirm from this inbox.',
    button: 'Confirm the change',
  },
}

export const handle = hydratedPage('Confirm')

export const meta: MetaFunction = () => [{ name: 'robots', content: 'noindex' }]

/** A GET does not use the token, because mail scanners follow links. The page's button sends a POST with the token. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const link = parseLink(new URL(request.url).searchParams)
  if (!link) return data({ link: null, kind: null, member: null }, 400)
  const kind = kindOf(link)
  const state = await context.viewer()
  // The link may belong to another account: warn a member before it replaces their session.
  const member = state.kind === 'member' && kind !== 'email-change' ? state.viewer.email : null
  return data({ link, kind, member })
}

export async function action({ request, context }: ActionFunctionArgs) {
  const link = parseLink(await readForm(request))
  if (!link) return authFormError({}, { code: 'otp_expired', status: 400 })
  const { token_hash, type } = link
  const verified = await verify(context, { token_hash, type })
  if (verified.kind === 'refused') return authFormError({}, verified.error)
  if (verified.kind === 'awaitingOtherAddress') {
    announce(context.cookies, 'email-other-address')
    throw redirectDocument(accountPath, 303)
  }
  const kind = kindOf(link)
  throw kind === 'email-change'
    ? await completeEmailChange(context, verified)
    : completeEmailSignIn(context, kind, verified)
}

export default function Confirm() {
  const { link, kind, member } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  const { title, text, button } = words[kind ?? 'sign-up']
  return (
    <div className="column grid justify-items-center py-section">
      <Toast key={refused?.id} notice={refused?.notice} />
      <section className="sheet w-full max-w-md text-center">
        <h1 className="text-heading">{link ? title : 'This link is incomplete'}</h1>
        {link ? (
          <Form key={refused?.id} method="post" className="mt-6 grid gap-4">
            {Object.entries(link).map(
              ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
            )}
            <p>{text}</p>
            {member && (
              <p className="text-muted wrap-anywhere">
                You're signed in as {member}. If this link is for another account, we'll switch you to it.
              </p>
            )}
            <SubmitButton>{button}</SubmitButton>
          </Form>
        ) : (
          <p className="mt-4">Copy the full link from the email, or ask for a new one.</p>
        )}
        <p className="mt-6">
          <a href="/auth" className="link wrap-anywhere">
            {member ? `Stay signed in as ${member}` : 'Sign in'}
          </a>
        </p>
      </section>
    </div>
  )
}
