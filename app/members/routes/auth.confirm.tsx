import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
  redirectDocument,
} from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { announce } from '~/members/auth/auth-notices.server'
import { refuseAuth } from '~/members/auth/auth-refusal.server'
import {
  completeEmailChange,
  completeEmailSignIn,
  isChangeComplete,
  kindOf,
  type LinkKind,
  type MailedLink,
  parseLink,
  verifyLink,
} from '~/members/auth/verification.server'
import { readForm } from '~/platform/forms/form.server'
import { SubmitButton } from '~/platform/forms/submit-button'
import { Toast } from '~/platform/forms/toast'
import type { Text } from '~/platform/locales/i18n'
import { useLanguage } from '~/platform/locales/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { accountPath } from '~/platform/server/redirect'
import { NarrowSheet } from '~/platform/ui/narrow-sheet'

const words: Record<LinkKind, { title: Text; text: Text; button: Text }> = {
  'sign-up': {
    title: msg`Confirm your email`,
    text: msg`Click once to sign in.`,
    button: msg`Confirm and sign in`,
  },
  'sign-in': { title: msg`Sign in`, text: msg`Click once to sign in.`, button: msg`Sign in` },
  recovery: {
    title: msg`Choose a new password`,
    text: msg`Click once, then choose a new password.`,
    button: msg`Continue`,
  },
  invite: {
    title: msg`You are invited`,
    text: msg`Accept and choose a password.`,
    button: msg`Accept the invitation`,
  },
  'email-change': {
    title: msg`Confirm your new email`,
    text: msg`Click once to confirm from this inbox.`,
    button: msg`Confirm the change`,
  },
}

export const handle: PageHandle = { hydrated: { title: msg`Confirm` } }

/** A GET does not use the token, because mail scanners open links. The page's button posts it. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const link = parseLink(new URL(request.url).searchParams)
  if (!link) return data({ link: null, kind: null, member: null }, 400)
  const kind = kindOf(link)
  const state = await context.viewer()
  // The link may belong to another account: warn a member before the link replaces the member's session.
  const member = state.kind === 'member' && kind !== 'email-change' ? state.viewer.email : null
  return data({ link, kind, member })
}

export async function action({ request, context }: ActionFunctionArgs) {
  const link = parseLink(await readForm(request))
  if (!link) return refuseAuth(context, null, { code: 'otp_expired', status: 400 })
  const kind = kindOf(link)
  const verified = await verifyLink(context, request, link)
  if (verified.kind === 'refused') {
    const isUsed = kind === 'email-change' && verified.error.code === 'otp_expired'
    return isUsed ? refusedChange(context, link) : refuseAuth(context, null, verified.error)
  }
  if (verified.kind === 'awaitingOtherAddress') {
    announce(context.cookies, 'email-other-address')
    throw redirectDocument(accountPath, 303)
  }
  throw kind === 'email-change'
    ? await completeEmailChange(context, verified)
    : completeEmailSignIn(context, kind, verified)
}

/** A change may need only one of its two links, so a refused link does not mean that it failed. */
async function refusedChange(context: AppLoadContext, link: MailedLink) {
  const isDone = await isChangeComplete(context, link)
  return data({ isDone }, isDone ? 200 : 400)
}

export default function Confirm() {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const { link, kind, member } = useLoaderData<typeof loader>()
  const response = useActionData<typeof action>()
  if (response && 'isDone' in response) return <RefusedChange isDone={response.isDone} />
  const { title, text, button } = words[kind ?? 'sign-up']
  return (
    <NarrowSheet
      title={link ? i18n._(title) : t`This link is incomplete`}
      before={<Toast key={response?.id} notice={response?.notice} />}
    >
      {link ? (
        <Form key={response?.id} method="post" className="mt-6 grid gap-4">
          {Object.entries(link).map(
            ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
          )}
          <p>{i18n._(text)}</p>
          {member && (
            <p className="text-muted wrap-anywhere">
              <Trans>
                You're signed in as {member}. If this link is for another account, we'll switch you to it.
              </Trans>
            </p>
          )}
          <SubmitButton>{i18n._(button)}</SubmitButton>
        </Form>
      ) : (
        <p className="mt-4">
          <Trans>
            Copy the full link from the email, or{' '}
            <a href="/auth/forgot" className="link">
              ask for a new one
            </a>
            .
          </Trans>
        </p>
      )}
      <p className="mt-6">
        <a href="/auth" className="link wrap-anywhere">
          {member ? t`Stay signed in as ${member}` : t`Sign in`}
        </a>
      </p>
    </NarrowSheet>
  )
}

function RefusedChange({ isDone }: { isDone: boolean }) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  return (
    <NarrowSheet title={i18n._(words['email-change'].title)}>
      <p className="mt-4" role={isDone ? 'status' : 'alert'}>
        {isDone
          ? t`Already done.`
          : t`This link is no longer valid. If you opened the other one, sign in to see whether the change is done.`}
      </p>
      <p className="mt-6">
        <a href={accountPath} className="link">
          {isDone ? t`Your account` : t`Sign in`}
        </a>
      </p>
    </NarrowSheet>
  )
}
