import type { Page } from '@playwright/test'
import { createClient } from '@supabase/supabase-js'
import { TOTP } from 'otpauth'
import { expect, type Member, newMember, signIn } from './fixtures.ts'
import type { Sites } from './sites.ts'

const period = 30

/** An authenticator app. The service accepts the codes of the previous, current and next time steps. */
export class Authenticator {
  readonly #totp: TOTP
  #lastStep = 0

  constructor(secret: string) {
    this.#totp = new TOTP({ secret, algorithm: 'SHA1', digits: 6, period })
  }

  /** Returns an unused code. Waits for the next time step if all codes that are valid now are used. */
  async code(): Promise<string> {
    for (;;) {
      const now = Date.now() / 1000 / period
      // At the end of a time step the code of the previous step is about to expire.
      const oldest = Math.floor(now) - (now % 1 < 0.6 ? 1 : 0)
      const step = Math.max(this.#lastStep + 1, oldest)
      if (step <= now + 1) {
        this.#lastStep = step
        return this.#totp.generate({ timestamp: step * period * 1000 })
      }
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }

  /** An expired code. */
  wrongCode(): string {
    return this.#totp.generate({ timestamp: Date.now() - 3_600_000 })
  }
}

/** Starts the enrolment of a factor and reads its key from the page. */
export async function beginFactor(page: Page, name: string): Promise<Authenticator> {
  await page.goto('/dashboard/account/factor')
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Set up' }).click()
  await expect(page.getByRole('heading', { name: `Set up “${name}”` })).toBeVisible()
  const secret = (await page.getByRole('main').locator('code').textContent()) ?? ''
  return new Authenticator(secret)
}

/** Adds a factor on the factors page. */
export async function addFactor(page: Page, name: string): Promise<Authenticator> {
  const app = await beginFactor(page, name)
  await page.getByLabel('Code').fill(await app.code())
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await expect(page.getByRole('link', { name: `Remove ${name}` })).toBeVisible()
  return app
}

/** Creates a member with a factor through the API of the backend. No browser is signed in. */
export async function memberWithFactor(sites: Sites) {
  const member = newMember()
  const { email, password, username } = member
  const { auth } = createClient(sites.backendUrl, sites.publishableKey, { auth: { persistSession: false } })
  await auth.signUp({ email, password, options: { data: { username } } })
  const { data: factor } = await auth.mfa.enroll({ factorType: 'totp', friendlyName: 'My phone' })
  const factorId = factor?.id ?? ''
  const app = new Authenticator(factor?.totp.secret ?? '')
  const { error } = await auth.mfa.challengeAndVerify({ factorId, code: await app.code() })
  expect(error).toBeNull()
  /** Removes the factor, as its owner would on another device. */
  const removeFactor = async () => expect((await auth.mfa.unenroll({ factorId })).error).toBeNull()
  return { member, app, factorId, removeFactor }
}

/** Deletes the cookies and signs in with the password, up to the challenge. */
export async function signInToChallenge(page: Page, member: Member, path = '/auth'): Promise<void> {
  await page.context().clearCookies()
  await page.goto(path)
  await signIn(page, member)
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
}

export async function answer(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code').fill(code)
  await page.getByRole('button', { name: 'Confirm' }).click()
}
