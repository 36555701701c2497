import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
  redirectDocument,
} from '@remix-run/cloudflare'
import { Form, Link, useActionData, useLoaderData, useNavigation } from '@remix-run/react'
import { parseCredentials } from '~/auth/credentials.server'
import { errorNotice, errorStatus, generalSentence } from '~/auth/messages'
import { safeRedirect } from '~/auth/redirect'
import { readForm } from '~/edge/form.server'
import { pageTitle } from '~/site'
import { Field } from '~/ui/field'
import { hydrated } from '~/ui/hydration'
import { announce } from '~/ui/notice.server'
import { refuse } from '~/ui/refusal.server'
import { Toast } from '~/ui/toast'

export const handle = hydrated

export const meta: MetaFunction = () => [
  { title: pageTitle('Sign in') },
  { name: 'description', content: 'Sign in to keep your profile and list your fundraising pools.' },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams
  const redirectTo = safeRedirect(query.get('redirectTo'), context.config.SITE_URL)
  // A session that can't be checked may sign in again: the form must stand when the backend does not.
  const state = await context.viewer()
  if (state.kind === 'member') throw redirect(redirectTo, 303)
  return { mode: readMode(query), carried: query.has('redirectTo') ? redirectTo : null }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const submission = parseCredentials(await readForm(request))
  if (submission.status !== 'success')
    return data(refuse(submission, ['email', 'password', 'username', 'intent'], ['password']), 400)

  const { config, cookies, log } = context
  const { value } = submission
  const auth = context.auth()
  const { data: answer, error } =
    value.intent === 'sign-in'
      ? await auth.signInWithPassword({ email: value.email, password: value.password })
      : await auth.signUp({
          email: value.email,
          password: value.password,
          options: { emailRedirectTo: `${config.SITE_URL}/dashboard`, data: { username: value.username } },
        })
  if (error) {
    log.warn('auth.refused', { intent: value.intent, code: error.code ?? error.name, status: error.status })
    const notice = errorNotice(error)
    const status = errorStatus(error)
    const lastResult = submission.reply({ hideFields: ['password'] })
    return data({ lastResult, notice, away: status >= 500 && notice.text === generalSentence }, status)
  }
  // The project asks for the e-mail to be confirmed first. The page says the same to everyone.
  if (!answer.session) throw redirect('/auth?mode=mailbox', 303)
  context.endFlows()
  announce(cookies, value.intent === 'sign-in' ? 'signed-in' : 'signed-up')
  const redirectTo = new URL(request.url).searchParams.get('redirectTo')
  throw redirectDocument(safeRedirect(redirectTo, config.SITE_URL), 303)
}

export default function Auth() {
  const { mode, carried } = useLoaderData<typeof loader>()
  if (mode === 'mailbox') return <CheckMailbox />
  // A new form for each mode: what was refused in one says nothing about the other.
  return <CredentialsForm key={mode} signUp={mode === 'sign-up'} carried={carried} />
}

function CredentialsForm({ signUp, carried }: { signUp: boolean; carried: string | null }) {
  const refused = useActionData<typeof action>()
  const pending = useNavigation().state !== 'idle'
  const typed = refused?.lastResult.initialValue as { email?: string; username?: string } | undefined
  const errors = refused?.lastResult.error as Record<string, string[]> | undefined
  const address = (mode: string) => `/auth${query({ mode, redirectTo: carried })}`
  const label = signUp ? 'Sign Up' : 'Sign In'
  return (
    <div className="column grid justify-items-center py-section">
      <Toast notice={refused?.notice} />
      <section className="sheet w-full max-w-md" aria-labelledby="auth-title">
        <h1 id="auth-title" className="text-heading">
          {label}
        </h1>
        {refused && 'away' in refused && refused.away && (
          <p className="mt-3 text-bad">
            The sign-in service does not answer as it should. What you typed is kept: please try again in a moment.
          </p>
        )}
        <Form method="post" action={address(signUp ? 'sign-up' : '')} noValidate className="mt-6 grid gap-5">
          <input type="hidden" name="intent" value={signUp ? 'sign-up' : 'sign-in'} />
          {signUp && (
            <Field
              label="Username"
              name="username"
              autoComplete="username"
              required
              defaultValue={typed?.username}
              error={errors?.username?.[0]}
            />
          )}
          <Field
            label="Email"
            name="email"
            type="email"
            autoComplete="email"
            required
            defaultValue={typed?.email}
            error={errors?.email?.[0]}
          />
          <Field
            label="Password"
            name="password"
            type="password"
            autoComplete={signUp ? 'new-password' : 'current-password'}
            required
            error={errors?.password?.[0]}
          />
          <button type="submit" className="button button-gold" disabled={pending}>
            {pending ? 'Loading...' : label}
          </button>
        </Form>
        <p className="mt-6 text-center">
          <Link to={address(signUp ? '' : 'sign-up')} className="link" reloadDocument={false}>
            {signUp ? 'Already have an account? Sign in' : "Don't have an account? Sign up"}
          </Link>
        </p>
      </section>
    </div>
  )
}

function CheckMailbox() {
  return (
    <div className="column grid justify-items-center py-section">
      <section className="sheet w-full max-w-md text-center">
        <h1 className="text-heading">Check your mailbox</h1>
        <p className="mt-4">
          We have sent you a link. Open it to confirm your e-mail address; it leads to your dashboard. If nothing
          arrives within a few minutes, look into the spam folder.
        </p>
        <p className="mt-6">
          <Link to="/auth" className="link">
            Already have an account? Sign in
          </Link>
        </p>
      </section>
    </div>
  )
}

function readMode(query: URLSearchParams): 'sign-in' | 'sign-up' | 'mailbox' {
  const mode = query.get('mode')
  return mode === 'sign-up' || mode === 'mailbox' ? mode : 'sign-in'
}

function query(parameters: Record<string, string | null>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length ? `?${new URLSearchParams(given)}` : ''
}
