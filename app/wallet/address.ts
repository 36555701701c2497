import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** A wallet address with the checksum of EIP-55, in less code than viem's `getAddress`. */
export function checksumAddress(address: string): string {
  const digits = address.slice(2).toLowerCase()
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)))
  const cased = [...digits].map((digit, at) =>
    Number.parseInt(hash[at] as string, 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join('')}`
}

/** Why an entered address is invalid: a sentence's key (platform/locales/key.ts); null if valid. */
export function walletFault(address: string): string | null {
  if (!/^0x.{40}$/.test(address)) return /* i18n */ 'Wallet address must start with 0x and have 42 characters'
  const isHex = /^0x[0-9a-fA-F]*$/.test(address)
  if (isHex && (address === address.toLowerCase() || address === checksumAddress(address))) return null
  return /* i18n */ 'This wallet address has a typo. Please copy it again'
}

/** ['55d3', '98f9', …]: a wallet address without '0x' in groups of four digits, which people can compare. */
export function groupsOfFour(address: string): string[] {
  return address.slice(2).match(/.{1,4}/g) ?? []
}
