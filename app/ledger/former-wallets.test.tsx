import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { readConfig } from '../platform/server/env.server'
import { FormerWallets } from './former-wallets'

const least = {
  SITE_URL: 'https://goodblock.example',
  CONTACT_EMAIL: 'hello@goodblock.example',
  SUPABASE_URL: 'https://project.supabase.co',
  SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_test',
}
const address = `0x${'aB'.repeat(20)}`

test.each([
  ['lost', 'can move the money in it'],
  ['stolen', 'goes to the thief'],
  ['replaced', 'with a new wallet'],
])('warns against a wallet that was %s', (reason, words) => {
  const config = readConfig({ ...least, FORMER_WALLETS: `treasury:${address}:2026-11-20:${reason}` })
  const html = renderToStaticMarkup(<FormerWallets wallets={config.FORMER_WALLETS} />)
  for (const text of ['Treasury', '20 Nov 2026', address, words]) expect(html).toContain(text)
})

test('shows no warning if there is no former wallet, and refuses a malformed entry', () => {
  expect(renderToStaticMarkup(<FormerWallets wallets={[]} />)).toBe('')
  for (const entry of [address, `treasury:${address}`, `treasury:${address}:yesterday:lost`])
    expect(() => readConfig({ ...least, FORMER_WALLETS: entry })).toThrow(/FORMER_WALLETS/)
})
