import type { CookieJar } from '../platform/server/cookies.server'
import { brand } from '../platform/site.ts'
import { checksumAddress } from './address.ts'

/** Why a message is refused: a subset of the faults of a wallet sign-in (faults.ts). */
type MessageFault = 'message' | 'signature' | 'replayed' | 'expired' | 'chain' | 'domain'

/** The site and the chain for which a message is written. */
export interface Site {
  SITE_URL: string
  WALLET_CHAIN_ID: number
}

const nonceCookie = 'wallet'
/** The lifetime of a message, in milliseconds. */
const lifetime = 5 * 60_000
/** The maximum difference between the clocks of the site and of its database, in milliseconds. */
const clockDifference = 60_000

/** An EIP-4361 message in the form that `writeMessage` writes. */
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

const signInStatement = `Sign in to ${brand}. This is free and doesn't move any money.`

/** The statement that proves a wallet, with the account's id, so that no other account can use it. */
export function proofStatement(memberId: string): string {
  return `Prove that this wallet belongs to the ${brand} account ${memberId}. This is free and doesn't move any money.`
}

/**
 * The EIP-4361 message for the wallet at `address`. `issuedAt` is in milliseconds. This code does not use
 * `viem/siwe`, which is larger than this file; the tests read the message with that library.
 */
export function writeMessage(
  site: Site,
  address: string,
  nonce: string,
  issuedAt: number,
  statement = signInStatement,
): string {
  return [
    `${new URL(site.SITE_URL).host} wants you to sign in with your Ethereum account:`,
    checksumAddress(address),
    '',
    statement,
    '',
    `URI: ${site.SITE_URL}`,
    'Version: 1',
    `Chain ID: ${site.WALLET_CHAIN_ID}`,
    `Nonce: ${nonce}`,
    `Issued At: ${new Date(issuedAt).toISOString()}`,
    `Expiration Time: ${new Date(issuedAt + lifetime).toISOString()}`,
  ].join('\n')
}

/**
 * True if this site wrote `message` to prove the wallet at `address` for the member, and the message was
 * valid at `at` (milliseconds). `isValidProof` verifies the signature.
 */
export function isProofMessage(
  site: Site,
  message: string,
  { memberId, address, at }: { memberId: string; address: string; at: number },
): boolean {
  const { nonce = '', issuedAt = '' } = message.match(shape)?.groups ?? {}
  const issued = Date.parse(issuedAt)
  // Check the time first: `writeMessage` throws for an invalid date, and an expiry beyond Date.
  const wasValid = issued - clockDifference <= at && at <= issued + lifetime + clockDifference
  return wasValid && message === writeMessage(site, address, nonce, issued, proofStatement(memberId))
}

/** Writes a message for `address` and stores its nonce in a cookie, for five minutes. */
export function issueMessage(
  site: Site,
  cookies: CookieJar,
  address: string,
  now: number,
  statement?: string,
): string {
  const nonce = crypto.randomUUID().replaceAll('-', '')
  cookies.set(nonceCookie, `${nonce}.${now}`, { maxAge: lifetime / 1000 })
  return writeMessage(site, address, nonce, now, statement)
}

/**
 * Returns null if this browser received `message`, the message has not expired and this isolate has not
 * accepted it before; otherwise the fault. In both cases, deletes the cookie with the nonce.
 */
export function messageFault(
  site: Site,
  cookies: CookieJar,
  message: string,
  now: number,
  statement?: string,
): MessageFault | null {
  const [nonce = '', issuedAt = ''] = (cookies.get(nonceCookie) ?? '').split('.')
  cookies.expire(nonceCookie)
  const fields = message.match(shape)?.groups
  if (!fields) return 'message'
  if (fields.domain !== new URL(site.SITE_URL).host || fields.uri !== site.SITE_URL) return 'domain'
  if (Number(fields.chain) !== site.WALLET_CHAIN_ID) return 'chain'
  if (!(Date.parse(fields.expiresAt ?? '') > now)) return 'expired'
  // A nonce is stored only if the request has its cookie, so that others cannot fill the map.
  if (fields.nonce !== nonce || !markUsed(nonce, now)) return 'replayed'
  const expected = writeMessage(site, fields.address ?? '', nonce, Number(issuedAt), statement)
  return message === expected ? null : 'message'
}

/**
 * The nonces that this isolate has accepted, oldest first, with their times in milliseconds. A client that
 * sends the deleted cookie again is refused. Because of the rate limit, a client cannot fill the map within
 * the lifetime of a message.
 */
const used = new Map<string, number>()
const mostUsed = 10_000

function markUsed(nonce: string, now: number): boolean {
  for (const [old, at] of used) {
    if (now - at <= lifetime && used.size < mostUsed) break
    used.delete(old)
  }
  if (used.has(nonce)) return false
  used.set(nonce, now)
  return true
}

/** The faults, keyed by the messages of the auth service, which has no codes for these faults. */
const refusals: [RegExp, MessageFault][] = [
  [/signature/i, 'signature'],
  [/already used/, 'replayed'],
  [/expired|too long ago/, 'expired'],
  [/Chain ID/, 'chain'],
  [/URI|Domain/, 'domain'],
]

/** Why the auth service refused a message, or null if the message was not the reason. */
export function refusalFault({ status, message }: { status?: number; message: string }): MessageFault | null {
  return (status === 400 && refusals.find(([words]) => words.test(message))?.[1]) || null
}
