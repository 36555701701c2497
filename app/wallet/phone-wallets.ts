const encode = encodeURIComponent

/**
 * Wallet apps for phones, each with its link that opens a page inside the app. The forms are those of the apps' own
 * documents:
 * - https://docs.metamask.io/metamask-connect/evm/guides/metamask-exclusive/use-deeplinks (not encoded)
 * - https://developer.trustwallet.com/developer/develop-for-trust/deeplinking; its universal_asset_id page gives
 *   20000714 as the number of BNB Smart Chain
 * - https://web3.okx.com/build/docs/waas/app-universal-link
 * - https://docs.bitkeep.com/en/docs/guide/mobile/Deeplink.html
 * - https://github.com/TP-Lab/TokenPocket-Protocol, 'Dapp browser open url'
 *
 * The Binance app is not here: since 2026-10-30 no link opens a page in it
 * (https://developers.binance.com/en/docs/products/web3-connect/change-log).
 */
export const phoneWallets: readonly { name: string; link: (page: URL) => string }[] = [
  {
    name: 'MetaMask',
    link: ({ host, pathname, search }) => `https://link.metamask.io/dapp/${host}${pathname}${search}`,
  },
  {
    name: 'Trust Wallet',
    link: ({ href }) => `https://link.trustwallet.com/open_url?coin_id=20000714&url=${encode(href)}`,
  },
  {
    name: 'OKX Wallet',
    link: ({ href }) =>
      `https://web3.okx.com/download?deeplink=${encode(`okx://wallet/dapp/url?dappUrl=${encode(href)}`)}`,
  },
  { name: 'Bitget Wallet', link: ({ href }) => `https://bkcode.vip?action=dapp&url=${encode(href)}` },
  {
    name: 'TokenPocket',
    link: ({ href }) => `tpdapp://open?params=${encode(JSON.stringify({ url: href, chain: 'BSC' }))}`,
  },
]

/** The sites that these links ask. TokenPocket's link asks none. */
export const phoneWalletHosts: readonly string[] = phoneWallets
  .map(({ link }) => new URL(link(new URL('https://example.org/'))))
  .filter(({ protocol }) => protocol === 'https:')
  .map(({ host }) => host)
