import { spawn } from 'node:child_process'
import type { AuthError } from '@supabase/supabase-js'
import { TOTP } from 'otpauth'
import { afterAll, describe, expect, test } from 'vitest'
import type { EmbeddedBackend } from '../../supabase/embedded/embedded.ts'
import { migratedDataDir } from '../support/data-folder.ts'
import { act } from '../support/operators.ts'
import { clientOf, signUp, siteUrl, startOn, startTemporary } from '../support/temporary-backend.ts'

type Client = ReturnType<typeof clientOf>

const backend = await startTemporary()
afterAll(() => backend.close())

/** The code of the current time step, or of the step `next` steps later. */
function codeOf(secret: string, next = 0): string {
  return new TOTP({ secret }).generate({ timestamp: Date.now() + next * 30_000 })
}

/** A code from a time step that is far from now. */
function wrongCode(secret: string): string {
  const near = [-2, -1, 0, 1, 2].map((step) => codeOf(secret, step))
  return (
    ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code)) ?? ''
  )
}

async function enrol(client: Client, friendlyName = 'Phone') {
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName })
  if (error) throw error
  return { id: data.id, secret: data.totp.secret }
}

async function challenge(client: Client, factorId: string): Promise<string> {
  const { data, error } = await client.auth.mfa.challenge({ factorId })
  if (error) throw error
  return data.id
}

/** A member at aal2 with a factor. This time step's code is used, the next one's is not. */
async function signUpWithFactor(email: string) {
  const member = await signUp(backend, email)
  const factor = await enrol(member.client)
  const { error } = await member.client.auth.mfa.challengeAndVerify({
    factorId: factor.id,
    code: codeOf(factor.secret),
  })
  if (error) throw error
  return { ...member, factor }
}

async function signIn(email: string, on: EmbeddedBackend = backend): Promise<Client> {
  const client = clientOf(on)
  const { error } = await client.auth.signInWithPassword({ email, password: 'correct horse' })
  if (error) throw error
  return client
}

async function claimsOf(client: Client) {
  const { data, error } = await client.auth.getClaims()
  if (error || !data) throw error ?? new Error('no claims')
  return { aal: data.claims.aal, amr: data.claims.amr?.map((entry) => (entry as { method: string }).method) }
}

function refusal(error: AuthError | null) {
  return error && { status: error.status, code: error.code, message: error.message }
}

test('the verification of a factor raises the level of the session and ends the other sessions; the level stays after a refresh and a restart', async () => {
  const folder = await migratedDataDir()
  let own = await startOn(folder.path)
  try {
    const { client } = await signUp(own, 'member@example.org')
    const elsewhere = await signIn('member@example.org', own)
    expect(await claimsOf(client)).toEqual({ aal: 'aal1', amr: ['password'] })

    const { data: enrolled } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })
    const totp = enrolled?.totp
    const factorId = enrolled?.id ?? ''
    expect(enrolled).toEqual({ id: expect.any(String), type: 'totp', friendly_name: 'Phone', totp })
    expect(totp?.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(totp?.uri).toMatch(/^otpauth:\/\/totp\/.*member%40example\.org\?/)
    expect(new URL(totp?.uri ?? '').searchParams.get('secret')).toBe(totp?.secret)
    expect(new URL(totp?.uri ?? '').searchParams.get('issuer')).toBe('127.0.0.1:8787')
    expect(totp?.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<\?xml [^#]+<\/svg>$/)
    expect((await client.auth.mfa.listFactors()).data).toMatchObject({
      all: [{ status: 'unverified', friendly_name: 'Phone', factor_type: 'totp' }],
      totp: [],
    })

    const { data: asked } = await client.auth.mfa.challenge({ factorId })
    expect(asked).toEqual({ id: expect.any(String), type: 'totp', expires_at: expect.any(Number) })
    expect(Math.abs((asked?.expires_at ?? 0) - Date.now() / 1000 - 300)).toBeLessThan(30)
    const before = (await client.auth.getSession()).data.session
    const verified = await client.auth.mfa.verify({
      factorId,
      challengeId: asked?.id ?? '',
      code: codeOf(totp?.secret ?? ''),
    })
    expect(verified.data).toMatchObject({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 3600,
      user: { email: 'member@example.org', factors: [{ id: factorId, status: 'verified' }] },
    })
    const { data: level } = await client.auth.mfa.getAuthenticatorAssuranceLevel()
    expect(level).toEqual({
      currentLevel: 'aal2',
      nextLevel: 'aal2',
      currentAuthenticationMethods: [
        { method: 'password', timestamp: expect.any(Number) },
        { method: 'totp', timestamp: expect.any(Number) },
      ],
    })

    expect((await elsewhere.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
    // As when hosted, the previous token returns the session at its new level within the interval.
    const late = clientOf(own)
    expect((await late.auth.refreshSession({ refresh_token: before?.refresh_token ?? '' })).error).toBeNull()
    expect((await claimsOf(late)).aal).toBe('aal2')

    expect((await client.auth.refreshSession()).data.user?.factors).toMatchObject([{ status: 'verified' }])
    expect(await claimsOf(client)).toEqual({ aal: 'aal2', amr: ['password', 'totp'] })
    const { data: last } = await client.auth.getSession()
    await own.close()

    own = await startOn(folder.path)
    const again = clientOf(own)
    await again.auth.refreshSession({ refresh_token: last.session?.refresh_token ?? '' })
    expect(await claimsOf(again)).toEqual({ aal: 'aal2', amr: ['password', 'totp'] })
    expect((await again.auth.mfa.listFactors()).data?.totp).toMatchObject([{ id: factorId }])
  } finally {
    await own.close()
    folder.remove()
  }
})

test('a member with a factor can read their own rows only after entering a code from the factor', async () => {
  const { id, factor } = await signUpWithFactor('gate@example.org')
  await backend.sql(`insert into public.fundme_pools (user_id, title) values ($1, 'Pool')`, [id])
  const client = await signIn('gate@example.org')
  const read = async () => ({
    profiles: (await client.from('profiles').select('username')).data,
    pools: (await client.from('fundme_pools').select('title')).data,
    renamed: (await client.from('profiles').update({ username: 'Renamed' }).eq('id', id).select('username'))
      .data,
  })

  const { data: level } = await client.auth.mfa.getAuthenticatorAssuranceLevel()
  expect(level).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' })
  expect(await read()).toEqual({ profiles: [], pools: [], renamed: [] })
  // An update without a filter reads no row, so only the policy for updates can refuse it. The test sends it
  // as SQL, because lite refuses an update without a filter.
  const token = (await client.auth.getSession()).data.session?.access_token ?? ''
  const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()
  await backend.sql('begin')
  await backend.sql(
    `select set_config('request.jwt.claims', $1, true), set_config('request.jwt.claim.sub', $2, true)`,
    [claims, id],
  )
  await backend.sql('set local role authenticated')
  await backend.sql(`update public.profiles set username = 'Renamed'`)
  await backend.sql('commit')
  expect(await backend.sql('select username from public.profiles where id = $1', [id])).toEqual([
    { username: 'Member' },
  ])

  await client.auth.mfa.challengeAndVerify({ factorId: factor.id, code: codeOf(factor.secret, 1) })
  expect(await read()).toEqual({
    profiles: [{ username: 'Member' }],
    pools: [{ title: 'Pool' }],
    renamed: [{ username: 'Renamed' }],
  })
})

test('an unverified factor protects nothing, and is deleted when another factor is verified', async () => {
  const { client } = await signUp(backend, 'unverified@example.org')
  await enrol(client)
  expect((await client.from('profiles').select('username')).data).toEqual([{ username: 'Member' }])
  const { id: factorId, secret } = await enrol(client, 'Tablet')
  await client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret) })
  expect((await client.auth.mfa.listFactors()).data?.all).toMatchObject([{ id: factorId }])
})

describe('a challenge', () => {
  test('refuses a wrong code, and stays open for the right code', async () => {
    const { client } = await signUp(backend, 'wrong@example.org')
    const { id: factorId, secret } = await enrol(client)
    const challengeId = await challenge(client, factorId)
    const invalid = { status: 422, code: 'mfa_verification_failed', message: 'Invalid TOTP code entered' }
    for (const code of [wrongCode(secret), '12345', 'abcdef', '1234567', wrongCode(secret)]) {
      expect(refusal((await client.auth.mfa.verify({ factorId, challengeId, code })).error)).toEqual(invalid)
    }
    expect(await claimsOf(client)).toEqual({ aal: 'aal1', amr: ['password'] })
    const code = codeOf(secret)
    expect((await client.auth.mfa.verify({ factorId, challengeId, code })).error).toBeNull()
  })

  // docs/security.md (V6.5) says so. https://github.com/better-auth/better-auth/issues/10387 (again in one session),
  // https://github.com/neiliro/neiliro/issues/55 (in another sign-in),
  // https://github.com/teamhanko/hanko/pull/2723 (after the enrolment)
  test('is accepted once, but the code is accepted again while the code is valid, as in the hosted service', async () => {
    const { client } = await signUp(backend, 'used@example.org')
    const { id: factorId, secret } = await enrol(client)
    const code = codeOf(secret)
    const challengeId = await challenge(client, factorId)
    expect((await client.auth.mfa.verify({ factorId, challengeId, code })).error).toBeNull()

    const next = codeOf(secret, 1)
    expect((await client.auth.mfa.verify({ factorId, challengeId, code: next })).error?.code).toBe(
      'mfa_ip_address_mismatch',
    )
    expect((await client.auth.mfa.challengeAndVerify({ factorId, code })).error).toBeNull()
    const other = await signIn('used@example.org')
    expect((await other.auth.mfa.challengeAndVerify({ factorId, code })).error).toBeNull()
    expect((await claimsOf(other)).aal).toBe('aal2')
  })

  test('expires after five minutes, and belongs to one factor of one member', async () => {
    const { client } = await signUp(backend, 'late@example.org')
    const { id: factorId, secret } = await enrol(client)
    const challengeId = await challenge(client, factorId)
    const code = codeOf(secret)
    const { client: stranger } = await signUp(backend, 'late-stranger@example.org')
    const { id: strangersFactor } = await enrol(stranger)

    expect(refusal((await stranger.auth.mfa.challenge({ factorId })).error)).toEqual({
      status: 404,
      code: 'mfa_factor_not_found',
      message: 'Factor not found',
    })
    expect((await stranger.auth.mfa.unenroll({ factorId })).error?.code).toBe('mfa_factor_not_found')
    const elsewhere = await stranger.auth.mfa.verify({ factorId: strangersFactor, challengeId, code })
    expect(refusal(elsewhere.error)).toEqual({
      status: 422,
      code: 'mfa_factor_not_found',
      message: 'MFA factor with the provided challenge ID not found',
    })

    await backend.sql(
      `update auth.mfa_challenges set created_at = created_at - interval '301 s' where id = $1`,
      [challengeId],
    )
    expect((await client.auth.mfa.verify({ factorId, challengeId, code })).error?.code).toBe(
      'mfa_challenge_expired',
    )
  })
})

describe('enrolment', () => {
  test('refuses the name of another factor, even of an unfinished factor, and requires a code from the existing factor', async () => {
    const { client } = await signUpWithFactor('names@example.org')
    await enrol(client, 'Tablet')
    for (const friendlyName of ['Phone', 'Tablet']) {
      const twice = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName })
      expect(refusal(twice.error)).toEqual({
        status: 422,
        code: 'mfa_factor_name_conflict',
        message: `A factor with the friendly name "${friendlyName}" for this user already exists`,
      })
    }
    const halfway = await signIn('names@example.org')
    const early = await halfway.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Another' })
    expect(refusal(early.error)).toEqual({
      status: 403,
      code: 'insufficient_aal',
      message: 'AAL2 required to enroll a new factor',
    })
  })

  test('allows at most ten factors', async () => {
    const { client, id } = await signUp(backend, 'many@example.org')
    for (let number = 1; number <= 10; number += 1) await enrol(client, `Phone ${number}`)
    const eleventh = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone 11' })
    expect(refusal(eleventh.error)).toEqual({
      status: 422,
      code: 'too_many_enrolled_mfa_factors',
      message: 'Maximum number of verified factors reached, unenroll to continue',
    })

    // These ten enrolments have no challenge. After five minutes the next enrolment deletes them.
    await backend.sql(
      `update auth.mfa_factors set created_at = created_at - interval '6 min' where user_id = $1`,
      [id],
    )
    await enrol(client, 'Phone 11')
    expect((await client.auth.mfa.listFactors()).data?.all).toHaveLength(1)
  })

  test('accepts only TOTP, and requires a session', async () => {
    const { client } = await signUp(backend, 'kinds@example.org')
    const phone = await client.auth.mfa.enroll({ factorType: 'phone', phone: '+15550100' })
    expect(phone.error?.code).toBe('mfa_phone_enroll_not_enabled')

    const answer = await fetch(`${backend.url}/auth/v1/factors`, {
      method: 'POST',
      headers: { apikey: backend.publishableKey, 'content-type': 'application/json' },
      body: JSON.stringify({ factor_type: 'totp', friendly_name: 'Nobody' }),
    })
    expect([answer.status, ((await answer.json()) as { error_code: string }).error_code]).toEqual([
      401,
      'no_authorization',
    ])
  })
})

test('only a session that has used a verified factor can remove the factor, and the session is at aal1 afterwards', async () => {
  const { client, factor } = await signUpWithFactor('leaving@example.org')
  const halfway = await signIn('leaving@example.org')
  expect(refusal((await halfway.auth.mfa.unenroll({ factorId: factor.id })).error)).toEqual({
    status: 422,
    code: 'insufficient_aal',
    message: 'AAL2 required to unenroll verified factor',
  })
  expect((await client.auth.mfa.unenroll({ factorId: factor.id })).data).toEqual({ id: factor.id })
  await client.auth.refreshSession()
  expect(await claimsOf(client)).toEqual({ aal: 'aal1', amr: ['password'] })
  expect((await client.auth.getUser()).data.user).not.toHaveProperty('factors')
  expect((await halfway.from('profiles').select('username')).data).toEqual([{ username: 'Member' }])
})

test('use_code accepts a code once for each member in two minutes, and only in a session', async () => {
  const [one, other] = [
    await signUp(backend, 'codes@example.org'),
    await signUp(backend, 'codes2@example.org'),
  ]
  const hash = 'ab'.repeat(32)
  const use = async ({ client }: typeof one, of = hash) => (await client.rpc('use_code', { hash: of })).data
  const parallel = await Promise.all([use(one), use(one), use(one)])
  expect(parallel.toSorted()).toEqual([false, false, true])
  expect([await use(one), await use(other)]).toEqual([false, true])
  // A code that the service did not accept is forgotten, and only that of the caller.
  await one.client.rpc('use_code', { hash, failed: true })
  expect([await use(one), await use(one), await use(other)]).toEqual([true, false, false])
  await backend.sql(`update private.used_codes set used_at = now() - interval '3 minutes'`)
  expect([await use(one), await use(one)]).toEqual([true, false])
  expect((await one.client.rpc('use_code', { hash: 'no hash' })).error?.message).toContain(
    'used_codes_hash_format',
  )
  for (let at = 0; at < 99; at++) await use(one, `${at}`.padStart(64, '0'))
  expect([await use(one, 'cd'.repeat(32)), await use(other, 'cd'.repeat(32))]).toEqual([false, true])
  expect((await clientOf(backend).rpc('use_code', { hash })).error).not.toBeNull()
  await one.client.auth.signOut()
})

test('a change of password or email requires the factor; other changes do not require it', async () => {
  const { client } = await signUpWithFactor('change@example.org')
  const halfway = await signIn('change@example.org')
  for (const change of [{ password: 'another horse' }, { email: 'changed@example.org' }]) {
    expect(refusal((await halfway.auth.updateUser(change)).error)).toEqual({
      status: 401,
      code: 'insufficient_aal',
      message: 'AAL2 session is required to update email or password when MFA is enabled.',
    })
  }
  expect((await halfway.auth.updateUser({ data: { theme: 'dark' } })).error).toBeNull()
  expect((await client.auth.updateUser({ password: 'another horse' })).error).toBeNull()
})

test('a session from a magic link has the method otp', async () => {
  const { id } = await signUp(backend, 'link@example.org')
  await clientOf(backend).auth.signInWithOtp({ email: 'link@example.org' })
  const [row] = await backend.sql<{ hash: string }>(
    'select recovery_token as hash from auth.users where id = $1',
    [id],
  )
  // Opens a link that lite itself made, whose tokens are in the fragment.
  const followed = await fetch(`${backend.url}/auth/v1/verify?type=magiclink&token=${row?.hash}`, {
    headers: { apikey: backend.publishableKey },
    redirect: 'manual',
  })
  const fragment = new URLSearchParams(new URL(followed.headers.get('location') ?? '').hash.slice(1))
  const client = clientOf(backend)
  const { error } = await client.auth.setSession({
    access_token: fragment.get('access_token') ?? '',
    refresh_token: fragment.get('refresh_token') ?? '',
  })
  expect(error).toBeNull()
  expect(await claimsOf(client)).toEqual({ aal: 'aal1', amr: ['otp'] })
})

test('deleting a member deletes their factors, challenges and assurance levels', async () => {
  const { id } = await signUpWithFactor('gone@example.org')
  const count = async () => {
    const [row] = await backend.sql<Record<string, number>>(
      `select
        (select count(*) from auth.mfa_factors where user_id = $1) as factors,
        (select count(*) from auth.mfa_challenges join auth.mfa_factors f on f.id = factor_id where user_id = $1) as challenges,
        (select count(*) from auth.mfa_amr_claims join auth.sessions s on s.id = session_id where user_id = $1) as methods`,
      [id],
    )
    return row
  }
  expect(await count()).toEqual({ factors: 1, challenges: 1, methods: 2 })
  await backend.sql('delete from auth.users where id = $1', [id])
  expect(await count()).toEqual({ factors: 0, challenges: 0, methods: 0 })
})

const removeFactor = (email: string, ...input: string[]) =>
  runLedger(['member', 'remove-factor', email], ...input)

/** Runs `npm run ledger` with these lines as its input, against the embedded backend. */
async function runLedger(words: string[], ...input: string[]) {
  const { SUPABASE_SECRET_KEY: _, SUPABASE_URL: __, ...environment } = process.env
  const env = {
    ...environment,
    SITE_URL: siteUrl,
    DATA_DIR: backend.dataDir,
    SUPABASE_PORT: new URL(backend.url).port,
  }
  const child = spawn('node', ['scripts/ledger.ts', ...words], { env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  child.stdin.end(input.map((line) => `${line}\n`).join(''))
  const code = await new Promise((resolve) => child.once('close', resolve))
  return { code, output }
}

test('the operator commands reject each invalid request with its own error message', async () => {
  const email = 'ada@example.org'
  const { id } = await signUpWithFactor(email)
  await clientOf(backend).auth.signUp({ email: 'weak@example.org', password: 'correct horse' })
  const add = (address: string, handle: string) =>
    runLedger(['operator', 'add', address, '--handle', handle, '--yes'])
  const wrong = await Promise.all([
    add('none@example.org', 'ada'),
    add('weak@example.org', 'ada'),
    add(email, 'Ada'),
    runLedger(['operator', 'add', email, '--handle', 'ada']),
    runLedger(['operator', 'list']),
  ])
  expect(wrong.map(({ code, output }) => [code, output.trim().split('\n').at(-1)])).toEqual([
    [1, '--email: No account has this email address.'],
    [1, '--email: This account has no two-step sign-in yet. Its owner must add it first.'],
    [1, '--handle must be 3 to 30 of a–z, 0–9 and hyphen, first a letter.'],
    [1, 'Not published. Add --yes to publish without asking.'],
    [0, 'No operators yet. Add one: npm run ledger -- operator add <email> --handle <name>'],
  ])
  expect(await add(email, 'ada')).toMatchObject({ code: 0 })
  const busy = await Promise.all([add(email, 'ada-2'), removeFactor(email, 'y', email)])
  expect(busy.map(({ code, output }) => [code, output.trim().split('\n').at(-1)])).toEqual([
    [1, '--email: This member is an operator already.'],
    [1, 'End the operator first.'],
  ])
  expect(await backend.sql('select from auth.mfa_factors where user_id = $1', [id])).toHaveLength(1)
  await act(backend, 'operator-end', 'ada', {}, 'The year is over.')
  expect((await runLedger(['operator', 'list'])).output).toMatch(/^ada +since .+, until /m)
})

describe('a lost phone', () => {
  const email = 'lost@example.org'
  const sessionsOf = (id: string) =>
    backend.sql<{ aal: string }>('select aal from auth.sessions where user_id = $1 order by aal', [id])
  const factorsOf = (id: string) => backend.sql('select from auth.mfa_factors where user_id = $1', [id])

  test('the command asks two questions before it removes the factors and ends every session', async () => {
    const { id, client } = await signUpWithFactor(email)
    await enrol(client, 'Tablet')
    await signIn(email)
    const before = await sessionsOf(id)
    expect(before).toHaveLength(2)

    const first = await removeFactor(email, 'n')
    expect(first).toMatchObject({ code: 1, output: expect.stringContaining('Phone, added on') })
    expect(first.output).toContain(
      `To: ${email}\nSubject: Someone asked us to turn off your two-step sign-in`,
    )
    expect(await removeFactor(email, 'y', 'other@example.org')).toMatchObject({
      code: 1,
      output: expect.stringContaining('Nothing was changed.'),
    })
    expect(await removeFactor(email)).toMatchObject({ code: 1 })
    expect(await factorsOf(id)).toHaveLength(2)
    expect(await sessionsOf(id)).toEqual(before)

    const removed = await removeFactor('LOST@example.org', 'y', email)
    expect(removed).toMatchObject({
      code: 0,
      output: expect.stringContaining('Removed 2 apps and ended 2 sessions.'),
    })
    expect(removed.output).toContain('Subject: Your two-step sign-in is off')
    expect(removed.output).not.toContain(backend.secretKey)
    expect(await factorsOf(id)).toEqual([])
    expect(await sessionsOf(id)).toEqual([])
    expect((await client.auth.refreshSession()).error).not.toBeNull()
    expect(await claimsOf(await signIn(email))).toMatchObject({ aal: 'aal1' })
  })

  test('an email address without a member is reported', async () => {
    expect(await removeFactor('unknown@example.org', 'y', 'unknown@example.org')).toEqual({
      code: 1,
      output: 'No member has the email address unknown@example.org.\n',
    })
  })

  test('only a client with the secret key can list and delete the factors of a member', async () => {
    const { id, factor, token } = await signUpWithFactor('kept@example.org')
    const address = `${backend.url}/auth/v1/admin/users/${id}/factors`
    const call = (method: string, url: string, key: string, bearer = key) =>
      fetch(url, { method, headers: { apikey: key, ...(bearer && { authorization: `Bearer ${bearer}` }) } })
    const { publishableKey, secretKey } = backend
    for (const [method, url] of [
      ['GET', address],
      ['DELETE', `${address}/${factor.id}`],
    ] as const) {
      expect((await call(method, url, publishableKey)).status).toBe(403)
      expect((await call(method, url, publishableKey, token)).status).toBe(403)
      expect((await call(method, url, publishableKey, '')).status).toBe(401)
    }
    const admin = clientOf(backend, secretKey).auth.admin.mfa
    expect((await admin.listFactors({ userId: id })).data?.factors).toMatchObject([
      { id: factor.id, friendly_name: 'Phone', factor_type: 'totp', status: 'verified' },
    ])
    const another = '00000000-0000-4000-8000-000000000000'
    expect(refusal((await admin.listFactors({ userId: another })).error)).toMatchObject({ status: 404 })
    expect(refusal((await admin.deleteFactor({ userId: id, id: another })).error)).toMatchObject({
      status: 404,
      code: 'mfa_factor_not_found',
    })
    // As with the hosted service, the call lowers the level of the session and does not end the session.
    expect((await admin.deleteFactor({ userId: id, id: factor.id })).error).toBeNull()
    expect(await sessionsOf(id)).toEqual([{ aal: 'aal1' }])
  })
})
