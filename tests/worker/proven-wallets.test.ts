import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, type SiteWithBackend, startSite, startSiteWithBackend } from '../support/site.ts'
import { clientOf, transaction } from '../support/temporary-backend.ts'
import { documentOf, toastOf, Visitor } from '../support/visitor.ts'

/** Without the secret key, so it cannot store a proof. */
let keyless: SiteWithBackend
let site: Site

beforeAll(async () => {
  keyless = await startSiteWithBackend()
  const { url, publishableKey, secretKey } = keyless.backend
  site = await startSite({ url, publishableKey }, { SUPABASE_SECRET_KEY: secretKey })
})
afterAll(async () => {
  await site.close()
  await keyless.close()
})

const path = '/dashboard/wallets'
let members = 0

async function signUp(url = site.url): Promise<Visitor> {
  const visitor = new Visitor(url)
  const fields = { email: `wallet-${++members}@example.com`, password: 'a good password', username: 'Ada' }
  expect((await visitor.post('/auth', { intent: 'sign-up', ...fields })).location).toBe('/dashboard')
  await visitor.get('/dashboard')
  return visitor
}

async function messageFor(visitor: Visitor, address: string): Promise<string> {
  const { status, html } = await visitor.get(`${path}?address=${address}`)
  expect(status).toBe(200)
  return JSON.parse(html).message
}

/** Lets a visitor prove the wallet with this key. */
async function prove(visitor: Visitor, account = privateKeyToAccount(generatePrivateKey())) {
  const message = await messageFor(visitor, account.address)
  const fields = { message, signature: await account.signMessage({ message }) }
  return { account, fields, page: await visitor.post(path, fields) }
}

const donationsOf = async (visitor: Visitor) =>
  documentOf(await visitor.get('/dashboard'))
    .querySelector('[aria-labelledby="donations-title"]')
    ?.structuredText.replace(/\s+/g, ' ') ?? ''

test('lists what a proven wallet gave, until the proof is revoked', async () => {
  const visitor = await signUp()
  expect(await donationsOf(visitor)).toContain('Show us that a wallet is yours')
  const account = privateKeyToAccount(generatePrivateKey())
  const gift = transaction({
    type: 'gift',
    amount_usd: 12.5,
    from_address: account.address.toLowerCase(),
    account: 'education',
    pool_slug: 'education',
  })
  const service = clientOf(keyless.backend, keyless.backend.secretKey)
  const other = transaction({ type: 'gift', amount_usd: 99 })
  expect((await service.rpc('append_ledger', { entries: [gift, other] as never })).error).toBeNull()

  const { page, fields } = await prove(visitor, account)
  expect(page.location).toBe('/dashboard')
  expect(await donationsOf(await signUp()), 'another member').toContain('Show us that a wallet is yours')
  const shown = documentOf(await visitor.get('/dashboard'))
  expect(shown.structuredText).toContain('We now list what this wallet gave.')
  expect(await donationsOf(visitor)).toContain('1 donation · $0.00 verified')
  expect(await donationsOf(visitor)).toContain('$12.50')
  expect(await donationsOf(visitor)).not.toContain('$99.00')
  expect(await donationsOf(visitor)).toContain(account.address)

  const data = JSON.parse((await visitor.get('/dashboard/account/data')).html)
  expect(data.provenWallets).toEqual([{ address: account.address, provenAt: expect.any(String) }])

  expect((await visitor.post(path, fields)).status, 'the same message again').toBe(400)
  const stranger = await signUp()
  await stranger.post(path, { intent: 'revoke', address: account.address })
  expect(await donationsOf(visitor), 'a stranger revokes nothing').toContain('$12.50')

  const revoked = await visitor.post(path, { intent: 'revoke', address: account.address })
  expect(revoked.location).toBe('/dashboard')
  expect(toastOf(await visitor.get('/dashboard'))).toBe('Success Wallet removed from your account.')
  expect(await donationsOf(visitor)).toContain('Show us that a wallet is yours')
})

test('refuses a message of another member, of the sign-in, with another signature or for another wallet', async () => {
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
  expect(await keyless.backend.sql('select * from public.proven_wallets')).toEqual([])
})

test('proves at most ten wallets, and none for a visitor', async () => {
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

test('a deployment without the secret key says that it cannot store a proof', async () => {
  const visitor = await signUp(keyless.url)
  expect(await donationsOf(visitor)).toContain("can't add wallets right now")
  const { page } = await prove(visitor)
  expect(page.status).toBe(503)
})
