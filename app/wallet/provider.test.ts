import { afterEach, describe, expect, test, vi } from 'vitest'
import { declined, notDeclined, unknownChain, type WalletError } from '../../tests/support/wallet-errors.ts'
import { findWallets, type Wallet } from './browser.ts'
import { switchChain } from './chain.ts'
import { rejectionOf } from './provider.ts'

const cases = (errors: WalletError[]) =>
  errors.map(({ wallet, error }): [string, unknown] => [`${wallet}: ${JSON.stringify(error)}`, error])

test.each(cases(declined))('a person who declines is recognised: %s', (_, error) => {
  expect(rejectionOf(error)).toBe('declined')
})

test.each(cases([...notDeclined, ...unknownChain]))('no person declined: %s', (_, error) => {
  expect(rejectionOf(error)).toBe('silent')
})

test.each([
  [{ code: -32603, data: { originalError: { code: 4900 } } }, 'offline'],
  [{ code: 'x', cause: { code: -32002 } }, 'busy'],
  [null, 'silent'],
  [undefined, 'silent'],
])('the error %j is %s', (error, rejection) => {
  expect(rejectionOf(error)).toBe(rejection)
})

describe('a wallet on another chain', () => {
  const sayNothing = { querySelectorAll: () => [], documentElement: {} }
  const isDeclined = { code: 4001 }

  /** A wallet that knows one chain. `switches`: adding a chain also switches to it. */
  function walletWithout(error: unknown, { switches = true, add = undefined as unknown } = {}) {
    vi.stubGlobal('document', sayNothing)
    const asked: string[] = []
    const chains = ['0x1']
    let current = '0x1'
    const request = async ({ method, params = [] }: { method: string; params?: unknown[] }) => {
      const { chainId = '' } = (params[0] ?? {}) as { chainId?: string }
      if (method === 'eth_chainId') return current
      asked.push(method)
      if (method === 'wallet_addEthereumChain') {
        if (add) throw add
        expect(params).toEqual([
          {
            chainId: '0x38',
            chainName: 'BNB Smart Chain',
            nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
            rpcUrls: ['https://bsc-dataseed.bnbchain.org'],
            blockExplorerUrls: ['https://bscscan.com'],
          },
        ])
        chains.push(chainId)
        if (switches) current = chainId
      } else if (chains.includes(chainId)) current = chainId
      else throw error
      return null
    }
    return { provider: { request }, asked }
  }
  afterEach(() => void vi.unstubAllGlobals())

  const change = 'wallet_switchEthereumChain'
  const add = 'wallet_addEthereumChain'

  test.each(cases(unknownChain))('is asked to add the chain, and uses it: %s', async (_, error) => {
    const { provider, asked } = walletWithout(error)
    await switchChain(provider, 56, 'BNB Smart Chain')
    expect(asked).toEqual([change, add])
    const slow = walletWithout(error, { switches: false })
    await switchChain(slow.provider, 56, 'BNB Smart Chain')
    expect(slow.asked).toEqual([change, add, change])
  })

  test('is not asked again after the person declined', async () => {
    const first = walletWithout(isDeclined)
    await expect(switchChain(first.provider, 56, 'BNB Smart Chain')).rejects.toEqual(isDeclined)
    expect(first.asked).toEqual([change])
    const second = walletWithout({ code: 4902 }, { add: isDeclined })
    await expect(switchChain(second.provider, 56, 'BNB Smart Chain')).rejects.toEqual(isDeclined)
  })

  test('that cannot add a chain leads to a sentence', async () => {
    const { provider } = walletWithout({ code: 4902 }, { add: { code: -32601 } })
    await expect(switchChain(provider, 56, 'BNB Smart Chain')).rejects.toThrow('cannotSwitch')
    const other = walletWithout({ code: 4902 })
    await expect(switchChain(other.provider, 31337, 'Test')).rejects.toThrow('cannotSwitch')
    expect(other.asked).toEqual([change])
  })
})

describe('a wallet that appears after the page has loaded', () => {
  const provider = { request: async () => null }
  const detail = (name: string, uuid = 'a') => ({ detail: { info: { uuid, name }, provider } })

  /** Starts the search in an empty browser. Returns its window and the wallets that were reported last. */
  function search() {
    vi.useFakeTimers()
    const page = Object.assign(new EventTarget(), {}) as EventTarget & { ethereum?: unknown }
    vi.stubGlobal('window', page)
    const found: { last: Wallet[] } = { last: [] }
    const end = findWallets((all) => {
      found.last = all
    })
    return { page, found, end }
  }
  const announce = (page: EventTarget, name: string, uuid?: string) =>
    page.dispatchEvent(Object.assign(new Event('eip6963:announceProvider'), detail(name, uuid)))
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  test('is found when it announces itself, once for each provider', () => {
    const { page, found } = search()
    announce(page, 'Fox')
    announce(page, 'Fox', 'b')
    expect(found.last.map(({ name }) => name)).toEqual(['Fox'])
  })

  // https://docs.metamask.io/wallet/concepts/wallet-api: MetaMask for phones injects its provider late; so do others:
  // https://github.com/DeltaPrimeLabs/deltaprime-primeloans/issues/298, https://github.com/rainbow-me/rainbowkit/pull/1504
  test('is found when it is injected, with the event of MetaMask or without an event', () => {
    const late = search()
    late.page.ethereum = provider
    expect(late.found.last).toEqual([])
    late.page.dispatchEvent(new Event('ethereum#initialized'))
    expect(late.found.last).toHaveLength(1)
    late.end()
    const silent = search()
    vi.advanceTimersByTime(3_000)
    silent.page.ethereum = provider
    vi.advanceTimersByTime(1_000)
    expect(silent.found.last).toHaveLength(1)
  })

  // https://github.com/brave/brave-browser/issues/35237: nothing exists before the page asks for providers.
  test('is found when it answers the question of the page', () => {
    vi.stubGlobal('window', new EventTarget())
    const found: Wallet[][] = []
    window.addEventListener('eip6963:requestProvider', () => announce(window, 'Lion'))
    findWallets((all) => found.push(all))()
    expect(found.at(-1)?.map(({ name }) => name)).toEqual(['Lion'])
  })

  // https://github.com/guildxyz/guild.xyz/issues/1161: a wallet without announcements, then one that announces itself
  test('replaces the wallet without a name if both have one provider', () => {
    const { page, found } = search()
    page.ethereum = provider
    page.dispatchEvent(new Event('ethereum#initialized'))
    expect(found.last.map(({ id }) => id)).toEqual(['window'])
    announce(page, 'Taho')
    expect(found.last.map(({ name }) => name)).toEqual(['Taho'])
  })

  test('does not hide another wallet without a name, which announces nothing', () => {
    const { page, found } = search()
    page.ethereum = { request: async () => 'older' }
    announce(page, 'Taho')
    expect(found.last.map(({ name, provider }) => [name, provider === page.ethereum])).toEqual([
      ['Taho', false],
      ['', true],
    ])
  })

  test('is not looked for after the page has ended the search', () => {
    const { page, found, end } = search()
    end()
    page.ethereum = provider
    vi.advanceTimersByTime(60_000)
    announce(page, 'Fox')
    expect(found.last).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('has a name without direction characters, cut at a whole character', () => {
    const { page, found } = search()
    announce(page, `\u202e${'👨‍👩‍👧'.repeat(41)}`)
    expect(found.last[0]?.name).toBe('👨‍👩‍👧'.repeat(40))
  })
})
