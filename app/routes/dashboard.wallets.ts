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
import { addProvenWallet, revokeProvenWallet } from '~/auth/proven-wallets.server'
import { signedMessage, walletAddress } from '~/auth/signed-message.server'
import { requireViewer } from '~/auth/viewer.server'
import { staticPage } from '~/edge/error-page.server'
import { readForm } from '~/forms/form.server'
import type { Notice } from '~/forms/notice'
import { type RefusedWallet, walletNotice } from '~/wallet/faults'
import { issueMessage, messageFault, proofStatement } from '~/wallet/message.server'

const dashboard = '/dashboard'

/** The message that a wallet signs to prove that it is this member's, as JSON; 400 for an invalid wallet address. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const sentAddress = new URL(request.url).searchParams.get('address')
  if (sentAddress === null) throw redirect(dashboard, 303)
  const viewer = await guard(context)
  if (!viewer) return Response.json({}, { status: 503 })
  const { data: address } = walletAddress.safeParse(sentAddress)
  if (!address) return Response.json({}, { status: 400 })
  const { config, cookies } = context
  const message = issueMessage(config, cookies, address, Date.now(), proofStatement(viewer.id))
  return Response.json({ message })
}

/** Proves a wallet by a signed message, or revokes a proof. */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request)
  const viewer = await guard(context)
  if (form.get('intent') === 'revoke')
    return viewer
      ? revoke(context, viewer, form)
      : staticPage(
          503,
          "We can't check who you are",
          'Nothing changed. Please try again in a moment.',
          context.log.requestId,
        )
  return viewer ? prove(context, viewer, form) : refused(walletNotice('unsaved'), 503)
}

/** The member; null if the session cannot be verified, because a route without a component has no error page. */
async function guard(context: AppLoadContext): Promise<Viewer | null> {
  try {
    return await requireViewer(context, dashboard)
  } catch (thrown) {
    if (thrown instanceof Response || thrown instanceof Error) throw thrown
    return null
  }
}

async function revoke(context: AppLoadContext, viewer: Viewer, form: FormData) {
  const { data: address } = walletAddress.safeParse(form.get('address'))
  const revoked = address && (await revokeProvenWallet(accessOf(context, viewer), address))
  announce(context.cookies, revoked ? 'wallet-revoked' : 'wallet-not-revoked')
  return redirectDocument(dashboard, 303)
}

async function prove(context: AppLoadContext, viewer: Viewer, form: FormData) {
  const { config, cookies, log } = context
  const signed = signedMessage.safeParse(Object.fromEntries(form))
  if (!signed.success) return refused(walletNotice('message'), 400)
  const { message, signature } = signed.data
  const limited = await context.limit('wallet', viewer.id)
  if (limited) return refused(errorNotice(limited), 429)
  const fault = messageFault(config, cookies, message, Date.now(), proofStatement(viewer.id))
  if (fault) {
    log.info('wallet.refused', { fault })
    return refused(walletNotice(fault), 400)
  }
  const address = message.split('\n')[1] ?? ''
  const { isSignedBy } = await import('~/wallet/signature.server')
  if (!(await isSignedBy(address, message, signature))) return refused(walletNotice('signature'), 400)
  const failure = await addProvenWallet(accessOf(context, viewer), { address, message, signature })
  if (failure) return refused(walletNotice(failure), failure === 'many' ? 400 : 503)
  announce(cookies, 'wallet-proven')
  return redirectDocument(dashboard, 303)
}

function accessOf({ config, data }: AppLoadContext, { id }: Viewer) {
  return { site: config, data: data(), memberId: id }
}

function refused(notice: Notice, status: number): Response {
  return Response.json({ id: crypto.randomUUID(), notice } satisfies RefusedWallet, { status })
}
