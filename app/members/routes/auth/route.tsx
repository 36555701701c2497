import { msg } from '@lingui/core/macro'
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import type { PageHandle } from '~/platform/rendering/handle'
import { languageOf } from '~/platform/rendering/seo'
import { safeRedirect } from '~/platform/server/redirect'
import { CredentialsForm } from './credentials-form'

export const handle: PageHandle = {
  hydrated: {
    title: (query) => (readMode(query) === 'sign-up' ? msg`Sign up` : msg`Sign in`),
    isIndexed: true,
  },
}

export const meta: MetaFunction = ({ matches }) => [
  {
    name: 'description',
    content: languageOf(matches).i18n._(msg`Sign in to keep your profile and list your fundraising pools.`),
  },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams
  const redirectTo = safeRedirect(query.get('redirectTo'), context.config.SITE_URL)
  // The form must open during an outage, so a visitor whose session cannot be verified may sign in again.
  const state = await context.viewer()
  if (state.kind === 'member') throw redirect(redirectTo, 303)
  const mode = readMode(query)
  const purpose = purposeOf(mode, redirectTo, context.config.FUNDME_OPEN)
  return {
    mode,
    carried: query.has('redirectTo') ? redirectTo : null,
    // Translated here, so that the script of this page stays small.
    purpose: purpose && context.language.i18n._(purpose),
  }
}

/** Why a visitor needs an account; null if the page gives no reason. */
function purposeOf(mode: 'sign-in' | 'sign-up', redirectTo: string, isOpen: boolean) {
  if (isOpen && redirectTo.startsWith('/dashboard/goals/'))
    return msg`You need an account to ask for money. You write your goal there, and read our answer.`
  if (isOpen && /^\/giveback\/[^/]+\/problem$/.test(redirectTo))
    return msg`Your report comes next. The author of the goal never learns who wrote it.`
  if (mode === 'sign-in') return null
  return isOpen
    ? msg`An account lists your own donations and your goals. You can read and give without one.`
    : msg`An account lists your own donations, and later your fundraisers. You can read and give without one.`
}

// The code of the form is loaded when it is sent, because a new isolate most often shows the page first.
export async function action(sent: ActionFunctionArgs) {
  return (await import('./action.server')).signIn(sent)
}

export default function Auth() {
  const { mode, carried, purpose } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  // Each mode has its own form, so that a refusal of one form is not shown in the other.
  return (
    <CredentialsForm
      key={mode}
      signUp={mode === 'sign-up'}
      carried={carried}
      purpose={purpose}
      refused={refused}
    />
  )
}

function readMode(query: URLSearchParams): 'sign-in' | 'sign-up' {
  return query.get('mode') === 'sign-up' ? 'sign-up' : 'sign-in'
}
