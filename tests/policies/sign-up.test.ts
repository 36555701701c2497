import { afterAll, expect, test } from 'vitest'
import { clientOf, signUp, startTemporary } from '../support/temporary-backend.ts'

const backend = await startTemporary()
afterAll(() => backend.close())

const nastyNames: [what: string, username: unknown, kept: string][] = [
  ['missing', undefined, ''],
  ['null', null, ''],
  ['an empty text', '', ''],
  ['a number', 42, ''],
  ['a list', ['a'], ''],
  ['an object', { username: 'a' }, ''],
  ['spaces', '   ', ''],
  ['SQL', `'); drop table public.profiles; --`, `'); drop table public.profiles; --`],
  ['quotes and backslashes', `"\\'\`$$`, `"\\'\`$$`],
  ['markup', '<script>alert(1)</script>', '<script>alert(1)</script>'],
  ['an escape that is no character', '\\u0000', '\\u0000'],
  ['controls', '\u0001\u001b[31m\u007f', ''],
  ['another direction', '\u202egnp.exe', ''],
  ['no visible character', '\u200b\u3164\u2800', ''],
  ['a family of emoji', '👨‍👩‍👧', '👨‍👩‍👧'],
  ['Persian with a joiner', 'می‌خواهم', 'می‌خواهم'],
  ['combined characters', 'e\u0301'.repeat(60), 'e\u0301'.repeat(50)],
  ['characters of four bytes', '𝒢😀'.repeat(80), '𝒢😀'.repeat(50)],
  ['a hundred and one characters', 'x'.repeat(101), 'x'.repeat(100)],
  ['a megabyte', 'm'.repeat(1_000_000), 'm'.repeat(100)],
]

test.each(nastyNames)('a member can sign up with a username that is %s', async (what, username, kept) => {
  const email = `${what.replaceAll(' ', '-').toLowerCase()}@example.org`
  const client = clientOf(backend)
  const { data, error } = await client.auth.signUp({
    email,
    password: 'correct horse',
    options: { data: { username } },
  })
  expect(error).toBeNull()
  // By SQL, because the member's token has the name, and a megabyte is too long for a header.
  const profiles = await backend.sql(
    'select id, username, wallet_address, avatar_url from public.profiles where id = $1',
    [data.user?.id],
  )
  expect(profiles).toEqual([{ id: data.user?.id, username: kept, wallet_address: null, avatar_url: null }])
})

test('a member can sign up with a username of random characters', async () => {
  let seed = 7
  const below = (limit: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % limit
  }
  // Every character that a form can send: all except lone surrogates and NUL.
  const character = () => {
    const code = 1 + below(0x10ffff)
    return code >= 0xd800 && code <= 0xdfff ? ' ' : String.fromCodePoint(code)
  }
  for (let i = 0; i < 12; i += 1) {
    const username = Array.from({ length: below(140) }, character).join('')
    const { client } = await signUp(backend, `random-${i}@example.org`, username)
    const { data } = await client.from('profiles').select('username').single()
    expect(data?.username).toBe([...username].slice(0, 100).join(''))
  }
})

test('two members may have the same name, and the metadata of a sign-up sets only the name', async () => {
  const client = clientOf(backend)
  const { data } = await client.auth.signUp({
    email: 'claims@example.org',
    password: 'correct horse',
    options: {
      data: {
        username: 'Same',
        id: '0000dead-0000-4000-8000-000000000001',
        role: 'service_role',
        wallet_address: `0x${'1'.repeat(40)}`,
        avatar_url: 'https://example.org/a.png',
      },
    },
  })
  await signUp(backend, 'same@example.org', 'Same')
  const { data: profiles } = await client.from('profiles').select()
  expect(profiles).toEqual([
    expect.objectContaining({ id: data.user?.id, username: 'Same', wallet_address: null, avatar_url: null }),
  ])
  expect((await client.from('transactions').select()).error?.code).toBe('42501')
})

test('a member can write only values that the constraints of the table allow', async () => {
  const { client, id } = await signUp(backend, 'bounds@example.org', 'Bounds')
  const refused = async (change: { username?: string; wallet_address?: string }, constraint: string) => {
    const { error } = await client.from('profiles').update(change).eq('id', id)
    expect(error?.code).toBe('23514')
    expect(error?.message).toContain(`"${constraint}"`)
  }
  await refused({ username: 'x'.repeat(101) }, 'profiles_username_length')
  for (const wallet_address of [
    '',
    '0x',
    `0x${'g'.repeat(40)}`,
    `0x${'1'.repeat(41)}`,
    `${'1'.repeat(42)}`,
    `0x${'1'.repeat(40)}\n`,
  ]) {
    await refused({ wallet_address }, 'profiles_wallet_address_format')
  }
  const { data } = await client.from('profiles').select('username, wallet_address').single()
  expect(data).toEqual({ username: 'Bounds', wallet_address: null })
})

test('deleting a member deletes their profile and pools', async () => {
  const { id } = await signUp(backend, 'gone@example.org')
  await backend.sql(`insert into public.fundme_pools (user_id, title) values ($1, 'Pool')`, [id])
  await backend.sql('delete from auth.users where id = $1', [id])
  expect(await backend.sql('select id from public.profiles where id = $1', [id])).toEqual([])
  expect(await backend.sql('select id from public.fundme_pools where user_id = $1', [id])).toEqual([])
})
