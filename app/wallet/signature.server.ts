// Loaded only to verify what wallets signed: 30 kB of elliptic curves that no other request needs.
import { recoverMessageAddress } from 'viem'

/** Half of the order of the curve secp256k1, rounded down. */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/**
 * The one spelling of a signature: lower case, and the last byte 1b or 1c. Null unless it has 65 bytes, its s is in the
 * lower half (otherwise everyone could write a second signature of the same text), and its last byte is 0, 1, 27 or 28.
 */
export function plainSignature(signature: string): `0x${string}` | null {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return null
  const [s, v] = [BigInt(`0x${signature.slice(66, 130)}`), Number(`0x${signature.slice(130)}`)]
  const recovery = v >= 27 ? v - 27 : v
  if (s === 0n || s > halfOrder || recovery > 1) return null
  return `0x${signature.slice(2, 130).toLowerCase()}${(27 + recovery).toString(16)}`
}

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
