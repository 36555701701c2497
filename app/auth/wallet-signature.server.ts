// A module of its own, loaded only where a member proves a wallet: the curve is 30 kB that no other request needs.
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
    // The signature is no point of the curve.
    return false
  }
}
