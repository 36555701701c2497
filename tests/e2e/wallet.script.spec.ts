import type { Page } from '@playwright/test'
import { type Hex, hexToString } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, expectAccessible, expectToast, test } from './fixtures.ts'

interface FakeWallet {
  address: string
  /** The messages that the wallet signed, in order. */
  seen: string[]
  /** The error code with which the wallet rejects every request to sign. */
  error?: number
}

interface Options {
  /** The name that the wallet announces (EIP-6963). One without is at window.ethereum. */
  name?: string
  key?: Hex
  /** Signs with a key that does not belong to its account. */
  forged?: boolean
}

/** Installs a wallet with the test's key in the browser. */
async function installWallet(page: Page, { name, key = generatePrivateKey(), forged }: Options = {}) {
  const account = privateKeyToAccount(key)
  const signer = forged ? privateKeyToAccount(generatePrivateKey()) : account
  const wallet: FakeWallet = { address: account.address, seen: [] }
  await page.exposeFunction('askWallet', async (method: string, params: unknown[] = []) => {
    if (method === 'eth_requestAccounts') return { answer: [account.address] }
    if (method !== 'personal_sign') return { code: 4200 }
    if (wallet.error) return { code: wallet.error }
    const message = hexToString(params[0] as Hex)
    wallet.seen.push(message)
    return { answer: await signer.signMessage({ message }) }
  })
  await page.addInitScript((announced) => {
    type Ask = (method: string, params?: unknown[]) => Promise<{ answer?: unknown; code?: number }>
    const { askWallet } = window as unknown as { askWallet: Ask }
    const provider = {
      request: async ({ method, params }: { method: string; params?: unknown[] }) => {
        const { answer, code } = await askWallet(method, params)
        if (code) throw Object.assign(new Error('refused'), { code })
        return answer
      },
    }
    if (!announced) {
      Object.assign(window, { ethereum: provider })
      return
    }
    const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
    const info = { uuid: crypto.randomUUID(), name: announced, icon, rdns: 'example.wallet' }
    const announce = () =>
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }))
    window.addEventListener('eip6963:requestProvider', announce)
    announce()
  }, name)
  return wallet
}

/** Changes the site's message before it reaches the wallet. */
async function changeMessage(page: Page, change: (message: string) => string) {
  await page.route('**/auth/wallet?address=*', async (route) => {
    const response = await route.fetch()
    const { message } = (await response.json()) as { message: string }
    await route.fulfill({ response, json: { message: change(message) } })
  })
}

test.describe('sign-in with a wallet needs JavaScript, because wallets in the browser have only a JavaScript interface', () => {
  test('a visitor creates an account with a wallet, and signs in again', async ({ page, baseURL }) => {
    const wallet = await installWallet(page, { name: 'Fox & Co' })
    await page.goto('/auth?redirectTo=%2Fdashboard%3Fedit%3Dprofile')
    await expect(page.getByRole('button', { name: 'Continue with Fox & Co' })).toBeVisible()
    await expectAccessible(page, true)
    await page.getByRole('button', { name: 'Continue with Fox & Co' }).click()
    await expect(page).toHaveURL(/\/dashboard\?edit=profile$/)
    await expectToast(page, 'status', 'Welcome!', 'You have signed in with your wallet.')
    await page.getByLabel('Username').fill('Fox')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const profile = page.getByRole('region', { name: 'Profile' })
    await expect(profile.getByText('Fox', { exact: true })).toBeVisible()
    await expect(profile).toContainText(/Email\s*Not set/)
    await expect(profile).toContainText(new RegExp(`${wallet.address}\\s*Proven to be yours`))
    await expectAccessible(page, true)

    const host = new URL(baseURL as string).host
    expect(wallet.seen[0]).toMatch(
      new RegExp(`^${host} wants you to sign in with your Ethereum account:\n${wallet.address}\n\n`),
    )
    expect(wallet.seen[0]).toContain(`\nURI: ${baseURL}\nVersion: 1\nChain ID: 56\nNonce: `)

    // A member without an email address and a password cannot have a second factor.
    await page.goto('/dashboard/account/factor')
    await expect(page.getByRole('main')).toContainText('You sign in with your wallet')
    await expect(page.getByRole('button', { name: 'Set up' })).toHaveCount(0)

    await page.context().clearCookies()
    await page.goto('/auth')
    await page.getByRole('button', { name: 'Continue with Fox & Co' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(profile.getByText('Fox', { exact: true })).toBeVisible()
  })

  test('a wallet that announces nothing is offered beside one that announces itself', async ({ page }) => {
    const older = await installWallet(page)
    await page.addInitScript(() => {
      const detail = { info: { uuid: 'a', name: 'Fox' }, provider: { request: async () => null } }
      window.addEventListener('eip6963:requestProvider', () =>
        window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })),
      )
    })
    await page.goto('/auth')
    await expect(page.getByRole('button', { name: 'Continue with Fox' })).toBeVisible()
    await page.getByRole('button', { name: 'Continue with another wallet in this browser' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    expect(older.seen).toHaveLength(1)
  })

  test('a wallet that never answers is named after half a minute, and can be asked again; contract wallets are told first', async ({
    page,
  }) => {
    await page.clock.install()
    await page.addInitScript(() => {
      const answer = new Promise(() => {})
      Object.assign(window, { asked: 0 })
      const request = () => {
        Object.assign(window, { asked: (window as unknown as { asked: number }).asked + 1 })
        return answer
      }
      Object.assign(window, { ethereum: { request } })
    })
    await page.goto('/auth')
    await expect(page.getByText('Contract wallets, such as a Safe, can')).toBeVisible()
    const button = page.getByRole('button', { name: 'Continue with your wallet' })
    for (const times of [1, 2]) {
      await button.click()
      await expect(page.getByRole('button', { name: 'Loading...' })).toBeDisabled()
      await page.clock.runFor(31_000)
      await expect(page.getByRole('alert')).toContainText("Your wallet hasn't answered yet.")
      await expect(button).toBeEnabled()
      expect(await page.evaluate(() => (window as unknown as { asked: number }).asked)).toBe(times)
    }
  })

  test('an entered address is beside the proven one, not marked as proven', async ({ page }) => {
    const wallet = await installWallet(page)
    await page.goto('/auth')
    await page.getByRole('button', { name: 'Continue with your wallet' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    await page.goto('/dashboard?edit=profile')
    const typed = '0x52908400098527886E0F7030069857D2E4169EE7'
    await page.getByLabel('Username').fill('Two wallets')
    await page.getByLabel('Wallet Address').fill(typed)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const profile = page.getByRole('region', { name: 'Profile' })
    await expect(profile).toContainText(
      new RegExp(`${typed}\\s*Signs in with\\s*${wallet.address}\\s*Proven`),
    )
  })

  test('a rejection by the wallet is shown', async ({ page }) => {
    const wallet = await installWallet(page)
    await page.goto('/auth')
    const said = {
      4001: 'You cancelled in your wallet. Nothing was signed.',
      [-32002]: 'Your wallet is already asking you something. Please check it.',
      4900: 'Your wallet lost its connection. Please try again.',
      [-32603]: 'Something went wrong in your wallet. Please try again.',
    }
    for (const [code, sentence] of Object.entries(said)) {
      wallet.error = Number(code)
      await page.getByRole('button', { name: 'Continue with your wallet' }).click()
      await expectToast(page, 'alert', 'Error', sentence)
    }
    wallet.error = 0
    await page.getByRole('button', { name: 'Continue with your wallet' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
  })

  const changes: { what: string; change: (message: string) => string; sentence: string }[] = [
    {
      what: 'another domain',
      change: (message) => message.replace(/^\S+/, 'evil.example'),
      sentence: 'This message was signed for another site.',
    },
    {
      what: 'another chain',
      change: (message) => message.replace('Chain ID: 56', 'Chain ID: 1'),
      sentence: 'This message was signed for another blockchain.',
    },
    {
      what: 'an expired nonce',
      change: (message) => message.replaceAll(/(At|Time): 20\d\d/g, '$1: 2020'),
      sentence: 'This message has expired. Please sign a new one.',
    },
    {
      what: 'a nonce of another member',
      change: (message) => message.replace(/Nonce: \w+/, 'Nonce: 0123456789abcdef'),
      sentence: 'This message was already used. Please sign a new one.',
    },
    {
      what: 'another statement',
      change: (message) => message.replace(/Sign in to .*/, 'Give everything to me.'),
      sentence: 'Your wallet signed a different message. Please try again.',
    },
  ]
  test('a message with a different domain, chain, time, nonce or statement is rejected with the error message for this fault', async ({
    page,
  }) => {
    await installWallet(page)
    await page.goto('/auth')
    for (const { what, change, sentence } of changes) {
      await page.unrouteAll()
      await changeMessage(page, change)
      await page.getByRole('button', { name: 'Continue with your wallet' }).click()
      await test.step(what, () => expectToast(page, 'alert', 'Error', sentence))
    }
    await page.goto('/dashboard')
    await expect(page).toHaveURL(/\/auth\?/)
  })

  test("another account's signature is refused", async ({ page }) => {
    await installWallet(page, { forged: true })
    await page.goto('/auth')
    await page.getByRole('button', { name: 'Continue with your wallet' }).click()
    await expectToast(page, 'alert', 'Error', "The signature doesn't match this wallet address.")
  })

  test('a used message is rejected, even with its cookie', async ({ page, baseURL }) => {
    await installWallet(page)
    await page.goto('/auth')
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await page.getByRole('button', { name: 'Continue with your wallet' }).click()
    const request = await sent
    const { cookie } = await request.allHeaders()
    const body = request.postData() as string
    await expect(page).toHaveURL(/\/dashboard$/)
    const again = await page.request.post('/auth/wallet', {
      headers: {
        Origin: baseURL as string,
        Cookie: cookie as string,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      data: body,
    })
    expect(again.status()).toBe(400)
    expect(await again.text()).toContain('This message was already used')
  })

  test('without a wallet, or JavaScript, no button signs in with one', async ({ page, browser, baseURL }) => {
    await page.goto('/auth')
    await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
    await expect(page.getByRole('button', { name: /wallet/ })).toHaveCount(0)
    const plain = await browser.newContext({ baseURL, javaScriptEnabled: false })
    const still = await plain.newPage()
    await still.goto('/auth')
    await expect(still.getByRole('button', { name: /Continue with/ })).toHaveCount(0)
    await plain.close()
  })
})
