// A separate module, which is loaded only to verify proven wallets and ballots, because the elliptic-curve code is 30 kB
// that no other request needs.
import { recoverMessageAddress } from 'viem'

/** The address of the wallet that signed `message` (EIP-191), in lower case; null for a signature of no wallet. */
export async function signerOf(message: string, signature: `0x${string}`): Promise<string | null> {
  try {
    return (await recoverMessageAddress({ message, signature })).toLowerCase()
  } catch {
    // The signature is not a point on the curve.
    return null
  }
}

/** True if the wallet at `address` signed `message` (EIP-191). */
export async function isSignedBy(
  address: string,
  message: string,
  signature: `0x${string}`,
): Promise<boolean> {
  return (await signerOf(message, signature)) === address.toLowerCase()
}
