import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage, generateSiweNonce } from 'viem/siwe'
import { afterAll, expect, test } from 'vitest'
import type { EmbeddedBackend } from '../../supabase/embedded/embedded.ts'
import { clientOf, siteUrl, startTemporary } from '../support/temporary-backend.ts'

type Fields = Parameters<typeof createSiweMessage>[0]

const backend = await startTemporary()
afterAll(() => backend.close())

const newWallet = () => privateKeyToAccount(generatePrivateKey())
const wallet = newWallet()
const minutes = (count: number) => new Date(Date.now() + count * 60_000)

/** The site's message, with `changes` applied. */
function messageOf(changes: Partial<Fields> = {}, account = wallet): string {
  return createSiweMessage({
    address: account.address,
    domain: '127.0.0.1:8787',
    uri: `${siteUrl}/auth`,
    version: '1',
    chainId: 56,
    nonce: generateSiweNonce(),
    statement: 'Sign in to Goodblock.',
    ...changes,
  })
}

async function signIn(message: string, on: EmbeddedBackend = backend, signer = wallet) {
  const client = clientOf(on)
  const signature = await signer.signMessage({ message })
  const { data, error } = await client.auth.signInWithWeb3({ chain: 'ethereum', message, signature })
  return { client, user: data.user, error }
}

const users = () => backend.sql(`select id from auth.users where raw_app_meta_data ->> 'provider' = 'web3'`)

test('a member signs up with a wallet and signs in again, and the profile marks the wallet as proven', async () => {
  const account = newWallet()
  const address = account.address.toLowerCase()
  const first = await signIn(messageOf({}, account), backend, account)
  expect(first.error).toBeNull()
  expect(first.user).toMatchObject({
    email: '',
    app_metadata: { provider: 'web3', providers: ['web3'] },
    identities: [
      {
        provider: 'web3',
        id: `web3:ethereum:${account.address}`,
        identity_data: {
          sub: `web3:ethereum:${account.address}`,
          custom_claims: {
            address: account.address,
            chain: 'ethereum',
            network: '56',
            domain: '127.0.0.1:8787',
            statement: 'Sign in to Goodblock.',
          },
        },
      },
    ],
  })
  const { data } = await first.client.auth.getClaims()
  expect(data?.claims).toMatchObject({ aal: 'aal1', amr: [{ method: 'web3' }], role: 'authenticated' })
  const profile = await first.client
    .from('profiles')
    .select('username, wallet_address, proven_wallet_address')
  expect(profile.data).toEqual([{ username: '', wallet_address: null, proven_wallet_address: address }])

  // This message names the chain id of the testnet.
  const second = await signIn(messageOf({ chainId: 97 }, account), backend, account)
  expect(second.user?.id).toBe(first.user?.id)
  expect(second.user?.identities).toHaveLength(1)
  expect((await second.client.auth.refreshSession()).error).toBeNull()
  expect((await second.client.auth.getClaims()).data?.claims.amr).toMatchObject([{ method: 'web3' }])
})

test('a message is accepted again while it is valid, as in the hosted service', async () => {
  const message = messageOf({ chainId: 1 })
  const first = await signIn(message)
  expect(first.error).toBeNull()
  expect((await signIn(message)).user?.id).toBe(first.user?.id)
})

test('wallet addresses that differ only in case are different accounts, as in the hosted service', async () => {
  const account = newWallet()
  const first = await signIn(messageOf({}, account), backend, account)
  const lower = messageOf({}, account).replace(account.address, account.address.toLowerCase())
  const second = await signIn(lower, backend, account)
  expect(second.error).toBeNull()
  expect(second.user?.id).not.toBe(first.user?.id)
})

test('if the site is served over HTTPS, the message must contain the domain of the site', async () => {
  const own = await startTemporary({ siteUrl: 'https://goodblock.example' })
  try {
    const fields = { uri: 'https://goodblock.example', domain: 'goodblock.example' }
    expect((await signIn(messageOf(fields), own)).error).toBeNull()
    for (const domain of ['evil.example', 'goodblock.example:8443'])
      expect((await signIn(messageOf({ ...fields, domain }), own)).error).toMatchObject({
        status: 400,
        message:
          'Signed Ethereum message is using a Domain that does not match the one in URI which is not allowed on this server',
      })
  } finally {
    await own.close()
  }
})

const elsewhere =
  'Signed Ethereum message is using URI which is not allowed on this server, message was signed for another app'
const refusedMessages: [string, Partial<Fields>, string][] = [
  ['for another site', { domain: 'evil.example', uri: 'https://evil.example/auth' }, elsewhere],
  ['for another site whose URL begins like ours', { uri: `${siteUrl}@evil.example/` }, elsewhere],
  [
    'that has expired',
    { issuedAt: minutes(-5), notBefore: minutes(-5), expirationTime: minutes(-1) },
    'Signed Ethereum message is expired',
  ],
  ['that is not valid yet', { notBefore: minutes(1) }, 'Signed Ethereum message becomes valid in the future'],
  ['that was issued too long ago', { issuedAt: minutes(-11) }, 'Ethereum message was issued too long ago'],
  [
    'that was issued in the future',
    { issuedAt: minutes(11) },
    'Ethereum message was issued too far in the future',
  ],
]

test.each(refusedMessages)('refuses a message %s', async (_, changes, message) => {
  const before = await users()
  const account = newWallet()
  const { error } = await signIn(messageOf(changes, account), backend, account)
  expect(error).toMatchObject({ name: 'AuthApiError', status: 400, code: undefined, message })
  expect(await users()).toEqual(before)
})

test('refuses an invalid signature, and a signature by a different wallet or for a different message', async () => {
  const message = messageOf()
  const client = clientOf(backend)
  const signatures = [
    await newWallet().signMessage({ message }),
    await wallet.signMessage({ message: messageOf() }),
    `0x${'00'.repeat(65)}` as const,
    `0x${'ff'.repeat(65)}` as const,
  ]
  for (const signature of signatures) {
    const { error } = await client.auth.signInWithWeb3({ chain: 'ethereum', message, signature })
    expect(error).toMatchObject({ status: 400, message: 'Signature does not match address in message' })
  }
})

const malformedMessages: [string, string, string][] = [
  ['that is too short', 'sign in', 'message is too short'],
  ['that is too long', 'm'.repeat(20_481), 'message must not exceed 20KB'],
  [
    'with another first line',
    messageOf().replace('wants you to', 'asks you to'),
    'siwe: message first line does not end in " wants you to sign in with your Ethereum account:"',
  ],
  [
    'without a valid address',
    messageOf().replace(/0x\w+/, 'alice.eth'),
    'siwe: wallet address is not a valid Ethereum address',
  ],
  [
    'without a valid chain',
    messageOf().replace(/^Chain ID: .*$/m, 'Chain ID: none'),
    'siwe: Chain ID is not valid',
  ],
  [
    'with another version',
    messageOf().replace('Version: 1', 'Version: 2'),
    'siwe: Version value is not supported, expected 1 got "2"',
  ],
  [
    'without a valid time',
    messageOf().replace(/^Issued At: .*$/m, 'Issued At: yesterday'),
    'siwe: Issued At is not a valid ISO8601 timestamp',
  ],
]

test.each(malformedMessages)('refuses a message %s as malformed', async (_, message, words) => {
  expect((await signIn(message)).error).toMatchObject({
    status: 400,
    code: 'validation_failed',
    message: words,
  })
})

test('refuses a chain other than Ethereum, and text that is not a signature', async () => {
  const ask = async (body: Record<string, unknown>) => {
    const answer = await fetch(`${backend.url}/auth/v1/token?grant_type=web3`, {
      method: 'POST',
      headers: { apikey: backend.publishableKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: answer.status, ...((await answer.json()) as object) }
  }
  const message = messageOf()
  expect(await ask({ chain: 'solana', message, signature: 'none' })).toEqual({
    status: 400,
    code: 400,
    error_code: 'web3_unsupported_chain',
    msg: 'Unsupported chain',
  })
  for (const signature of [undefined, 'none', `0x${'0'.repeat(129)}`]) {
    expect(await ask({ chain: 'ethereum', message, signature })).toMatchObject({
      error_code: 'validation_failed',
      msg: 'signature must be 65 bytes long, encoded as a 130 character-long hexadecimal string',
    })
  }
})

test('no member can set which wallet is proven', async () => {
  const account = newWallet()
  const { client, user } = await signIn(messageOf({}, account), backend, account)
  const proven = `0x${'ab'.repeat(20)}`
  const { error } = await client
    .from('profiles')
    .update({ proven_wallet_address: proven })
    .eq('id', user?.id ?? '')
  expect(error?.code).toBe('42501')
  // The user data that a member sets at sign-up or later does not change the proven wallet.
  const claims = { sub: `web3:ethereum:${proven}`, custom_claims: { address: proven, chain: 'ethereum' } }
  await client.auth.updateUser({ data: claims })
  expect((await client.from('profiles').select('proven_wallet_address')).data).toEqual([
    { proven_wallet_address: account.address.toLowerCase() },
  ])
  const pretender = clientOf(backend)
  await pretender.auth.signUp({
    email: 'pretender@example.org',
    password: 'correct horse',
    options: { data: claims },
  })
  expect((await pretender.from('profiles').select('proven_wallet_address')).data).toEqual([
    { proven_wallet_address: null },
  ])
})

test('an identity from another provider proves no wallet, and does not block a sign-in', async () => {
  const { data } = await clientOf(backend).auth.signUp({
    email: 'linked@example.org',
    password: 'correct horse',
  })
  const link = async (providerId: string) => {
    await backend.sql(
      `insert into auth.identities (id, provider, provider_id, user_id) values (gen_random_uuid(), 'web3', $1, $2)`,
      [providerId, data.user?.id],
    )
    const [row] = await backend.sql<{ proven: string | null }>(
      'select proven_wallet_address as proven from public.profiles where id = $1',
      [data.user?.id],
    )
    return row?.proven
  }
  expect(await link('web3:solana:9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM')).toBeNull()
  expect(await link('web3:ethereum:nothing of the kind')).toBeNull()
  // The identity has the letter case of the signed message. The profile has the address in lower case.
  expect(await link(`web3:ethereum:0x${'aB'.repeat(20)}`)).toBe(`0x${'ab'.repeat(20)}`)
})
