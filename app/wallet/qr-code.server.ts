import { encode } from 'uqr'

/** A QR code as inline SVG: the modules on each side, and the path that fills the dark ones. */
export interface QrCode {
  size: number
  path: string
}

/**
 * The QR code of a bare wallet address, with a quiet zone of four modules (ISO/IEC 18004). The QR code never
 * contains a payment URI: a token's payment URI begins with the address of the token's contract, and a wallet
 * that reads only the first address would pay the contract.
 */
export function qrCodeOf(address: string): QrCode {
  const { data, size } = encode(address, { ecc: 'M', border: 4 })
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return { size, path }
}
