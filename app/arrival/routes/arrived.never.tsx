import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ActionFunctionArgs, data, type HeadersFunction, type MetaFunction } from '@remix-run/cloudflare'
import { useActionData } from '@remix-run/react'
import * as z from 'zod/mini'
import { readToken } from '~/arrival/token'
import { privateMeta } from '~/platform/rendering/seo'
import { NarrowSheet } from '~/platform/ui/narrow-sheet'

export const meta: MetaFunction = privateMeta(msg`Never ask me again`)
export const headers: HeadersFunction = () => ({ 'Referrer-Policy': 'same-origin' })

/** Also the target of List-Unsubscribe-Post (RFC 8058), which a mail client sends without cookies. */
export async function action({ request, context }: ActionFunctionArgs) {
  const answer = z.enum(['stopped', 'unknown'])
  const state = await context.publicData().call('never_ask', answer, { token: readToken(request) })
  return data({ state }, state === null ? 503 : state === 'unknown' ? 410 : 200)
}

export default function NeverAsk() {
  const { t } = useLingui()
  const state = useActionData<typeof action>()?.state
  return (
    <NarrowSheet title={t`Never ask me again`}>
      <p className="mt-4" role={state === undefined ? undefined : state ? 'status' : 'alert'}>
        {state === 'stopped' ? (
          <Trans>
            Done. We deleted your address, and keep only a hash of it, so that we never ask it again.
          </Trans>
        ) : state === 'unknown' ? (
          <Trans>This link is not valid.</Trans>
        ) : state === null ? (
          <Trans>We can't do this right now. Please press the button again in a moment.</Trans>
        ) : (
          <Trans>Press the button to get no more emails that ask whether a payment arrived.</Trans>
        )}
      </p>
      {!state && (
        <form method="post" className="mt-6">
          <button type="submit" className="button">
            <Trans comment="A button: to get no more emails">Stop</Trans>
          </button>
        </form>
      )}
    </NarrowSheet>
  )
}
