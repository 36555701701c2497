import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/cloudflare'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { askForMail, parseAddress } from '~/auth/mail.server'
import { AddressForm, mailboxPath } from '~/auth/mail-forms'
import { errorNotice, errorStatus } from '~/auth/messages'
import { accountPath } from '~/auth/redirect'
import { keepWaiting } from '~/auth/waiting.server'
import { readForm } from '~/edge/form.server'
import { pageTitle } from '~/site'
import { hydrated } from '~/ui/hydration'
import { refusal, refuse } from '~/ui/refusal.server'

export const handle = hydrated

export const meta: MetaFunction = () => [
  { title: pageTitle('Forgot your password?') },
  { name: 'robots', content: 'noindex' },
]

/** Members come here too, from their account page. */
export async function loader({ context }: LoaderFunctionArgs) {
  const state = await context.viewer()
  return { email: state.kind === 'member' ? state.viewer.email || null : null }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const submission = parseAddress(await readForm(request))
  if (submission.status !== 'success') return data({ ...refuse(submission, ['email']), status: 400 }, 400)
  const { email } = submission.value
  const error = await askForMail(context, 'recovery', email)
  if (error) {
    const status = errorStatus(error)
    return data({ ...refusal(submission.reply(), errorNotice(error)), status }, status)
  }
  keepWaiting(context.cookies, { email, purpose: 'recovery', redirectTo: null })
  throw redirect(mailboxPath, 303)
}

export default function Forgot() {
  const { email } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  return (
    <AddressForm
      title="Forgot your password?"
      lead="We send you a link and a code. Either leads you to a new password."
      action="/auth/forgot"
      email={email}
      refused={refused}
    >
      <Link to={email ? accountPath : '/auth'} className="link">
        {email ? 'Back to your account' : 'Back to signing in'}
      </Link>
    </AddressForm>
  )
}
