import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/cloudflare'
import { logAuthError } from '~/members/auth/error-log.server'
import { errorNotice, errorStatus } from '~/members/auth/messages'
import { parseSession } from '~/members/auth/session.server'
import { completeSignIn } from '~/members/auth/sign-in.server'
import { signedMessage, walletAddress } from '~/members/auth/signed-message.server'
import { readForm } from '~/platform/forms/form.server'
import type { Notice } from '~/platform/forms/notice'
import { safeRedirect } from '~/platform/server/redirect'
import { issueMessage, messageFault, refusalFault } from '~/wallet/message.server'
import { type RefusedWallet, walletNotice } from '~/wallet/wallet-faults'

/** The message that the wallet signs, as JSON; 400 for an invalid wallet address. */
export function loader({ request, context }: LoaderFunctionArgs) {
  const address = new URL(request.url).searchParams.get('address')
  if (address === null) throw redirect('/auth', 303)
  const { data: account } = walletAddress.safeParse(address)
  if (!account) return Response.json({}, { status: 400 })
  return Response.json({ message: issueMessage(context.config, context.cookies, account, Date.now()) })
}

/** Signs in with a signed message that this site wrote; the auth service verifies the signature. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { i18n } = context.language
  const form = signedMessage.safeParse(Object.fromEntries(await readForm(request)))
  if (!form.success) return refused(walletNotice('message', i18n), 400)
  const { message, signature } = form.data
  const claimed = walletAddress.safeParse(message.split('\n')[1])
  const limited = await context.limit('wallet', claimed.data)
  if (limited) return refused(errorNotice(limited, i18n), 429)
  const fault = messageFault(context.config, context.cookies, message, Date.now())
  if (fault) {
    context.log.info('wallet.refused', { fault })
    return refused(walletNotice(fault, i18n), 400)
  }

  const auth = await context.statelessAuth()
  const { data, error } = await auth.signInWithWeb3({ chain: 'ethereum', message, signature })
  const session = parseSession(data.session)
  if (session) {
    const to = new URL(request.url).searchParams.get('redirectTo')
    throw completeSignIn(context, session, {
      notice: 'wallet-signed-in',
      to: safeRedirect(to, context.config.SITE_URL),
    })
  }
  const failure = error ?? { name: 'NoSessionInAnswer', status: 200, message: '' }
  logAuthError(context.log, 'auth.refused', failure, { intent: 'wallet' })
  const refusal = error && refusalFault(error)
  return refusal
    ? refused(walletNotice(refusal, i18n), 400)
    : refused(errorNotice(failure, i18n), errorStatus(failure))
}

function refused(notice: Notice, status: number): Response {
  return Response.json({ id: crypto.randomUUID(), notice } satisfies RefusedWallet, { status })
}
