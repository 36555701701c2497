import { expect, test } from 'vitest'
import { phoneWalletHosts, phoneWallets } from './phone-wallets'

const page = new URL('https://goodblock.example/ar/donate?to=education&token=USDT&amount=20')

/** The page that an app opens, read from its link as its document describes it. */
const opened: Record<string, (link: URL) => string | null> = {
  MetaMask: (link) =>
    link.pathname.startsWith('/dapp/') ? `https://${link.href.slice(`${link.origin}/dapp/`.length)}` : null,
  'Trust Wallet': ({ searchParams }) =>
    searchParams.get('coin_id') === '20000714' ? searchParams.get('url') : null,
  'OKX Wallet': ({ searchParams }) => {
    const inner = new URL(searchParams.get('deeplink') ?? '')
    return inner.href.startsWith('okx://wallet/dapp/url?') ? inner.searchParams.get('dappUrl') : null
  },
  'Bitget Wallet': ({ searchParams }) =>
    searchParams.get('action') === 'dapp' ? searchParams.get('url') : null,
  TokenPocket: ({ href, searchParams }) =>
    href.startsWith('tpdapp://open?') ? JSON.parse(searchParams.get('params') ?? '').url : null,
}

test('the link of each wallet app opens the same page, with cause, token and amount', () => {
  expect(phoneWallets.map(({ name }) => name)).toEqual(Object.keys(opened))
  for (const { name, link } of phoneWallets)
    expect([name, opened[name]?.(new URL(link(page)))]).toEqual([name, page.href])
})

test('/privacy can name the site of each link', () => {
  expect(phoneWalletHosts).toEqual(['link.metamask.io', 'link.trustwallet.com', 'web3.okx.com', 'bkcode.vip'])
})
