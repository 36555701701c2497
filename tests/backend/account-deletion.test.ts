import { TOTP } from 'otpauth'
import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { afterAll, expect, test } from 'vitest'
import { clientOf, siteUrl, startTemporary } from '../support/temporary-backend.ts'

const backend = await startTemporary()
afterAll(() => backend.close())

type Client = ReturnType<typeof clientOf>
const password = 'correct horse'

/** Returns, as text, the rows that contain one of the `traces`, from all tables with member data. */
async function rowsWith(...traces: string[]): Promise<string[]> {
  const tables = await backend.sql<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('auth', 'public', 'private', 'storage') and table_type = 'BASE TABLE'`,
  )
  const found: string[] = []
  for (const { name } of tables)
    for (const { row } of await backend.sql<{ row: string }>(`select t::text as row from ${name} as t`))
      if (traces.some((trace) => row.toLowerCase().includes(trace.toLowerCase())))
        found.push(`${name}: ${row}`)
  return found
}

async function signUp(email: string): Promise<{ client: Client; id: string }> {
  const client = clientOf(backend)
  const { data } = await client.auth.signUp({ email, password, options: { data: { username: 'Ada' } } })
  return { client, id: data.user?.id as string }
}

async function addFactor(client: Client): Promise<TOTP> {
  const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })
  const totp = new TOTP({ secret: data?.totp.secret as string })
  const factorId = data?.id as string
  const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code: totp.generate() })
  if (error) throw error
  return totp
}

/** Members in the state that the key names. `traces`: the texts that the deletion must remove. */
const states: Record<string, () => Promise<{ client: Client; traces: string[] }>> = {
  'signed up with a password': async () => {
    const { client, id } = await signUp('password@example.com')
    return { client, traces: [id, 'password@example.com'] }
  },
  'with a profile and pools': async () => {
    const { client, id } = await signUp('pools@example.com')
    const wallet = `0x${'ab'.repeat(20)}`
    await client.from('profiles').update({ wallet_address: wallet }).eq('id', id)
    await backend.sql(`insert into public.fundme_pools (user_id, title) values ($1, 'A well')`, [id])
    return { client, traces: [id, 'pools@example.com', wallet, 'A well'] }
  },
  'with proven wallets': async () => {
    const { client, id } = await signUp('proven@example.com')
    const wallet = `0x${'cd'.repeat(20)}`
    const message = 'the message that was signed'
    const signature = `0x${'9'.repeat(130)}`
    const row = { user_id: id, address: wallet, message, signature }
    expect((await client.from('proven_wallets').insert(row)).error).toBeNull()
    return { client, traces: [id, 'proven@example.com', wallet, message, signature] }
  },
  'with a second factor': async () => {
    const { client, id } = await signUp('factor@example.com')
    const totp = await addFactor(client)
    return { client, traces: [id, 'factor@example.com', totp.secret.base32] }
  },
  'with an unfinished second factor': async () => {
    const { client, id } = await signUp('unfinished@example.com')
    const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })
    return { client, traces: [id, 'unfinished@example.com', data?.totp.secret as string] }
  },
  'with a change of email under way and other sessions': async () => {
    const { client, id } = await signUp('changing@example.com')
    await clientOf(backend).auth.signInWithPassword({ email: 'changing@example.com', password })
    await clientOf(backend).auth.resetPasswordForEmail('changing@example.com')
    await client.auth.updateUser({ email: 'changed@example.com' })
    return { client, traces: [id, 'changing@example.com', 'changed@example.com'] }
  },
  'signed in with a wallet': async () => {
    const account = privateKeyToAccount(`0x${'42'.repeat(32)}`)
    const message = createSiweMessage({
      address: account.address,
      domain: new URL(siteUrl).host,
      uri: siteUrl,
      version: '1',
      chainId: 56,
      nonce: 'abcdefgh12345678',
      issuedAt: new Date(),
    })
    const client = clientOf(backend)
    const signature = await account.signMessage({ message })
    const { data, error } = await client.auth.signInWithWeb3({ chain: 'ethereum', message, signature })
    if (error) throw error
    return { client, traces: [data.user?.id as string, account.address] }
  },
}

test.each(Object.entries(states))('leaves no data of a deleted member: %s', async (_, prepare) => {
  const { client, id: other } = await signUp(`other-${crypto.randomUUID()}@example.com`)
  const member = await prepare()
  expect((await rowsWith(...member.traces)).length).toBeGreaterThan(0)
  expect((await member.client.rpc('delete_account')).error).toBeNull()
  expect(await rowsWith(...member.traces)).toEqual([])
  expect((await member.client.auth.getUser()).error?.status).toBe(403)
  const { data } = await client.from('profiles').select('id')
  expect(data, 'another member stays').toEqual([{ id: other }])
})

test('refuses a visitor, a session older than ten minutes, and a session that lacks the second factor of its member', async () => {
  expect((await clientOf(backend).rpc('delete_account')).error).not.toBeNull()

  const { client, id } = await signUp('stale@example.com')
  await backend.sql(
    `update auth.mfa_amr_claims set updated_at = now() - interval '11 minutes'
     where session_id in (select id from auth.sessions where user_id = $1)`,
    [id],
  )
  await client.auth.refreshSession()
  expect((await client.rpc('delete_account')).error?.message).toBe('fresh_sign_in_needed')

  const guarded = await signUp('guarded@example.com')
  await addFactor(guarded.client)
  const withPassword = clientOf(backend)
  await withPassword.auth.signInWithPassword({ email: 'guarded@example.com', password })
  expect((await withPassword.rpc('delete_account')).error?.message).toBe('fresh_sign_in_needed')
  expect(await rowsWith(id, guarded.id)).not.toEqual([])
})
