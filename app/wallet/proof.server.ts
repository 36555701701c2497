import { isProofMessage, type Site } from './message.server.ts'

/** The data that a member stored to prove a wallet. */
export interface Proof {
  address: string
  message: string
  signature: `0x${string}`
  provenAt: Date
}

/** True if the wallet signed this site's message for the member, valid when it was stored. */
export async function isValidProof(
  site: Site,
  memberId: string,
  { address, message, signature, provenAt }: Proof,
): Promise<boolean> {
  if (!isProofMessage(site, message, { memberId, address, at: provenAt.getTime() })) return false
  const { isSignedBy } = await import('./signature.server.ts')
  return isSignedBy(address, message, signature)
}
