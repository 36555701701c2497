import { parseWithZod } from '@conform-to/zod/v4'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import * as z from 'zod/mini'
import { goalOfProof, pageAfterProof } from '~/goals/after-proof.server'
import { errorNotice } from '~/members/auth/messages'
import { FormErrorPage } from '~/members/auth/send-again'
import { requireAuthor } from '~/members/auth/send-again.server'
import { signedMessage } from '~/members/auth/signed-message.server'
import { requireViewer } from '~/members/auth/viewer.server'
import { issueProofMessage, proveWallet } from '~/members/auth/wallet-proof.server'
import { readForm } from '~/platform/forms/form.server'
import { refuse } from '~/platform/forms/refusal.server'
import type { I18n } from '~/platform/locales/i18n'
import { privateMeta } from '~/platform/rendering/seo'
import { proveByHandPath as path } from '~/platform/server/redirect'
import { PageHead } from '~/platform/ui/page-head'
import { Sheet } from '~/platform/ui/section'
import { ContractWallets } from '~/wallet/contract-wallets'
import { AddressField, SigningFields } from '~/wallet/signing-fields'
import { walletNotice } from '~/wallet/wallet-faults'

export const meta: MetaFunction = privateMeta(msg`Prove a wallet by hand`)

/** The message to sign for the wallet at `address`. `goal`: the goal that needs the wallet, or an empty string. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { search, searchParams } = new URL(request.url)
  const viewer = await requireViewer(context, path + search)
  const address = searchParams.get('address')?.trim() ?? null
  const message = address === null ? null : issueProofMessage(context, viewer, address)
  const isWrong = address !== null && !message
  const goal = goalOfProof(context, searchParams.get('goal'))
  return data({ member: viewer.id, goal, address, message }, isWrong ? 400 : 200)
}

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request)
  const { i18n } = context.language
  const submission = parseWithZod(form, { schema: proof(i18n) })
  const { payload } = submission
  const goal = goalOfProof(context, textOf(payload.goal))
  const viewer = await requireAuthor(context, goal ? `${path}?goal=${goal}` : path, form)
  const address = textOf(payload.address)
  // Keeps the message and the signature: nothing was verified, so the member can still send them.
  const kept = { goal, address, message: textOf(payload.message) }
  if (submission.status !== 'success') return refuse(context, submission, {}, kept)
  form.set('signature', submission.value.signature)
  const proven = await proveWallet(context, viewer, form)
  if ('address' in proven) return redirect(pageAfterProof(context, goal, proven.address), 303)
  const { status } = proven
  const field = 'signature'
  if ('limited' in proven)
    return refuse(
      context,
      submission,
      { message: errorNotice(proven.limited, i18n).text, field, status },
      kept,
    )
  const message = walletNotice(proven.fault, i18n).text
  const next = { goal, address, message: issueProofMessage(context, viewer, address) }
  return refuse(context, submission, { message, field, status, hide: ['message', 'signature'] }, next)
}

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '')

/** The signature of the message; `proveWallet` verifies both. */
function proof(i18n: I18n) {
  const noSignature = i18n._(msg`A signature starts with 0x and has 132 characters.`)
  const isSignature = (typed: string) => signedMessage.shape.signature.safeParse(typed).success
  return z.object({
    signature: z.string(noSignature).check(z.trim()).check(z.refine(isSignature, noSignature)),
  })
}

export default function ProveByHand() {
  const { t } = useLingui()
  const loaded = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  const refused = answer && 'errors' in answer ? answer : undefined
  const { goal, address, message } = refused ?? loaded
  const isWrong = address !== null && !message
  return (
    <div className="column grid gap-8 py-section">
      <PageHead
        back={
          goal
            ? { to: `/dashboard/goals/${goal}#wallet`, label: t`Back to your goal` }
            : { to: '/dashboard#wallets', label: t`Dashboard` }
        }
        title={t`Prove a wallet by hand`}
      >
        <p className="mt-3 max-w-[65ch] text-muted">
          <Trans>
            For a browser without a wallet, or without JavaScript. Your wallet app must be able to sign a
            message.
          </Trans>
        </p>
        <ContractWallets />
      </PageHead>
      <Sheet heading="address-title" title={t`1. The address of your wallet`} className="max-w-2xl">
        <form method="get" action={path} noValidate className="mt-3 grid gap-4">
          {goal && <input type="hidden" name="goal" value={goal} />}
          <AddressField address={address} isWrong={isWrong} />
          <p>
            <button type="submit" className={message ? 'button' : 'button button-ink'}>
              <Trans>Show the message</Trans>
            </button>
          </p>
        </form>
      </Sheet>
      {message && (
        <Sheet heading="sign-title" title={t`2. Sign the message`} className="max-w-2xl">
          <form method="post" action={path} noValidate className="mt-3 grid gap-4">
            <input type="hidden" name="member" value={loaded.member} />
            <input type="hidden" name="goal" value={goal} />
            <input type="hidden" name="address" value={address ?? ''} />
            <SigningFields
              name="message"
              text={message}
              label={t`Message`}
              hint={t`Copy all of it into your wallet app, and sign it there within five minutes. This is free and doesn't move any money.`}
              refused={refused}
            />
            <p>
              <button type="submit" className="button button-ink">
                <Trans>Add the wallet</Trans>
              </button>
            </p>
          </form>
        </Sheet>
      )}
    </div>
  )
}

export const ErrorBoundary = FormErrorPage
