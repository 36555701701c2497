import {
  type ActionFunctionArgs,
  type AppLoadContext,
  type LoaderFunctionArgs,
  redirect,
  redirectDocument,
} from '@remix-run/cloudflare'
import { pageAfterProof } from '~/goals/after-proof.server'
import { announce } from '~/members/auth/auth-notices.server'
import { errorNotice } from '~/members/auth/messages'
import { revokeProvenWallet } from '~/members/auth/proven-wallets.server'
import { walletAddress } from '~/members/auth/signed-message.server'
import { requireViewer } from '~/members/auth/viewer.server'
import { issueProofMessage, proveWallet } from '~/members/auth/wallet-proof.server'
import { unverifiedPage } from '~/platform/edge/error-page.server'
import { readForm } from '~/platform/forms/form.server'
import type { Notice } from '~/platform/forms/notice'
import { unlessOutage } from '~/platform/server/outage.server'
import { type RefusedWallet, walletNotice } from '~/wallet/wallet-faults'

const dashboard = '/dashboard'

/** The message, as JSON, that a wallet signs to prove that it belongs to this member. 400 for an invalid address. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const address = new URL(request.url).searchParams.get('address')
  if (address === null) throw redirect(dashboard, 303)
  return unlessOutage(
    () => prepare(context, address),
    () => Response.json({}, { status: 503 }),
  )
}

/** Proves a wallet with a signed message, or revokes a proof. */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request)
  return form.get('intent') === 'revoke'
    ? unlessOutage(
        () => revoke(context, form),
        () => unverifiedPage(context),
      )
    : unlessOutage(
        () => prove(request, context, form),
        () => refused(walletNotice('unsaved', context.language.i18n), 503),
      )
}

async function prepare(context: AppLoadContext, address: string) {
  const message = issueProofMessage(context, await requireViewer(context, dashboard), address)
  return message ? Response.json({ message }) : Response.json({}, { status: 400 })
}

async function revoke(context: AppLoadContext, form: FormData) {
  const viewer = await requireViewer(context, dashboard)
  const { data: address } = walletAddress.safeParse(form.get('address'))
  const access = { site: context.config, data: context.data(), memberId: viewer.id }
  const revoked = address && (await revokeProvenWallet(access, address))
  announce(context.cookies, revoked ? 'wallet-revoked' : 'wallet-not-revoked')
  return redirectDocument(dashboard, 303)
}

async function prove(request: Request, context: AppLoadContext, form: FormData) {
  const viewer = await requireViewer(context, dashboard)
  const { i18n } = context.language
  const proof = await proveWallet(context, viewer, form)
  if ('fault' in proof) return refused(walletNotice(proof.fault, i18n), proof.status)
  if ('limited' in proof) return refused(errorNotice(proof.limited, i18n), proof.status)
  return redirectDocument(pageAfterProof(context, goalOf(request), proof.address), 303)
}

/** The goal whose form sent the member to the page on which the wallet was proven; null if no form did. */
function goalOf(request: Request): string | null {
  const from = request.headers.get('Referer') ?? ''
  return URL.canParse(from) ? new URL(from).searchParams.get('goal') : null
}

function refused(notice: Notice, status: number): Response {
  return Response.json({ id: crypto.randomUUID(), notice } satisfies RefusedWallet, { status })
}
