import type { Page } from '@playwright/test'

/** A wallet's reply to a request: a result, or the code of the error that the wallet throws. */
export interface Reply {
  answer?: unknown
  code?: number
}

/** A request that a wallet received. `wallet`: its name, or '' for the one at window.ethereum. */
interface WalletRequest {
  wallet: string
  method: string
  params: unknown[]
}

/**
 * Installs EIP-1193 providers. With names, each name gets a provider that announces itself (EIP-6963);
 * without names, one provider is at window.ethereum. `reply` receives each request. Returns the list of
 * requests.
 */
export async function installProvider(
  page: Page,
  reply: (method: string, params: unknown[]) => Reply | Promise<Reply>,
  names: string[] = [''],
) {
  const requests: WalletRequest[] = []
  await page.exposeFunction('askProvider', (wallet: string, method: string, params: unknown[] = []) => {
    requests.push({ wallet, method, params })
    return reply(method, params)
  })
  await page.addInitScript((all) => {
    type Ask = (wallet: string, method: string, params?: unknown[]) => Promise<Reply>
    const providerOf = (wallet: string) => ({
      request: async ({ method, params }: { method: string; params?: unknown[] }) => {
        const { askProvider } = window as unknown as { askProvider: Ask }
        const { answer, code } = await askProvider(wallet, method, params)
        if (code) throw Object.assign(new Error('refused'), { code })
        return answer
      },
    })
    for (const name of all) {
      const provider = providerOf(name)
      if (!name) {
        Object.assign(window, { ethereum: provider })
        continue
      }
      const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
      const info = { uuid: crypto.randomUUID(), name, icon, rdns: 'example.wallet' }
      const announce = () =>
        window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }))
      window.addEventListener('eip6963:requestProvider', announce)
    }
  }, names)
  return requests
}
