import { parseSiweMessage } from 'viem/siwe'
import { expect, test } from 'vitest'
import { CookieJar } from '../server/cookies.server.ts'
import { issueMessage, messageFault, refusalFault, writeMessage } from './wallet-message.server.ts'

const site = { SITE_URL: 'https://goodblock.example:8443', WALLET_CHAIN_ID: 56 }
const address = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const now = Date.parse('2026-11-21T10:00:00Z')

function emptyJar(): CookieJar {
  return new CookieJar(new Request('https://goodblock.example'), { secure: true })
}

test('the message is one of EIP-4361: this origin, this chain, five minutes', () => {
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

test('a message is taken once, from the browser it was given to', () => {
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

test('stores no nonce of a message that comes without its cookie', () => {
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
] as const)('a fault of its %s is found', (fault, change) => {
  const jar = emptyJar()
  expect(messageFault(site, jar, change(issueMessage(site, jar, address, now)), now)).toBe(fault)
  expect(jar.get('wallet')).toBeUndefined()
})

test('a message expires after five minutes, regardless of its own time', () => {
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
])('translates the error %i %o of the service to %o', (status, message, fault) => {
  expect(refusalFault({ status, message })).toBe(fault)
})
