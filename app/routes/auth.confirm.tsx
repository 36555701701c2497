import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirectDocument,
} from '@remix-run/cloudflare'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import * as z from 'zod'
import { errorNotice, errorStatus } from '~/auth/messages'
import { home } from '~/auth/redirect'
import { readForm } from '~/edge/form.server'
import { pageTitle } from '~/site'
import { hydrated } from '~/ui/hydration'
import { announce } from '~/ui/notice.server'
import { Toast } from '~/ui/toast'

const linkSchema = z.object({ token_hash: z.string().min(1).max(500), type: z.enum(['email', 'signup']) })

export const handle = hydrated

export const meta: MetaFunction = () => [
  { title: pageTitle('Confirm') },
  { name: 'robots', content: 'noindex' },
]

/** A GET spends nothing: mail scanners follow links. The page's one button does. */
export function loader({ request }: LoaderFunctionArgs) {
  const link = linkSchema.safeParse(Object.fromEntries(new URL(request.url).searchParams))
  return data({ link: link.data ?? null }, link.success ? 200 : 400)
}

export async function action({ request, context }: ActionFunctionArgs) {
  const link = linkSchema.safeParse(Object.fromEntries(await readForm(request)))
  if (!link.success) return data({ notice: errorNotice({ code: 'otp_expired' }) }, 400)
  const { error } = await context.auth().verifyOtp(link.data)
  if (error) {
    context.log.warn('auth.refused', {
      intent: 'confirm',
      code: error.code ?? error.name,
      status: error.status,
    })
    return data({ notice: errorNotice(error) }, errorStatus(error))
  }
  context.endFlows()
  announce(context.cookies, 'signed-up')
  throw redirectDocument(home, 303)
}

export default function Confirm() {
  const { link } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  return (
    <div className="column grid justify-items-center py-section">
      <Toast notice={refused?.notice} />
      <section className="sheet w-full max-w-md text-center">
        <h1 className="text-heading">{link ? 'Confirm your e-mail address' : 'This link is not complete'}</h1>
        {link ? (
          <Form method="post" className="mt-6 grid gap-4">
            <input type="hidden" name="token_hash" value={link.token_hash} />
            <input type="hidden" name="type" value={link.type} />
            <p>One click, and you are signed in.</p>
            <button type="submit" className="button button-gold">
              Confirm and sign in
            </button>
          </Form>
        ) : (
          <p className="mt-4">Please copy the whole link from the message, or sign up again for a new one.</p>
        )}
        <p className="mt-6">
          <a href="/auth" className="link">
            Sign in
          </a>
        </p>
      </section>
    </div>
  )
}
