import type { AppLoadContext } from '@remix-run/cloudflare'
import type { BackendError } from '../../platform/server/backend-error'
import { issueMessage, messageFault, proofStatement } from '../../wallet/message.server'
import type { WalletFault } from '../../wallet/wallet-faults'
import type { Viewer } from './identity.server'
import { addProvenWallet } from './proven-wallets.server'
import { signedMessage, walletAddress } from './signed-message.server'

/** A new message that the wallet signs to prove that it belongs to the member; null for an invalid address. */
export function issueProofMessage({ config, cookies }: AppLoadContext, viewer: Viewer, address: string) {
  const { data: valid } = walletAddress.safeParse(address)
  return valid ? issueMessage(config, cookies, valid, Date.now(), proofStatement(viewer.id)) : null
}

/** Why a proof was refused: a fault in the wallet or the message, or a rate limit. */
type Refusal = { fault: WalletFault; status: 400 | 503 } | { limited: BackendError; status: 429 }

/**
 * Verifies the signed message of a form and stores its wallet for the member. Returns the proven wallet, or
 * why the proof was refused. A message can be sent only once: if its signature is refused, a new message is
 * needed.
 */
export async function proveWallet(
  context: AppLoadContext,
  viewer: Viewer,
  form: FormData,
): Promise<{ address: string } | Refusal> {
  const { config, cookies, log } = context
  const signed = signedMessage.safeParse(Object.fromEntries(form))
  if (!signed.success) return { fault: 'message', status: 400 }
  const { message, signature } = signed.data
  const limited = await context.limit('wallet', viewer.id)
  if (limited) return { limited, status: 429 }
  const fault = messageFault(config, cookies, message, Date.now(), proofStatement(viewer.id))
  if (fault) {
    log.info('wallet.refused', { fault })
    return { fault, status: 400 }
  }
  const address = message.split('\n')[1] ?? ''
  const { isSignedBy } = await import('../../wallet/signature.server')
  if (!(await isSignedBy(address, message, signature))) return { fault: 'signature', status: 400 }
  const access = { site: config, data: context.data(), memberId: viewer.id }
  const failure = await addProvenWallet(access, { address, message, signature })
  if (failure) return { fault: failure, status: failure === 'many' ? 400 : 503 }
  return { address }
}
