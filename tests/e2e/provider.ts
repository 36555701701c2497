import type { Page } from '@playwright/test'

/** What a wallet returns for a request: its answer, or the code of the error that it throws. */
export interface Reply {
  answer?: unknown
  code?: number
}

/** Installs an EIP-1193 provider at window.ethereum. `reply` receives each request. Returns the list of requests. */
export async function installProvider(
  page: Page,
  reply: (method: string, params: unknown[]) => Reply | Promise<Reply>,
) {
  const asked: { method: string; params: unknown[] }[] = []
  await page.exposeFunction('askProvider', (method: string, params: unknown[] = []) => {
    asked.push({ method, params })
    return reply(method, params)
  })
  await page.addInitScript(() => {
    type Ask = (method: string, params?: unknown[]) => Promise<Reply>
    const request = async ({ method, params }: { method: string; params?: unknown[] }) => {
      const { answer, code } = await (window as unknown as { askProvider: Ask }).askProvider(method, params)
      if (code) throw Object.assign(new Error('refused'), { code })
      return answer
    }
    Object.assign(window, { ethereum: { request } })
  })
  return asked
}
