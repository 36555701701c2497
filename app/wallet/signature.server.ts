// A separate module, which is loaded only to verify proven wallets, because the elliptic-curve code is 30 kB
// that no other request needs.
import { recoverMessageAddress } from 'viem'

/** True if the wallet at `address` signed `message` (EIP-191). */
export async function isSignedBy(
  address: string,
  message: string,
  signature: `0x${string}`,
): Promise<boolean> {
  try {
    return (await recoverMessageAddress({ message, signature })).toLowerCase() === address.toLowerCase()
  } catch {
    // The signature is not a point on the curve.
    return false
  }
}
