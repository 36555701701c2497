import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  redirect,
  redirectDocument,
} from '@remix-run/cloudflare'
import * as z from 'zod'
import { classifyAuthError, errorNotice, errorStatus } from '~/auth/messages'
import { safeRedirect } from '~/auth/redirect'
import { walletNotice } from '~/auth/wallet-faults'
import { issueMessage, messageFault, refusalFault } from '~/auth/wallet-message.server'
import { readForm } from '~/forms/form.server'
import type { Notice } from '~/forms/notice'
import { announce } from '~/forms/notice.server'

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
const signed = z.object({
  // Newlines arrive as the browser's encoding of forms has them; what was signed has plain ones.
  message: z
    .string()
    .max(2_000)
    .transform((text) => text.replaceAll('\r\n', '\n')),
  signature: z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{130}$/)]),
})

/** What the page is told of a refusal. */
export interface Refused {
  id: string
  notice: Notice
}

/** The message that a wallet is to sign. */
export function loader({ request, context }: LoaderFunctionArgs) {
  const asked = new URL(request.url).searchParams.get('address')
  if (asked === null) throw redirect('/auth', 303)
  const { data: account } = address.safeParse(asked)
  if (!account) return Response.json({}, { status: 400 })
  return Response.json({ message: issueMessage(context.config, context.cookies, account, Date.now()) })
}

/** Signs in whoever holds the key of the address: our own message came back, and the service knows the signature. */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = signed.safeParse(Object.fromEntries(await readForm(request)))
  if (!form.success) return refused(walletNotice('message'), 400)
  const { message, signature } = form.data
  const fault = messageFault(context.config, context.cookies, message, Date.now())
  if (fault) {
    context.log.info('wallet.refused', { fault })
    return refused(walletNotice(fault), 400)
  }

  // The second line names the account: `messageFault` has seen that the message is ours.
  const tooOften = await context.limit('wallet', message.split('\n')[1])
  if (tooOften) return refused(errorNotice(tooOften), 429)
  const { error } = await context.auth().signInWithWeb3({ chain: 'ethereum', message, signature })
  if (error) {
    context.log[classifyAuthError(error).level]('auth.refused', {
      intent: 'wallet',
      code: error.code ?? error.name,
      status: error.status,
    })
    const found = refusalFault(error)
    return found ? refused(walletNotice(found), 400) : refused(errorNotice(error), errorStatus(error))
  }
  context.endFlows()
  announce(context.cookies, 'wallet-signed-in')
  const { searchParams } = new URL(request.url)
  throw redirectDocument(safeRedirect(searchParams.get('redirectTo'), context.config.SITE_URL), 303)
}

/** An id of its own, so that a second refusal is a new one to the page. */
function refused(notice: Notice, status: number): Response {
  return Response.json({ id: crypto.randomUUID(), notice } satisfies Refused, { status })
}
