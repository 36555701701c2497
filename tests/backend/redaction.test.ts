import { afterEach, expect, test } from 'vitest'
import { readKeys, spawnEmbedded } from '../support/child.ts'
import { migratedDataDir } from '../support/data-folder.ts'
import { czCall } from '../support/temporary-backend.ts'

const folder = await migratedDataDir()
const child = spawnEmbedded(folder.path)
afterEach(async () => {
  child.kill('SIGTERM')
  await child.exited
  folder.remove()
})

test('logs nothing that a member sent, whatever fails', async () => {
  const url = await child.ready
  const keys = readKeys(folder.path)
  // The publishable key is not a secret: the backend prints it when it starts.
  const secrets = Object.values(keys).filter((secret) => secret !== keys.publishableKey)
  const call = async (
    path: string,
    body: unknown,
    key = keys.publishableKey,
    token = key,
    method = 'POST',
  ) => {
    const response = await fetch(url + path, {
      method,
      headers: { apikey: key, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    return {
      status: response.status,
      id: response.headers.get('sb-request-id'),
      body: text ? JSON.parse(text) : null,
    }
  }
  const account = {
    email: 'private.person@example.org',
    password: 'open sesame 99',
    data: { username: 'Ali Baba' },
  }
  const { body: session } = await call('/auth/v1/signup', account)
  secrets.push(session.access_token, session.refresh_token)

  // PostgreSQL refuses the row, and lite logs the query with the email address and the password hash.
  const refused = await call('/auth/v1/signup', {
    ...account,
    email: 'second.person@example.org',
    data: { username: 'NUL \0 inside' },
  })
  expect(refused.status).toBe(500)
  await call('/auth/v1/signup', account)
  await call('/auth/v1/token?grant_type=password', { ...account, password: 'a wrong guess' })
  await call('/auth/v1/token?grant_type=refresh_token', { refresh_token: 'stale-refresh-token' })
  await call('/auth/v1/verify', { type: 'email', token_hash: 'cafe0123', email: account.email })
  await call('/auth/v1/recover', { email: account.email })
  await call('/auth/v1/otp', { email: account.email })
  await call(
    '/auth/v1/user',
    { email: 'changed.person@example.org' },
    keys.publishableKey,
    session.access_token,
    'PUT',
  )

  const profile = `/rest/v1/profiles?id=eq.${session.user.id}`
  const wallet = await call(
    profile,
    { wallet_address: 'my own wallet' },
    keys.publishableKey,
    session.access_token,
    'PATCH',
  )
  expect(wallet).toMatchObject({ status: 400, body: { code: '23514' } })
  const statement = czCall({ tweet_text: 'a private note' })
  await call('/rest/v1/rpc/append_statement', { statement }, keys.secretKey)
  const twice = await call('/rest/v1/rpc/append_statement', { statement }, keys.secretKey)
  expect(twice).toMatchObject({ status: 409, body: { code: '23505' } })
  await call('/rest/v1/rpc/private_function_name', { argument: 'private argument' })

  child.kill('SIGTERM')
  await child.exited
  const output = child.output()
  expect(output).toContain(`backend error 22P05 request ${refused.id}\n`)
  expect(output).toContain(`backend error 23514 profiles_wallet_address_format request ${wallet.id}\n`)
  expect(output).toContain(`backend error 23505 cz_calls_key request ${twice.id}\n`)
  const printed = output
    .split('\n')
    .filter((line) => !/^(ready http|emails http|publishable key )/.test(line))
  for (const line of printed) expect(line).toMatch(/^(backend error \w+( [a-z_]+)? request [0-9a-f-]{36})?$/)
  for (const secret of secrets) expect(output).not.toContain(secret)
})
