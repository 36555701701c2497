import { parseSiweMessage } from 'viem/siwe'
import { expect, test } from 'vitest'
import { CookieJar } from '../platform/server/cookies.server.ts'
import {
  isProofMessage,
  issueMessage,
  messageFault,
  proofStatement,
  refusalFault,
  writeMessage,
} from './message.server.ts'

const site = { SITE_URL: 'https://goodblock.example:8443', WALLET_CHAIN_ID: 56 }
const address = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const now = Date.parse('2026-11-21T10:00:00Z')

function emptyJar(): CookieJar {
  return new CookieJar('', { secure: true })
}

test('the message follows EIP-4361, contains this origin and this chain, and expires after five minutes', () => {
  expect(parseSiweMessage(writeMessage(site, address.toLowerCase(), 'abcdef123456', now))).toEqual({
    domain: 'goodblock.example:8443',
    address,
    statement: "Sign in to Goodblock. This is free and doesn't move any money.",
    uri: 'https://goodblock.example:8443',
    version: '1',
    chainId: 56,
    nonce: 'abcdef123456',
    issuedAt: new Date(now),
    expirationTime: new Date(now + 300_000),
  })
})

test('a message is accepted only once, and only from the browser that received it', () => {
  const jar = emptyJar()
  const message = issueMessage(site, jar, address, now)
  const nonce = jar.get('wallet') as string
  expect(messageFault(site, jar, message, now + 1_000)).toBeNull()
  expect(jar.get('wallet')).toBeUndefined()
  expect(messageFault(site, jar, message, now + 2_000)).toBe('replayed')
  jar.set('wallet', nonce, { maxAge: 300 })
  expect(messageFault(site, jar, message, now + 2_000)).toBe('replayed')
  expect(messageFault(site, emptyJar(), issueMessage(site, emptyJar(), address, now), now)).toBe('replayed')
})

test('the nonce of a message that arrives without its cookie is not stored', () => {
  const jar = emptyJar()
  const message = issueMessage(site, jar, address, now)
  expect(messageFault(site, emptyJar(), message, now)).toBe('replayed')
  expect(messageFault(site, jar, message, now), 'the browser that was given it').toBeNull()
})

test.each([
  ['domain', (text: string) => text.replace('goodblock.example:8443 wants', 'goodblock.example wants')],
  ['domain', (text: string) => text.replace('URI: https://goodblock', 'URI: https://evil')],
  ['chain', (text: string) => text.replace('Chain ID: 56', 'Chain ID: 97')],
  ['message', (text: string) => text.replace('This is free', 'This costs 1 BNB')],
  ['message', (text: string) => text.replace('Version: 1', 'Version: 2')],
  ['message', (text: string) => `${text}\nResources:\n- https://evil.example`],
  ['message', (text: string) => text.replace(address, address.toLowerCase())],
  ['message', () => ''],
] as const)('an altered message is refused with the fault %s', (fault, change) => {
  const jar = emptyJar()
  expect(messageFault(site, jar, change(issueMessage(site, jar, address, now)), now)).toBe(fault)
  expect(jar.get('wallet')).toBeUndefined()
})

test('a message expires after five minutes, regardless of the time in the message', () => {
  const jar = emptyJar()
  const message = issueMessage(site, jar, address, now)
  expect(messageFault(site, jar, message, now + 300_000)).toBe('expired')
  const later = message.replace(/Time: .*/, 'Time: 2099-01-01T00:00:00.000Z')
  expect(messageFault(site, jar, later, now + 300_000)).toBe('replayed')
  const kept = emptyJar()
  const altered = issueMessage(site, kept, address, now).replace(/Time: .*/, 'Time: 2099-01-01T00:00:00.000Z')
  expect(messageFault(site, kept, altered, now + 300_000)).toBe('message')
})

test.each([
  [400, 'Signature does not match address in message', 'signature'],
  [400, 'signature must be 65 bytes long, encoded as a 130 character-long hexadecimal string', 'signature'],
  [400, 'Signed Ethereum message was already used', 'replayed'],
  [400, 'Signed Ethereum message is expired', 'expired'],
  [400, 'Ethereum message was issued too long ago', 'expired'],
  [400, 'Signed Ethereum message is using a Chain ID which is not allowed on this server', 'chain'],
  [400, 'Signed Ethereum message is using URI which does not use HTTPS', 'domain'],
  [400, 'Something of its own', null],
  [500, 'Signature', null],
])('the error %i %o of the service becomes %o', (status, message, fault) => {
  expect(refusalFault({ status, message })).toBe(fault)
})

const memberId = '6d5be4a8-3bb0-4a3e-9a5c-0d4b8c8f1f10'
const proof = writeMessage(site, address, 'abcdef123456', now, proofStatement(memberId))

test('a proof is valid if it was inserted within its five minutes, with a tolerance of one minute for clock differences', () => {
  const validAt = (at: number) => isProofMessage(site, proof, { memberId, address, at })
  expect([now - 60_000, now, now + 360_000].map(validAt)).toEqual([true, true, true])
  expect([now - 60_001, now + 360_001, Number.NaN].map(validAt)).toEqual([false, false, false])
})

const other = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
test.each([
  ['of another member', writeMessage(site, address, 'abcdef123456', now, proofStatement(other))],
  ['of a sign-in', writeMessage(site, address, 'abcdef123456', now)],
  ['for another wallet', proof.replace(address, other)],
  ['with an address in lower case', proof.replace(address, address.toLowerCase())],
  ['of another host', proof.replace('goodblock.example:8443 wants', 'evil.example wants')],
  ['with the URI of another site', proof.replace('URI: https://goodblock', 'URI: https://evil')],
  ['of another chain', proof.replace('Chain ID: 56', 'Chain ID: 97')],
  ['with a later expiry', proof.replace('10:05:00', '11:05:00')],
  ['with a line after it', `${proof}\nResources:\n- https://evil.example`],
  ['with a line before it', `Hello\n${proof}`],
  ['with another form of the time', proof.replace('10:00:00.000Z', '10:00:00Z')],
  [
    'with the last time that a Date can have',
    proof.replace('2026-11-21T10:00:00.000Z', '+275760-09-13T00:00:00.000Z'),
  ],
  ['without text', ''],
])('a message %s is not a proof', (_, message) => {
  expect(isProofMessage(site, message, { memberId, address, at: now })).toBe(false)
})
