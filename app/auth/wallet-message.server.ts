import type { CookieJar } from '../server/cookies.server'
import { brand } from '../site'
import { checksumAddress } from '../wallet-address'
import type { WalletFault } from './wallet-faults'

/** What a message is for: this site, on its chain. */
interface Site {
  SITE_URL: string
  WALLET_CHAIN_ID: number
}

const nonceCookie = 'wallet'
/** A message may be signed for this many milliseconds. */
const lifetime = 5 * 60_000

/** A message of EIP-4361, as we write it. */
const shape = new RegExp(
  [
    '^(?<domain>\\S+) wants you to sign in with your Ethereum account:',
    '(?<address>0x[0-9a-fA-F]{40})',
    '',
    '[^\\n]+',
    '',
    'URI: (?<uri>\\S+)',
    'Version: 1',
    'Chain ID: (?<chain>\\d+)',
    'Nonce: (?<nonce>[0-9a-zA-Z]{8,})',
    'Issued At: (?<issuedAt>\\S+)',
    'Expiration Time: (?<expiresAt>\\S+)$',
  ].join('\\n'),
)

/** The message that the wallet at `address` is to sign. `issuedAt` is in milliseconds. */
export function writeMessage(site: Site, address: string, nonce: string, issuedAt: number): string {
  return [
    `${new URL(site.SITE_URL).host} wants you to sign in with your Ethereum account:`,
    checksumAddress(address),
    '',
    `Sign in to ${brand}. This costs nothing and moves nothing.`,
    '',
    `URI: ${site.SITE_URL}`,
    'Version: 1',
    `Chain ID: ${site.WALLET_CHAIN_ID}`,
    `Nonce: ${nonce}`,
    `Issued At: ${new Date(issuedAt).toISOString()}`,
    `Expiration Time: ${new Date(issuedAt + lifetime).toISOString()}`,
  ].join('\n')
}

/** Writes a message for `address`, whose nonce this browser keeps until it comes back, or five minutes. */
export function issueMessage(site: Site, cookies: CookieJar, address: string, now: number): string {
  const nonce = crypto.randomUUID().replaceAll('-', '')
  cookies.set(nonceCookie, `${nonce}.${now}`, { maxAge: lifetime / 1000 })
  return writeMessage(site, address, nonce, now)
}

/**
 * What is wrong with a message that comes back signed, or null where it is the one this browser was given, for
 * the first time. Either way its nonce is spent.
 */
export function messageFault(
  site: Site,
  cookies: CookieJar,
  message: string,
  now: number,
): WalletFault | null {
  const [nonce = '', issuedAt = ''] = (cookies.get(nonceCookie) ?? '').split('.')
  cookies.expire(nonceCookie)
  const fields = message.match(shape)?.groups
  if (!fields) return 'message'
  if (fields.domain !== new URL(site.SITE_URL).host || fields.uri !== site.SITE_URL) return 'domain'
  if (Number(fields.chain) !== site.WALLET_CHAIN_ID) return 'chain'
  if (!(Date.parse(fields.expiresAt ?? '') > now)) return 'expired'
  const first = spend(fields.nonce ?? '', now)
  if (fields.nonce !== nonce || !first) return 'replayed'
  return message === writeMessage(site, fields.address ?? '', nonce, Number(issuedAt)) ? null : 'message'
}

/**
 * The nonces that came back to this isolate. The cookie alone makes a nonce single-use for an honest browser;
 * this does for one that sends it again.
 */
const spent = new Map<string, number>()

function spend(nonce: string, now: number): boolean {
  for (const [old, at] of spent) if (now - at > lifetime) spent.delete(old)
  if (spent.has(nonce)) return false
  spent.set(nonce, now)
  return true
}

/** What the auth service says of a message, by the words of its sentences: it has no codes for them. */
const refusals: [RegExp, WalletFault][] = [
  [/signature/i, 'signature'],
  [/already used/, 'replayed'],
  [/expired|too long ago/, 'expired'],
  [/Chain ID/, 'chain'],
  [/URI|Domain/, 'domain'],
]

/** Why the auth service refuses a message that was ours, or null where that was not the reason. */
export function refusalFault({ status, message }: { status?: number; message: string }): WalletFault | null {
  return (status === 400 && refusals.find(([words]) => words.test(message))?.[1]) || null
}
