import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage, generateSiweNonce } from 'viem/siwe'
import { afterAll, expect, test } from 'vitest'
import { type EmbeddedBackend, startEmbedded } from '../../supabase/embedded/embedded.ts'
import { clientOf, siteUrl, startTemporary, temporaryDataDir } from '../support/temporary-backend.ts'

type Fields = Parameters<typeof createSiweMessage>[0]

const backend = await startTemporary()
afterAll(() => backend.close())

const newWallet = () => privateKeyToAccount(generatePrivateKey())
const wallet = newWallet()
const minutes = (count: number) => new Date(Date.now() + count * 60_000)

/** A message as the site would have it signed, but for the changes. */
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

test('a wallet signs up, signs in again as the same member, and is proven on the profile', async () => {
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
        id: `web3:ethereum:${address}`,
        identity_data: {
          sub: `web3:ethereum:${address}`,
          custom_claims: {
            address,
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

  // On the testnet, by a message that writes the address in lower case.
  const message = messageOf({ chainId: 97 }, account).replace(account.address, address)
  const second = await signIn(message, backend, account)
  expect(second.user?.id).toBe(first.user?.id)
  expect(second.user?.identities).toHaveLength(1)
  expect((await second.client.auth.refreshSession()).error).toBeNull()
  expect((await second.client.auth.getClaims()).data?.claims.amr).toMatchObject([{ method: 'web3' }])
})

test('a message is used once, also after a restart', async () => {
  const folder = await temporaryDataDir()
  const options = { dataDir: folder.path, port: 0, mailPort: 0, siteUrl, log: () => {} }
  let own = await startEmbedded(options)
  try {
    const message = messageOf()
    const replayed = 'Signed Ethereum message was already used'
    expect((await signIn(message, own)).error).toBeNull()
    expect((await signIn(message, own)).error).toMatchObject({ status: 400, message: replayed })
    await own.close()
    own = await startEmbedded(options)
    expect((await signIn(message, own)).error).toMatchObject({ status: 400, message: replayed })
    const other = newWallet()
    const nonce = /^Nonce: (\w+)$/m.exec(message)?.[1] ?? ''
    expect((await signIn(messageOf({ nonce }, other), own, other)).error).toBeNull()
  } finally {
    await own.close()
    folder.remove()
  }
})

const elsewhere =
  'Signed Ethereum message is using URI which is not allowed on this server, message was signed for another app'
const domain =
  'Signed Ethereum message is using a Domain that does not match the one in URI which is not allowed on this server'

const REFUSED: [string, Partial<Fields>, string][] = [
  ['another domain', { domain: 'evil.example' }, domain],
  ['another port', { domain: '127.0.0.1:8788' }, domain],
  ['another site', { domain: 'evil.example', uri: 'https://evil.example/auth' }, elsewhere],
  ['another site that begins like ours', { uri: `${siteUrl}@evil.example/` }, elsewhere],
  [
    'another chain',
    { chainId: 1 },
    'Signed Ethereum message is using a Chain ID which is not allowed on this server',
  ],
  ['a message that expired', { expirationTime: minutes(-1) }, 'Signed Ethereum message is expired'],
  [
    'a message of the future',
    { notBefore: minutes(1) },
    'Signed Ethereum message becomes valid in the future',
  ],
  ['an old message', { issuedAt: minutes(-11) }, 'Ethereum message was issued too long ago'],
  [
    'a message issued in the future',
    { issuedAt: minutes(11) },
    'Ethereum message was issued too far in the future',
  ],
]

test.each(REFUSED)('%s is refused', async (_, changes, message) => {
  const before = await users()
  const account = newWallet()
  const { error } = await signIn(messageOf(changes, account), backend, account)
  expect(error).toMatchObject({ name: 'AuthApiError', status: 400, code: undefined, message })
  expect(await users()).toEqual(before)
})

test('a signature by another wallet, of another message, or of nothing is refused', async () => {
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
  // None of them has spent the nonce.
  expect((await signIn(message)).error).toBeNull()
})

const MALFORMED: [string, string, string][] = [
  ['a short message', 'sign in', 'message is too short'],
  ['a long message', 'm'.repeat(20_481), 'message must not exceed 20KB'],
  [
    'another header',
    messageOf().replace('wants you to', 'asks you to'),
    'siwe: message first line does not end in " wants you to sign in with your Ethereum account:"',
  ],
  [
    'no address',
    messageOf().replace(/0x\w+/, 'alice.eth'),
    'siwe: wallet address is not a valid Ethereum address',
  ],
  ['no nonce', messageOf().replace(/^Nonce: .*\n/m, ''), 'siwe: Nonce is not specified'],
  ['a short nonce', messageOf().replace(/^Nonce: .*$/m, 'Nonce: 1234567'), 'siwe: Nonce is not valid'],
  ['no chain', messageOf().replace(/^Chain ID: .*\n/m, ''), 'siwe: message is incomplete'],
  ['another version', messageOf().replace('Version: 1', 'Version: 2'), 'siwe: Version is not supported'],
  [
    'no date',
    messageOf().replace(/^Issued At: .*$/m, 'Issued At: yesterday'),
    'siwe: Issued At is not a valid ISO8601 timestamp',
  ],
]

test.each(MALFORMED)('%s is refused as malformed', async (_, message, words) => {
  expect((await signIn(message)).error).toMatchObject({
    status: 400,
    code: 'validation_failed',
    message: words,
  })
})

test('another chain than Ethereum and a signature that is none are refused', async () => {
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

test('no member can write what is proven', async () => {
  const account = newWallet()
  const { client, user } = await signIn(messageOf({}, account), backend, account)
  const proven = `0x${'ab'.repeat(20)}`
  const { error } = await client
    .from('profiles')
    .update({ proven_wallet_address: proven })
    .eq('id', user?.id ?? '')
  expect(error?.code).toBe('42501')
  // Nor by what a member can say of themselves, at sign-up or later.
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

test('an identity of another kind proves nothing, and hinders nobody', async () => {
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
  // As the hosted service has written them before it lowered their case.
  expect(await link(`web3:ethereum:0x${'aB'.repeat(20)}`)).toBe(`0x${'ab'.repeat(20)}`)
})
