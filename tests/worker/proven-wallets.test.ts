import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import { proofStatement, writeMessage } from '../../app/wallet/message.server.ts'
import { startSite, startSiteWithBackend } from '../support/site.ts'
import { clientOf, transaction } from '../support/temporary-backend.ts'
import { documentOf, toastOf, Visitor } from '../support/visitor.ts'

/** This site has no secret key, because requests of members do not need it. */
const site = await startSiteWithBackend()
afterAll(() => site.close())

const path = '/dashboard/wallets'
const password = 'a good password'
let members = 0

async function signUp(email = `wallet-${++members}@example.com`): Promise<Visitor> {
  const visitor = new Visitor(site.url)
  const page = await visitor.post('/auth', { intent: 'sign-up', email, password, username: 'Ada' })
  expect(page.location).toBe('/dashboard')
  await visitor.get('/dashboard')
  return visitor
}

/** Signs up a member who also uses the data API directly, with the token of their session. */
async function signUpForBoth() {
  const email = `wallet-${++members}@example.com`
  const visitor = await signUp(email)
  const client = clientOf(site.backend)
  const { data } = await client.auth.signInWithPassword({ email, password })
  return { visitor, client, id: data.user?.id ?? '' }
}

async function messageFor(visitor: Visitor, address: string): Promise<string> {
  const { status, html } = await visitor.get(`${path}?address=${address}`)
  expect(status).toBe(200)
  return JSON.parse(html).message
}

/** Proves the wallet of this key for a visitor. */
async function prove(visitor: Visitor, account = privateKeyToAccount(generatePrivateKey())) {
  const message = await messageFor(visitor, account.address)
  const fields = { message, signature: await account.signMessage({ message }) }
  return { account, fields, page: await visitor.post(path, fields) }
}

const donationsOf = async (visitor: Visitor) =>
  documentOf(await visitor.get('/dashboard'))
    .querySelector('[aria-labelledby="donations-title"]')
    ?.structuredText.replace(/\s+/g, ' ') ?? ''

/** Returns a gift from the wallet to the education pool. */
function giftFrom(address: string, dollars: number) {
  return transaction({
    type: 'gift',
    amount_usd: dollars,
    from_address: address.toLowerCase(),
    account: 'education',
    pool_slug: 'education',
  })
}

test('the dashboard begins with what a member gave and what the pool did last', async () => {
  const visitor = await signUp()
  const account = privateKeyToAccount(generatePrivateKey())
  const service = clientOf(site.backend, site.backend.secretKey)
  const entries = [giftFrom(account.address, 20)] as never
  expect((await service.rpc('append_ledger', { entries })).error).toBeNull()
  await prove(visitor, account)
  expect(await donationsOf(visitor)).not.toContain('The newest from the pools')
  for (const text of ['A second school joined.', 'Each pupil has a lamp.'])
    await site.backend.sql('select public.append_update($1)', [
      JSON.stringify({ pool_slug: 'education', published_at: new Date(), text }),
    ])
  const dashboard = documentOf(await visitor.get('/dashboard'))
  expect(dashboard.querySelectorAll('main h2').map(({ text }) => text)).toEqual([
    ...['My donations', 'My FundMe Pools', 'Profile'],
  ])
  const gave = await donationsOf(visitor)
  expect(gave).toContain('The newest from the pools that you gave to Each pupil has a lamp.')
  expect(gave).not.toContain('A second school joined.')
  // Nothing is said about a gift that is not verified, or has no value.
  expect(gave).not.toContain('You gave it')
  const spending = transaction({
    ...{ type: 'spending', account: 'education', pool_slug: 'education', direction: 'out', amount_usd: 7.5 },
    from_address: `0x${'e'.repeat(40)}`,
  })
  expect((await service.rpc('append_ledger', { entries: [spending] as never })).error).toBeNull()
  await site.backend.sql(
    `select public.record_checks(jsonb_agg(jsonb_build_object(
       'transaction_id', id, 'status', 'verified', 'block_number', 5, 'confirmations', 20,
       'block_hash', '0x' || repeat('b', 64), 'block_time', occurred_at)))
     from public.transactions where from_address in ($1, $2)`,
    [account.address.toLowerCase(), spending.from_address],
  )
  expect(await donationsOf(visitor)).toMatch(/You gave it \$20\.00\. Since \d+ \w+ \d{4}, it spent \$7\.50\./)
  await visitor.post(path, { intent: 'revoke', address: account.address })
})

test('the statement of a year has the gifts of the proven wallets alone, their sum, and the same in its file', async () => {
  const visitor = await signUp()
  const account = privateKeyToAccount(generatePrivateKey())
  const service = clientOf(site.backend, site.backend.secretKey)
  const given = [20, 12.5].map((dollars) => ({
    ...giftFrom(account.address, dollars),
    occurred_at: '2025-03-01T12:00:00Z',
  }))
  const before = { ...giftFrom(account.address, 7), occurred_at: '2024-12-31T23:59:59Z' }
  const foreign = { ...transaction({ type: 'gift', amount_usd: 99 }), occurred_at: '2025-03-01T12:00:00Z' }
  const entries = [...given, before, foreign]
  expect((await service.rpc('append_ledger', { entries: entries as never })).error).toBeNull()
  const ids = await site.backend.sql<{ id: number; amount_usd: string }>(
    'select id, amount_usd from public.transactions where from_address = $1 order by id',
    [account.address.toLowerCase()],
  )
  // One of the two gifts of the year is verified.
  await site.backend.sql('select public.record_checks($1::jsonb)', [
    JSON.stringify([
      {
        ...{ transaction_id: ids[0]?.id, status: 'verified', block_number: 5, confirmations: 20 },
        ...{ block_hash: `0x${'b'.repeat(64)}`, block_time: '2025-03-01T12:00:00Z' },
      },
    ]),
  ])
  await prove(visitor, account)
  const page = documentOf(await visitor.get('/dashboard/statement?year=2025'))
  expect(page.querySelector('#sum')?.text).toBe('$20.00, 1 verified gift')
  expect(page.querySelectorAll('main tbody tr')).toHaveLength(2)
  expect(page.querySelector('main')?.text).toContain('not a tax receipt')
  const file = (await visitor.get('/dashboard/statement.csv?year=2025')).html
  const lines = file.trimEnd().split('\r\n')
  expect(lines.map((line) => line.split(',').at(-1))).toEqual(['tx_hash', ...given.map((row) => row.tx_hash)])
  expect(lines.map((line) => line.split(',')[5])).toEqual(['amount_usd', '20.00', '12.50'])
  expect(
    documentOf(await visitor.get('/dashboard/statement?year=2024')).querySelectorAll('tbody tr'),
  ).toHaveLength(1)
  for (const year of ['1999', '2999', 'x'])
    expect((await visitor.get(`/dashboard/statement?year=${year}`)).status, year).toBe(404)
  expect((await new Visitor(site.url).get('/dashboard/statement')).location).toMatch(/^\/auth/)
  await visitor.post(path, { intent: 'revoke', address: account.address })
})

test('lists what a proven wallet gave, until the proof is revoked', async () => {
  const visitor = await signUp()
  expect(await donationsOf(visitor)).toContain('Prove that a wallet is yours')
  const account = privateKeyToAccount(generatePrivateKey())
  const gift = giftFrom(account.address, 12.5)
  const service = clientOf(site.backend, site.backend.secretKey)
  const other = transaction({ type: 'gift', amount_usd: 99 })
  expect((await service.rpc('append_ledger', { entries: [gift, other] as never })).error).toBeNull()

  const { page, fields } = await prove(visitor, account)
  expect(page.location).toBe('/dashboard')
  expect(await donationsOf(await signUp()), 'another member').toContain('Prove that a wallet is yours')
  const shown = documentOf(await visitor.get('/dashboard'))
  expect(shown.structuredText).toContain("We now list this wallet's donations.")
  expect(await donationsOf(visitor)).toContain('1 donation · $0 verified')
  expect(await donationsOf(visitor)).toContain('$12.50')
  expect(await donationsOf(visitor)).not.toContain('$99.00')
  expect(await donationsOf(visitor)).toContain(account.address)

  const data = JSON.parse((await visitor.get('/dashboard/account/data')).html)
  expect(data.provenWallets).toEqual([{ address: account.address, provenAt: expect.any(String), ...fields }])

  expect((await visitor.post(path, fields)).status, 'the same message again').toBe(400)
  const stranger = await signUp()
  await stranger.post(path, { intent: 'revoke', address: account.address })
  expect(await donationsOf(visitor), 'a stranger revokes nothing').toContain('$12.50')

  const revoked = await visitor.post(path, { intent: 'revoke', address: account.address })
  expect(revoked.location).toBe('/dashboard')
  expect(toastOf(await visitor.get('/dashboard'))).toBe('Success Wallet removed from your account.')
  expect(await donationsOf(visitor)).toContain('Prove that a wallet is yours')
})

test('rejects a signature by a different wallet, and a message that was issued to a different member, for a sign-in or for a different wallet', async () => {
  const [visitor, stranger] = [await signUp(), await signUp()]
  const account = privateKeyToAccount(generatePrivateKey())
  const forged = privateKeyToAccount(generatePrivateKey())
  const post = async (message: string, signer = account) =>
    (await visitor.post(path, { message, signature: await signer.signMessage({ message }) })).html

  await messageFor(visitor, account.address)
  expect(await post(await messageFor(stranger, account.address))).toContain('was already used')
  const signIn = await visitor.get(`/auth/wallet?address=${account.address}`)
  expect(await post(JSON.parse(signIn.html).message)).toContain('signed a different message')
  expect(await post(await messageFor(visitor, account.address), forged)).toContain("doesn't match")
  const own = await messageFor(visitor, forged.address)
  expect(await post(own.replace(forged.address, account.address), forged)).toContain("doesn't match")
  expect(await site.backend.sql('select * from public.proven_wallets')).toEqual([])
})

test('a member can prove at most ten wallets, and a visitor can prove none', async () => {
  const visitor = await signUp()
  for (let made = 0; made < 10; made++) expect((await prove(visitor)).page.location).toBe('/dashboard')
  const { page } = await prove(visitor)
  expect(page.status).toBe(400)
  expect(page.html).toContain('up to ten wallets')
  expect((await new Visitor(site.url).get(`${path}?address=0x${'1'.repeat(40)}`)).location).toMatch(
    /^\/auth\?/,
  )
  expect((await new Visitor(site.url).post(path, {})).location).toMatch(/^\/auth\?/)
})

const siteOf = (SITE_URL: string, WALLET_CHAIN_ID = 56) => ({ SITE_URL, WALLET_CHAIN_ID })
const nonce = 'abcdef1234567890'

test('a row that a member inserts directly counts only if it is a valid proof for this member, site and time', async () => {
  const { visitor, client, id } = await signUpForBoth()
  const { id: strangerId } = await signUpForBoth()
  const account = privateKeyToAccount(generatePrivateKey())
  const forger = privateKeyToAccount(generatePrivateKey())
  const gift = giftFrom(account.address, 41.75)
  const service = clientOf(site.backend, site.backend.secretKey)
  expect((await service.rpc('append_ledger', { entries: [gift] as never })).error).toBeNull()

  const here = siteOf(site.url)
  const write = (of = here, statement: string | undefined = proofStatement(id), at = Date.now()) =>
    writeMessage(of, account.address, nonce, at, statement)
  const own = write()
  const rows: Record<string, { message: string; signature: string }> = {
    'a signature by another wallet': { message: own, signature: await forger.signMessage({ message: own }) },
    'no point of the curve': { message: own, signature: `0x${'f'.repeat(130)}` },
    'a signature of another message': {
      message: own,
      signature: await account.signMessage({ message: write(here, proofStatement(strangerId)) }),
    },
  }
  const replays: Record<string, string> = {
    'made for another member': write(here, proofStatement(strangerId)),
    'of a sign-in': writeMessage(here, account.address, nonce, Date.now()),
    'of another site': write(siteOf('https://evil.example')),
    'of another chain': write(siteOf(site.url, 97)),
    'that has expired': write(here, undefined, Date.now() - 7 * 60_000),
    'of the future': write(here, undefined, Date.now() + 2 * 60_000),
    'of the last time of a Date': own.replace(/Issued At: .*/, 'Issued At: +275760-09-13T00:00:00.000Z'),
    'that is no message of ours': 'Hello',
    'with markup': '<script>alert(1)</script>',
  }
  for (const [name, message] of Object.entries(replays))
    rows[`a message ${name}`] = { message, signature: await account.signMessage({ message }) }
  rows['a valid proof under the address of another wallet'] = {
    message: own.replace(account.address, forger.address),
    signature: await forger.signMessage({ message: own.replace(account.address, forger.address) }),
  }

  for (const [name, { message, signature }] of Object.entries(rows)) {
    const row = { user_id: id, address: account.address.toLowerCase(), message, signature }
    expect((await client.from('proven_wallets').insert(row)).error, name).toBeNull()
    const before = site.log.length
    const { status, html } = await visitor.get('/dashboard')
    expect(status, name).toBe(200)
    expect(html, name).not.toContain('41.75')
    expect(html.toLowerCase(), name).not.toContain(row.address)
    expect(html, name).toContain('Prove that a wallet is yours')
    expect(site.log.slice(before).join('\n'), name).toContain('"proven-wallets.not-verified"')
    const file = (await visitor.get('/dashboard/account/data')).html
    expect(JSON.parse(file).provenWallets, name).toEqual([])
    await client.from('proven_wallets').delete().eq('user_id', id)
  }

  // The same insert counts with a valid message and signature: the proofs make the difference.
  const signature = await account.signMessage({ message: own })
  const valid = { user_id: id, address: account.address.toLowerCase(), message: own, signature }
  expect((await client.from('proven_wallets').insert(valid)).error).toBeNull()
  expect(await donationsOf(visitor)).toContain('41.75')
})

test('a member with invalid rows can still prove a wallet', async () => {
  const { visitor, client, id } = await signUpForBoth()
  const account = privateKeyToAccount(generatePrivateKey())
  const signature = `0x${'9'.repeat(130)}`
  const junk = (address: string) => ({ user_id: id, address, message: 'Hello', signature })
  // First an invalid row with the wallet's address, then as many other rows as are accepted.
  await client.from('proven_wallets').insert(junk(account.address.toLowerCase()))
  expect((await prove(visitor, account)).page.location).toBe('/dashboard')
  const others = Array.from({ length: 9 }, (_, index) => junk(`0x${`${index}`.repeat(40)}`))
  expect((await client.from('proven_wallets').insert(others)).error).toBeNull()
  expect((await prove(visitor)).page.location).toBe('/dashboard')
  const { data } = await client.from('proven_wallets').select('message')
  expect(data?.map(({ message }) => message)).not.toContain('Hello')
  expect(data).toHaveLength(2)
  expect((await prove(visitor, account)).page.location, 'a wallet that is proven already').toBe('/dashboard')
})

test('a proof is not valid on a site with a different URL or chain, and is valid again on its own site', async () => {
  const { visitor } = await signUpForBoth()
  const { account } = await prove(visitor)
  const { url, publishableKey } = site.backend
  for (const changed of [
    { SITE_URL: 'https://new.example', CONTACT_EMAIL: 'a@new.example' },
    { WALLET_CHAIN_ID: '97' },
  ]) {
    const moved = await startSite({ url, publishableKey }, changed)
    try {
      const cookie = [...visitor.jar].map(([name, value]) => `${name}=${value}`).join('; ')
      // On https the names of cookies begin with __Host-.
      const secure = [...visitor.jar].map(([name, value]) => `__Host-${name}=${value}`).join('; ')
      const response = await moved.dispatch(
        `${'SITE_URL' in changed ? 'https://new.example' : moved.url}/dashboard`,
        { headers: { Accept: 'text/html', Cookie: 'SITE_URL' in changed ? secure : cookie } },
      )
      expect(response.status).toBe(200)
      expect(await response.text()).not.toContain(account.address)
    } finally {
      await moved.close()
    }
  }
  expect(await donationsOf(visitor)).toContain(account.address)
})
