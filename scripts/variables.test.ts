import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readStartOptions } from './variables.ts'
import { readWorkerConfig } from './worker-config.ts'

beforeEach(() => {
  // Empty variables override a developer's .dev.vars, which would change the results.
  for (const name of [
    'SITE_URL',
    'SUPABASE_URL',
    'SUPABASE_PUBLISHABLE_KEY',
    'CHAIN_RPC_URLS',
    'CONTACT_EMAIL',
  ])
    vi.stubEnv(name, '')
})
afterEach(() => vi.unstubAllEnvs())

test.each([
  ['PORT', 'abc', /^PORT must be a port number from 0 to 65535/],
  ['PORT', '-1', /^PORT must be a port number/],
  ['PORT', '65536', /^PORT must be a port number/],
  ['PORT', '80.5', /^PORT must be a port number/],
  ['PORT', '54324', /^PORT and MAIL_PORT are both 54324: give each a port of its own$/],
  ['SUPABASE_PORT', 'NaN', /^SUPABASE_PORT must be a port number/],
  ['SUPABASE_PORT', '54324', /^SUPABASE_PORT and MAIL_PORT are both 54324/],
  ['MAIL_PORT', '1e3', /^MAIL_PORT must be a port number/],
  ['CONFIRM_EMAIL', 'yes', /^CONFIRM_EMAIL must be 0 or 1$/],
  [
    'DATABASE_URL',
    'mysql://me:secret@host/x',
    /^DATABASE_URL must be postgresql:\/\/user:password@host:port\/database$/,
  ],
  ['DATABASE_URL', 'secret', /^DATABASE_URL must be postgresql:/],
  ['SITE_URL', 'ftp://x', /^Configuration: SITE_URL: /],
  ['SITE_URL', 'https://a.example', /^Configuration: CONTACT_EMAIL: is needed/],
  ['SUPABASE_URL', 'http://127.0.0.1:9', /^Configuration: SUPABASE_PUBLISHABLE_KEY: /],
  ['CHAIN_ID', 'bsc', /^Configuration: CHAIN_ID: /],
  ['TREASURY_WALLET', '0x1', /^Configuration: TREASURY_WALLET: must be a chain address/],
  ['LOG_KEY', 'abc', /^Configuration: LOG_KEY: /],
  [
    'STATEMENT_SOURCES',
    'cz_binance',
    /^Configuration: STATEMENT_SOURCES\.0: each must be x:<user id> or the https/,
  ],
  [
    'STATEMENT_SOURCES',
    'https://10.0.0.1/',
    /^Configuration: STATEMENT_SOURCES: 10\.0\.0\.1 must have a host name/,
  ],
  [
    'STATEMENT_SOURCES',
    'http://news.example.org/',
    /^Configuration: STATEMENT_SOURCES: .* must begin with https/,
  ],
  [
    'STATEMENT_SOURCES',
    'x:902926941413453824',
    /^Configuration: X_BEARER_TOKEN: is needed for a source of X$/,
  ],
  ['X_BEARER_TOKEN', 'se cret', /^Configuration: X_BEARER_TOKEN: must not contain spaces$/],
  [
    'STATEMENT_WORDS',
    'charity, …',
    /^Configuration: STATEMENT_WORDS\.1: each must have a letter or a digit$/,
  ],
  ['MAIL_FROM', 'Goodblock <mail>', /^Configuration: MAIL_FROM: must be an address/],
  ['MAIL_FROM', 'mail@goodblock.example', /^Configuration: MAIL_API_KEY: is needed with MAIL_FROM$/],
  ['MAIL_API_KEY', 're_secret', /^Configuration: MAIL_FROM: is needed with MAIL_API_KEY$/],
  [
    'FUNDME_QUORUM',
    '101',
    /^Configuration: FUNDME_QUORUM: must be a percentage above 0 and at most 100, with at most two decimals$/,
  ],
  [
    'FUNDME_EXCLUDED',
    '0x12',
    /^Configuration: FUNDME_EXCLUDED\.0: must be a chain address \(0x and 40 hex digits\)$/,
  ],
  [
    'WITNESSES',
    `w.example+00000000+B${'A'.repeat(43)} https://w.example`,
    /^Configuration: WITNESSES\.0: the key ID of a verifier key must belong to its name and key$/,
  ],
  ['MAIL_EVENTS_KEY', 'abc', /^Configuration: MAIL_EVENTS_KEY: must begin with whsec_$/],
])('refuses %s=%s in one sentence that contains the name of the variable', async (name, value, message) => {
  vi.stubEnv(name, value)
  const error = await readStartOptions().catch((thrown: Error) => thrown)
  expect(error).toBeInstanceOf(Error)
  expect((error as Error).message).toMatch(message)
  expect((error as Error).message).not.toMatch(/secret|\n/)
})

test('treats an empty variable as unset', async () => {
  for (const name of ['PORT', 'SUPABASE_PORT', 'MAIL_PORT', 'DATA_DIR', 'DATABASE_URL', 'CONFIRM_EMAIL'])
    vi.stubEnv(name, '')
  const { port, siteUrl, backend } = await readStartOptions()
  expect({ port, siteUrl, backend }).toMatchObject({
    port: 8787,
    siteUrl: 'http://127.0.0.1:8787',
    backend: { port: 54321, mailPort: 54324, databaseUrl: undefined, confirmations: false },
  })
  expect(backend?.dataDir).toMatch(/\/\.data$/)
})

test('with PORT=0, a free port is chosen and appears in the URL of the site', async () => {
  vi.stubEnv('PORT', '0')
  const { port, siteUrl } = await readStartOptions()
  expect(port).toBeGreaterThan(1023)
  expect(siteUrl).toBe(`http://127.0.0.1:${port}`)
})

test('with a hosted project, no embedded backend starts and DATABASE_URL is refused', async () => {
  vi.stubEnv('SUPABASE_URL', 'https://project.supabase.co')
  vi.stubEnv('SUPABASE_PUBLISHABLE_KEY', 'sb_publishable_x')
  expect((await readStartOptions()).backend).toBeNull()
  vi.stubEnv('DATABASE_URL', 'postgresql://127.0.0.1/x')
  await expect(readStartOptions()).rejects.toThrow(/^DATABASE_URL is for the embedded backend, /)
})

const stubPayer = (endpoints: string) => {
  vi.stubEnv('PAYER_KEY', `0x${'0'.repeat(63)}1`)
  vi.stubEnv('CHAIN_RPC_URLS', endpoints)
  vi.stubEnv('CHAIN_START_BLOCK', '1')
  vi.stubEnv('CHAIN_TOKENS', `USDT:0x${'c'.repeat(40)}:18:usd`)
  vi.stubEnv('TREASURY_WALLET', `0x${'a'.repeat(40)}`)
}

test.each([
  ['', false],
  ['https://a.example', false],
  ['https://a.example/1 https://a.example/2', false],
  ['https://a.example https://b.example', true],
  ['http://127.0.0.1:1', false],
  ['http://127.0.0.1:1 http://127.0.0.1:2', true],
])('a payer needs endpoints of two host names, or two of this machine: %s', async (endpoints, isEnough) => {
  stubPayer(endpoints)
  const options = readStartOptions()
  if (isEnough) await expect(options).resolves.toBeTruthy()
  else
    await expect(options).rejects.toThrow('Configuration: CHAIN_RPC_URLS: must be two or more, of two host')
})

const curveOrder = '0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
test.each(['PAYER_KEY', 'ANCHOR_KEY'])(
  'refuses a %s that is no private key, and prints no digit of it',
  async (name) => {
    stubPayer('https://a.example https://b.example')
    for (const key of [`0x${'0'.repeat(64)}`, curveOrder, `0x${'f'.repeat(64)}`, `0x${'7'.repeat(63)}`]) {
      vi.stubEnv(name, key)
      const fault = await readStartOptions().catch((error: Error) => error.message)
      expect(fault).toMatch(new RegExp(`^Configuration: ${name}: must be`))
      expect(fault).not.toMatch(/[1-9a-f]{8}|0{8}|\\d{8}/)
    }
    vi.stubEnv(name, `${curveOrder.slice(0, -1)}0`)
    await expect(readStartOptions()).resolves.toBeTruthy()
  },
)

test.each([
  ['ANCHOR_KEY', `0x${'0'.repeat(63)}1`, 'must not be the key of the anchors'],
  [
    'LOG_KEY',
    Buffer.from(`302e020100300506032b657004220420${'0'.repeat(63)}1`, 'hex').toString('base64'),
    'must not be the key of the log',
  ],
  ['DONATION_WALLET', '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf', 'must not be the key of a paying wallet'],
])('refuses a PAYER_KEY that is the key of %s', async (name, value, says) => {
  stubPayer('https://a.example https://b.example')
  await expect(readStartOptions()).resolves.toBeTruthy()
  vi.stubEnv(name, value)
  await expect(readStartOptions()).rejects.toThrow(`Configuration: PAYER_KEY: ${says}`)
})

test('npm start takes from wrangler.toml what it uses, and leaves to wrangler what a deployment adds', () => {
  const ours = readFileSync('wrangler.toml', 'utf8')
  const domain = 'account_id = "a"\nroutes = [{ pattern = "site.example", custom_domain = true }]\n'
  const deployment =
    '[limits]\ncpu_ms = 50\n[placement]\nmode = "smart"\n[env.production.vars]\nSITE_URL = "https://site.example"\n'
  expect(readWorkerConfig(`${domain}${ours}\n${deployment}`)).toEqual(readWorkerConfig(ours))
  expect(() => readWorkerConfig(ours.replace('[triggers]', '[trigger]'))).toThrow('wrangler.toml: ')
})

test('npm run deploy refuses the address of this machine before it builds or uploads, and says what it cannot check', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/deploy.ts'], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([
    1,
    'refused: SITE_URL is http://127.0.0.1:8787: it must be the https address of the site, or every visitor is sent there\n',
  ])
  expect(stdout).toMatch(/^Not checked, because only the account can show it:\n- npx wrangler secret list: /)
  expect(stdout).not.toMatch(/\bOK\b|[Bb]uilding|[Uu]pload/)
})
