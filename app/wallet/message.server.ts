import type { CookieJar } from '../server/cookies.server'
import { brand } from '../site.ts'
import { checksumAddress } from './address.ts'

/** Why a message is refused: some of the faults of a wallet sign-in (faults.ts). */
type MessageFault = 'message' | 'signature' | 'replayed' | 'expired' | 'chain' | 'domain'

/** The site and the chain that a message is for. */
export interface Site {
  SITE_URL: string
  WALLET_CHAIN_ID: number
}

const nonceCookie = 'wallet'
/** How long a message is valid, in milliseconds. */
const lifetime = 5 * 60_000
/** How far the clocks of the site and of its database may differ, in milliseconds. */
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

/** The statement of a message that proves a wallet. It names the account, so that no other account can use it. */
export function proofStatement(memberId: string): string {
  return `Prove that this wallet belongs to the ${brand} account ${memberId}. This is free and doesn't move any money.`
}

/**
 * The EIP-4361 message for the wallet at `address`. `issuedAt` is in milliseconds. Not written with `viem/siwe`,
 * which is larger than this file; the tests read the message with that library.
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
 * True if `message` is one that this site writes to prove the wallet at `address` for the member, and it was valid at
 * `at` (milliseconds). The signature is verified elsewhere.
 */
export function isProofMessage(
  site: Site,
  message: string,
  { memberId, address, at }: { memberId: string; address: string; at: number },
): boolean {
  const { nonce = '', issuedAt = '' } = message.match(shape)?.groups ?? {}
  const issued = Date.parse(issuedAt)
  // The time is checked first: `writeMessage` throws for an invalid date, and if Date cannot hold the expiry.
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
 * Returns null if `message` is the one that this browser was given, has not expired and comes to this isolate for the
 * first time, otherwise the fault. In both cases the cookie with the nonce is deleted.
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
  // A nonce is stored only if the request has its cookie, so that messages alone cannot fill the map.
  if (fields.nonce !== nonce || !markUsed(nonce, now)) return 'replayed'
  const expected = writeMessage(site, fields.address ?? '', nonce, Number(issuedAt), statement)
  return message === expected ? null : 'message'
}

/**
 * The nonces that this isolate has accepted, oldest first, with their times in milliseconds: a client that sends the
 * deleted cookie again is refused. The rate limit keeps a client below the bound within the lifetime of a message.
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

/** The faults by the sentences of the auth service, which sends no codes for them. */
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
