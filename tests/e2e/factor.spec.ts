import { startSite } from '../support/site.ts'
import { addFactor, answer, beginFactor, memberWithFactor, signInToChallenge } from './authenticator.ts'
import { expect, expectAccessible, expectToast, signIn, test } from './fixtures.ts'

const factors = '/dashboard/account/factor'

test('a factor is enrolled, required at sign-in, removed', async ({ page, member, javaScriptEnabled }) => {
  await page.goto(factors)
  await expect(page.getByRole('heading', { level: 1, name: 'Two-step sign-in' })).toBeVisible()
  await expectAccessible(page, javaScriptEnabled)
  const main = page.getByRole('main')
  await expect(main).toContainText('If you lose your phone, a second app on another device is the way back.')
  await expect(main.getByRole('link', { name: 'contact us' })).toHaveAttribute('href', '/contact')
  const app = await beginFactor(page, 'My phone')
  const picture = main.getByRole('img', { name: 'QR code' })
  await expect(picture).toBeVisible()
  if (javaScriptEnabled)
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(50)
  await expect(main.getByRole('link', { name: 'open it in the app' })).toHaveAttribute(
    'href',
    /^otpauth:\/\/totp\/Goodblock:.*issuer=Goodblock/,
  )
  await expectAccessible(page, javaScriptEnabled)

  // After a wrong code the form keeps everything except the code.
  const secret = (await main.locator('code').textContent()) ?? ''
  await page.getByLabel('Code').fill(app.wrongCode())
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await expectToast(page, 'alert', 'Error', 'Invalid TOTP code entered')
  await expect(page.getByLabel('Code')).toHaveAccessibleDescription(/Invalid TOTP code entered/)
  await expect(page.getByLabel('Code')).toBeFocused()
  await expect(page.getByLabel('Code')).toHaveValue('')
  await expect(main.locator('code')).toHaveText(secret)
  await expect(picture).toBeVisible()

  const code = await app.code()
  await page.getByLabel('Code').fill(` ${code.slice(0, 3)} ${code.slice(3)}`)
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await expectToast(
    page,
    'status',
    'Success',
    "Two-step sign-in is on. We'll ask for a code when you sign in.",
  )
  await expect(page.getByRole('region', { name: 'Your apps' })).toContainText('My phone')
  await expectAccessible(page, javaScriptEnabled)

  await signInToChallenge(page, member)
  await expect(page.getByText('Welcome back!')).toHaveCount(0)
  await expect(main).toContainText('Lost your phone? There are no recovery codes.')
  await expect(main.getByRole('link', { name: 'contact us' })).toHaveAttribute('href', '/contact')
  await expectAccessible(page, javaScriptEnabled)
  await answer(page, await app.code())
  await expect(page).toHaveURL(/\/dashboard$/)
  await expectToast(page, 'status', 'Welcome back!', 'You have successfully signed in.')
  await expect(page.getByRole('main')).toContainText(member.username)

  await page.goto(factors)
  await page.getByRole('link', { name: 'Remove My phone' }).click()
  await expect(page.getByRole('heading', { name: 'Remove “My phone”?' })).toBeVisible()
  await expectAccessible(page, javaScriptEnabled)
  await page.getByRole('button', { name: 'Remove it' }).click()
  await expectToast(page, 'status', 'Success', 'App removed. Its codes no longer work.')
  await expect(page.getByRole('region', { name: 'Your apps' })).toHaveCount(0)
  await page.context().clearCookies()
  await page.goto('/auth')
  await signIn(page, member)
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('without the code no document, data request or action of the dashboard works', {
  tag: '@repeated-without-script',
}, async ({ page, sites, baseURL }) => {
  const { member } = await memberWithFactor(sites)
  await signInToChallenge(page, member, '/dashboard?edit=profile')
  await page.goto('/auth')
  await expect(page).toHaveURL(/\/auth\/factor\?redirectTo=/)
  const headers = { Origin: baseURL as string }
  const once = { headers, maxRedirects: 0 }
  for (const path of ['/dashboard', '/dashboard?edit=profile', factors, `${factors}?remove=x`]) {
    const response = await page.request.get(path, once)
    expect(response.headers().location, path).toContain('/auth/factor?redirectTo=')
  }
  const data = await page.request.get('/dashboard.data', once)
  expect(await data.text()).toContain('/auth/factor')
  expect(await data.text()).not.toContain(member.username)
  const form = { intent: 'update-profile', member: 'x', username: 'Taken over', walletAddress: '' }
  const saved = await page.request.post('/dashboard', { ...once, form })
  expect(saved.status()).toBe(303)
  expect(saved.headers().location).toContain('/auth/factor')
  const removed = await page.request.post(factors, { ...once, form: { intent: 'enrol', name: 'Mine' } })
  expect(removed.headers().location).toContain('/auth/factor')

  // Public pages and signing out work.
  await page.goto('/about')
  await page.goto('/auth/factor')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sign In' }),
  ).toBeVisible()
  await page.goto('/auth/factor?redirectTo=/dashboard')
  await expect(page).toHaveURL(/\/auth\?redirectTo=/)
})

test('wrong codes are rejected, and the challenge still accepts the right code', async ({ page, sites }) => {
  const { member, app } = await memberWithFactor(sites)
  await signInToChallenge(page, member, '/dashboard?edit=profile')
  await answer(page, '12 34')
  await expectToast(page, 'alert', 'Validation Error', 'Enter the 6-digit code from your app')
  await expect(page.getByLabel('Code')).toBeFocused()
  for (let attempt = 1; attempt <= 3; attempt++) {
    await answer(page, app.wrongCode())
    await expectToast(page, 'alert', 'Error', 'Invalid TOTP code entered')
    await expect(page.getByLabel('Code')).toHaveValue('')
  }
  await answer(page, await app.code())
  await expect(page).toHaveURL(/\/dashboard\?edit=profile$/)
})

test('either of two authenticator apps completes the sign-in', { tag: '@repeated-without-script' }, async ({
  page,
  sites,
}) => {
  const { member, app } = await memberWithFactor(sites)
  await signInToChallenge(page, member, factors)
  await answer(page, await app.code())
  await page.getByLabel('Name').fill('My phone')
  await page.getByRole('button', { name: 'Set up' }).click()
  await expectToast(page, 'alert', 'Error', 'You already have an app with this name')
  await expect(page.getByLabel('Name')).toHaveValue('My phone')
  // An abandoned enrolment can be started again.
  await beginFactor(page, 'Tablet')
  const tablet = await addFactor(page, 'Tablet')
  await signInToChallenge(page, member)
  await page.getByLabel('App').selectOption('Tablet')
  await answer(page, tablet.wrongCode())
  await expectToast(page, 'alert', 'Error', 'Invalid TOTP code entered')
  await expect(page.getByLabel('App').locator('option:checked')).toHaveText('Tablet')
  await answer(page, await tablet.code())
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('a factor that was removed on another device is no longer required', {
  tag: '@repeated-without-script',
}, async ({ page, sites }) => {
  const { member, removeFactor } = await memberWithFactor(sites)
  await signInToChallenge(page, member)
  await removeFactor()
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('main')).toContainText(member.username)
})

test('removing a factor requires a recent code', { tag: '@repeated-without-script' }, async ({
  page,
  sites,
}) => {
  const { member, app, factorId } = await memberWithFactor(sites)
  // This site's clock is twelve minutes ahead of its backend's clock.
  const ahead = { CLOCK_RATE: '1.00072', CLOCK_START: String(Date.now() - 1_000_000_000) }
  const late = await startSite({ url: sites.backendUrl, publishableKey: sites.publishableKey }, ahead)
  await signInToChallenge(page, member, `${late.url}/auth`)
  const code = await app.code()
  await answer(page, code)
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto(late.url + factors)
  await page.getByRole('link', { name: 'Remove My phone' }).click()
  await expect(page.getByRole('heading', { name: "Confirm it's you" })).toBeVisible()
  await expect(page).toHaveURL(/\/auth\/factor\?redirectTo=%2Fdashboard%2Faccount%2Ffactor%3Fremove/)
  const headers = { Origin: late.url }
  const form = { intent: 'remove', factorId }
  const removed = await page.request.post(late.url + factors, { form, headers, maxRedirects: 0 })
  expect(removed.headers().location).toContain('/auth/factor?')
  expect(late.log.join('\n')).not.toContain(code)
  await late.close()
})
