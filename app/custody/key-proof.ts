import { checksumAddress } from '../wallet/address.ts'

/** What a key signs. Addresses are in lower case. */
export interface KeyProof {
  /** The host of the site. */
  site: string
  chainId: number
  wallet: string
  /** The wallet itself, or an owner of the Safe. */
  signer: string
  /** The day in UTC, such as 2027-01-05. */
  date: string
  /** An entry of the log that is new on that day, with its leaf hash in hex: no one can sign the text before it. */
  entry: number
  leaf: string
}

/** The text that a key signs (public/ledger/format.md). Every program writes it again from its fields. */
export function writeKeyProof({ site, chainId, wallet, signer, date, entry, leaf }: KeyProof): string {
  return [
    'Proof of a key',
    '',
    `Site: ${site}`,
    `Chain: ${chainId}`,
    `Wallet: ${checksumAddress(wallet)}`,
    `Signer: ${checksumAddress(signer)}`,
    `Date: ${date}`,
    `Entry: ${entry} ${leaf}`,
    '',
    'I hold the key of this signer today. This is free and moves no money.',
  ].join('\n')
}

const shape =
  /\nSite: (?<site>\S{1,255})\nChain: (?<chain>\d{1,9})\nWallet: (?<wallet>0x[0-9a-fA-F]{40})\nSigner: (?<signer>0x[0-9a-fA-F]{40})\nDate: (?<date>20\d\d-\d\d-\d\d)\nEntry: (?<entry>\d{1,15}) (?<leaf>[0-9a-f]{64})\n/

/** Reads the fields from a text. Null for every text that `writeKeyProof` does not write. */
export function readKeyProof(text: string): KeyProof | null {
  const { site, chain, wallet, signer, date, entry, leaf } = shape.exec(text)?.groups ?? {}
  if (!site || !wallet || !signer || !date || !leaf || Number.isNaN(Date.parse(date))) return null
  const addresses = { wallet: wallet.toLowerCase(), signer: signer.toLowerCase() }
  const proof = { site, chainId: Number(chain), ...addresses, date, entry: Number(entry), leaf }
  return writeKeyProof(proof) === text ? proof : null
}
