import {
  type ActionFunctionArgs,
  type AppLoadContext,
  type LoaderFunctionArgs,
  redirect,
  redirectDocument,
} from '@remix-run/cloudflare'
import type { Viewer } from '~/auth/identity.server'
import { errorNotice } from '~/auth/messages'
import { announce } from '~/auth/notices.server'
import { unlessOutage } from '~/auth/outage.server'
import { addProvenWallet, revokeProvenWallet } from '~/auth/proven-wallets.server'
import { signedMessage, walletAddress } from '~/auth/signed-message.server'
import { requireViewer } from '~/auth/viewer.server'
import { unverifiedPage } from '~/edge/error-page.server'
import { readForm } from '~/forms/form.server'
import type { Notice } from '~/forms/notice'
import { isGoalId } from '~/fundme/my-goals.server'
import { type RefusedWallet, walletNotice } from '~/wallet/faults'
import { issueMessage, messageFault, proofStatement } from '~/wallet/message.server'

const dashboard = '/dashboard'

/**
 * The message that a wallet signs to prove that the wallet belongs to this member, as JSON; 400 for an
 * invalid address.
 */
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

async function prepare(context: AppLoadContext, requestedAddress: string) {
  const viewer = await requireViewer(context, dashboard)
  const { data: address } = walletAddress.safeParse(requestedAddress)
  if (!address) return Response.json({}, { status: 400 })
  const { config, cookies } = context
  const message = issueMessage(config, cookies, address, Date.now(), proofStatement(viewer.id))
  return Response.json({ message })
}

async function revoke(context: AppLoadContext, form: FormData) {
  const viewer = await requireViewer(context, dashboard)
  const { data: address } = walletAddress.safeParse(form.get('address'))
  const revoked = address && (await revokeProvenWallet(accessOf(context, viewer), address))
  announce(context.cookies, revoked ? 'wallet-revoked' : 'wallet-not-revoked')
  return redirectDocument(dashboard, 303)
}

async function prove(request: Request, context: AppLoadContext, form: FormData) {
  const viewer = await requireViewer(context, dashboard)
  const { config, cookies, log } = context
  const signed = signedMessage.safeParse(Object.fromEntries(form))
  if (!signed.success) return refused(walletNotice('message', context.language.i18n), 400)
  const { message, signature } = signed.data
  const limited = await context.limit('wallet', viewer.id)
  if (limited) return refused(errorNotice(limited, context.language.i18n), 429)
  const fault = messageFault(config, cookies, message, Date.now(), proofStatement(viewer.id))
  if (fault) {
    log.info('wallet.refused', { fault })
    return refused(walletNotice(fault, context.language.i18n), 400)
  }
  const address = message.split('\n')[1] ?? ''
  const { isSignedBy } = await import('~/wallet/signature.server')
  if (!(await isSignedBy(address, message, signature)))
    return refused(walletNotice('signature', context.language.i18n), 400)
  const failure = await addProvenWallet(accessOf(context, viewer), { address, message, signature })
  if (failure) return refused(walletNotice(failure, context.language.i18n), failure === 'many' ? 400 : 503)
  announce(cookies, 'wallet-proven')
  return redirectDocument(pageAfter(request, context), 303)
}

/** The goal whose form sent the member here to prove a wallet, or else the dashboard. */
function pageAfter(request: Request, { config }: AppLoadContext): string {
  const from = request.headers.get('Referer') ?? ''
  const goal = URL.canParse(from) ? new URL(from).searchParams.get('goal') : null
  return config.FUNDME_OPEN && goal && isGoalId(goal) ? `/dashboard/goals/${goal}#wallet` : dashboard
}

function accessOf({ config, data }: AppLoadContext, { id }: Viewer) {
  return { site: config, data: data(), memberId: id }
}

function refused(notice: Notice, status: number): Response {
  return Response.json({ id: crypto.randomUUID(), notice } satisfies RefusedWallet, { status })
}
