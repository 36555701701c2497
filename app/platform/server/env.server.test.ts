import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readConfig, variableNames } from './env.server.ts'

/** The variables that only tests set. */
const forTests = ['READ_TIMEOUT_MS', 'CLOCK_RATE', 'CLOCK_START', 'PAGE_CACHE']
const least = {
  SITE_URL: 'https://a.example',
  CONTACT_EMAIL: 'hello@a.example',
  SUPABASE_URL: 'https://b.example',
  SUPABASE_PUBLISHABLE_KEY: 'x',
}

test('.dev.vars.example has every variable, each with a comment', () => {
  const lines = readFileSync('.dev.vars.example', 'utf8').split('\n')
  const assigned = lines.flatMap((line, at) => {
    const name = /^([A-Z_]+)=/.exec(line)?.[1]
    return name ? [{ name, before: lines[at - 1] }] : []
  })
  expect(assigned.map(({ name }) => name).sort()).toEqual(
    variableNames.filter((name) => !forTests.includes(name)).sort(),
  )
})

test('an empty variable counts as not set', () => {
  const empty = Object.fromEntries(variableNames.map((name) => [name, '']))
  expect(readConfig({ ...empty, ...least })).toEqual(readConfig({ ...least }))
})

test('an incomplete chain configuration causes an error whose message does not contain the wrong value', () => {
  const env = { ...least, CHAIN_RPC_URLS: 'https://a.example/secret, https://b.example' }
  expect(() => readConfig(env)).toThrow(/CHAIN_START_BLOCK.*CHAIN_TOKENS.*TREASURY_WALLET/)
  const token = `USDT:0x${'A'.repeat(40)}:18:usd`
  for (const bad of ['USDT', `${token}x`, `USDT:0x12:18`, `${token} BNB:native`]) {
    const read = () => readConfig({ ...least, CHAIN_TOKENS: bad, LOG_KEY: 'secret' })
    expect(read).toThrow(/LOG_KEY.*CHAIN_TOKENS/)
    expect(read).not.toThrow(/USDT|secret/)
  }
  const config = readConfig({
    ...least,
    CHAIN_TOKENS: `${token} BNB:native:18:0x${'b'.repeat(40)},CAT:native:0`,
  })
  expect(config.CHAIN_TOKENS).toEqual([
    { symbol: 'USDT', address: `0x${'a'.repeat(40)}`, decimals: 18, value: 'usd' },
    { symbol: 'BNB', address: null, decimals: 18, value: { feed: `0x${'b'.repeat(40)}` } },
    { symbol: 'CAT', address: null, decimals: 0, value: null },
  ])
})

test('FundMe requires the variables that its jobs need, except in the demonstration, which runs no jobs', () => {
  const open = { ...least, FUNDME_OPEN: '1' }
  expect(() => readConfig(open)).toThrow(/SUPABASE_SECRET_KEY: is needed with FUNDME_OPEN; CHAIN_RPC_URLS/)
  expect(readConfig({ ...open, DEMO: '1' }).FUNDME_OPEN).toBe(true)
  expect(readConfig(least).FUNDME_OPEN).toBe(false)
})

test('a site that others can open names a way to contact it; a site of this machine and the demonstration need none', () => {
  const { CONTACT_EMAIL, ...without } = least
  expect(() => readConfig(without)).toThrow(/CONTACT_EMAIL: is needed, or COMMUNITY_URL or SOCIAL_URL/)
  expect(() => readConfig({ ...without, SITE_URL: 'http://192.168.1.5:8787' })).toThrow(/CONTACT_EMAIL/)
  for (const more of [
    { CONTACT_EMAIL },
    { COMMUNITY_URL: 'https://t.me/a' },
    { SOCIAL_URL: 'https://x.com/a' },
    { DEMO: '1' },
    ...['127.0.0.1', 'localhost', '[::1]'].map((host) => ({ SITE_URL: `http://${host}:8787` })),
  ])
    expect(readConfig({ ...without, ...more }).CONTACT_EMAIL).toBe(
      'CONTACT_EMAIL' in more ? CONTACT_EMAIL : undefined,
    )
})

test('the name of the log is LOG_ORIGIN; if LOG_ORIGIN is missing, the name comes from the URL of the site', () => {
  expect(readConfig(least).LOG_ORIGIN).toBe('a.example/transparency/log')
  expect(readConfig({ ...least, LOG_ORIGIN: 'goodblock.example/log' }).LOG_ORIGIN).toBe(
    'goodblock.example/log',
  )
  expect(() => readConfig({ ...least, LOG_ORIGIN: 'a b' })).toThrow(/LOG_ORIGIN/)
})

test('the error for a wrong value contains the name of the variable, and does not contain the value', () => {
  const env = { ...least, SUPABASE_URL: 'ftp://secret-host', TREASURY_WALLET: '0xsecret' }
  expect(() => readConfig(env)).toThrow(/SUPABASE_URL.*TREASURY_WALLET/)
  expect(() => readConfig(env)).not.toThrow(/secret/)
})

test('PAYER_KEY must be a key of the curve, which no message shows, and needs endpoints of two host names', () => {
  const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
  for (const wrong of ['0'.repeat(64), order, 'f'.repeat(64), '1'.repeat(63), '1'.repeat(65), 'seed']) {
    const read = () => readConfig({ ...least, PAYER_KEY: `0x${wrong}` })
    expect(read).toThrow(/PAYER_KEY: must be/)
    expect(read).not.toThrow(new RegExp(`${wrong.slice(0, 8)}|${BigInt(`0x${order}`)}`))
  }
  const hosts = /CHAIN_RPC_URLS: must be two or more, of two host names/
  const reading = (urls: string) => () =>
    readConfig({ ...least, PAYER_KEY: `0x${'1'.repeat(64)}`, CHAIN_RPC_URLS: urls })
  for (const urls of ['', 'https://a.example', 'https://a.example/one https://a.example/two'])
    expect(reading(urls)).toThrow(hosts)
  for (const urls of ['https://a.example https://b.example', 'http://127.0.0.1:8545 http://127.0.0.1:8546'])
    expect(reading(urls)).not.toThrow(hosts)
})
