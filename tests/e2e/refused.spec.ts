import type { Page } from '@playwright/test'
import { startSite } from '../support/site.ts'
import { expect, expectAccessible, newMember, signUp, test } from './fixtures.ts'

/** Opens a page of this site with a made-up form, and sends the form. */
async function send(page: Page, form: string): Promise<void> {
  const html = `<!doctype html><html lang="en"><title>A form</title>${form}<button>Send</button></form></html>`
  await page.unroute('**/about')
  await page.route('**/about', (route) => route.fulfill({ contentType: 'text/html', body: html }))
  await page.goto('/about')
  await page.getByRole('button', { name: 'Send' }).click()
}

const refusals = [
  ['405', "That doesn't work here", '<form method="post" action="/transparency">'],
  ['405 of an unknown URL', "That doesn't work here", '<form method="post" action="/unknown">'],
  [
    '413',
    "That's too big",
    `<form method="post" action="/auth"><input name="email" value="${'a'.repeat(270_000)}">`,
  ],
  [
    '414',
    'This link is too long',
    `<form action="/transparency"><input name="type" value="${'a'.repeat(9_000)}">`,
  ],
  [
    '415',
    "We can't read that",
    '<form method="post" action="/auth" enctype="text/plain"><input name="email" value="a">',
  ],
] as const

test("responses with 405, 413, 414 and 415 show a page in the site's design, with a request id and a link", async ({
  page,
  javaScriptEnabled,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  for (const [name, title, form] of refusals) {
    await send(page, form)
    await expect(page.getByRole('heading', { level: 1, name: title }), name).toBeVisible()
    await expect(page.getByText(/^Reference: [0-9a-f-]{36}$/), name).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 }), name).toHaveCSS('font-family', /Bricolage/)
    expect((await page.locator('body').boundingBox())?.width, name).toBeLessThanOrEqual(320)
  }
  // The other pages differ only in their text, so one check is enough.
  await expectAccessible(page, javaScriptEnabled)
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await expect(page).toHaveURL(/:\d+\/$/)
})

test('after a 429 response the form says when to try again, and keeps the entered values', async ({
  page,
  sites: { backendUrl, publishableKey },
  javaScriptEnabled,
}) => {
  const limited = await startSite({ url: backendUrl, publishableKey }, {}, { limits: true })
  const member = newMember()
  const wrong = { intent: 'sign-in', email: member.email, password: 'a wrong password' }
  // If a new minute of the rate limit begins before the form is sent, all requests are repeated.
  await expect(async () => {
    for (let status = 0, attempt = 0; status !== 429 && attempt < 41; attempt++) {
      const options = { form: wrong, headers: { Origin: limited.url } }
      status = (await page.request.post(`${limited.url}/auth`, options)).status()
    }
    await page.goto(`${limited.url}/auth`)
    await page.getByRole('textbox', { name: 'Email' }).fill(member.email)
    await page.getByLabel('Password').fill(member.password)
    await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByRole('alert').getByText('Request rate limit reached')).toBeVisible()
  }).toPass()
  await expect(page.getByText('Too many tries. Please wait a minute and try again.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(member.email)
  await expect(page.getByLabel('Password')).toHaveValue('')
  await expectAccessible(page, javaScriptEnabled)
  // The limit affects neither another account nor sign-up.
  await signUp(page, newMember(), limited.url)
  await expect(page).toHaveURL(/\/dashboard$/)
  // The page prefetches its links, so the browser leaves it before the site closes.
  await page.goto('about:blank')
  await limited.close()
})
