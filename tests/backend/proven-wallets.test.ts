import { afterAll, expect, test } from 'vitest'
import { signUp, startTemporary } from '../support/temporary-backend.ts'

const backend = await startTemporary()
afterAll(() => backend.close())

let members = 0
const newMember = () => signUp(backend, `proven-${++members}@example.com`)

let counter = 0
/** A row that the table accepts. Its signature is invalid. */
const rowOf = (id: string, changes = {}) => ({
  user_id: id,
  address: `0x${(++counter).toString(16).padStart(40, '0')}`,
  message: 'first line\nsecond line',
  signature: `0x${'9'.repeat(130)}`,
  ...changes,
})

test.each([
  ['an empty message', { message: '' }],
  ['a message of 2,001 characters', { message: 'a'.repeat(2_001) }],
  ['a carriage return', { message: 'a\r\nb' }],
  ['a tab', { message: 'a\tb' }],
  ['a control character of the second block', { message: 'a\u0085b' }],
  ['a short signature', { signature: `0x${'9'.repeat(129)}` }],
  ['a signature in upper case', { signature: `0x${'A'.repeat(130)}` }],
  ['a signature with a line end', { signature: `0x${'9'.repeat(130)}\n` }],
  ['an address in upper case', { address: `0x${'A'.repeat(40)}` }],
])('a row with %s is refused', async (_, changes) => {
  const { client, id } = await newMember()
  const { error } = await client.from('proven_wallets').insert(rowOf(id, changes))
  expect(error?.code).toBe('23514')
})

test('a message may have 2,000 characters and line feeds', async () => {
  const { client, id } = await newMember()
  const row = rowOf(id, { message: `${'a'.repeat(1_998)}\nb` })
  expect((await client.from('proven_wallets').insert(row)).error).toBeNull()
})

test('a member cannot set the time of a proof, change a row, or add a row for another member', async () => {
  const [{ client, id }, stranger] = [await newMember(), await newMember()]
  const codeOf = async (row: ReturnType<typeof rowOf>) =>
    (await client.from('proven_wallets').insert(row)).error?.code
  expect(await codeOf(rowOf(id, { proven_at: '2030-01-01T00:00:00Z' }))).toBe('42501')
  expect(await codeOf(rowOf(stranger.id))).toBe('42501')
  expect(await codeOf(rowOf(id))).toBeUndefined()
  const changed = await client.from('proven_wallets').update({ message: 'another' }).eq('user_id', id)
  expect(changed.error?.code).toBe('42501')
})

test('a member has at most ten rows, even if they are inserted concurrently', async () => {
  const { client, id } = await newMember()
  const all = await client.from('proven_wallets').insert(Array.from({ length: 11 }, () => rowOf(id)))
  expect(all.error?.code).toBe('23514')
  const each = await Promise.all(
    Array.from({ length: 14 }, () => client.from('proven_wallets').insert(rowOf(id))),
  )
  expect(each.filter(({ error }) => !error)).toHaveLength(10)
  expect(each.filter(({ error }) => error?.code === '23514')).toHaveLength(4)
  expect((await client.from('proven_wallets').select('address')).data).toHaveLength(10)
})

test('a stranger gets the same refusal whether or not the member has reached the limit', async () => {
  const [{ client, id }, stranger] = [await newMember(), await newMember()]
  await client.from('proven_wallets').insert(Array.from({ length: 10 }, () => rowOf(id)))
  const { error } = await stranger.client.from('proven_wallets').insert(rowOf(id))
  expect(error?.code).toBe('42501')
})
