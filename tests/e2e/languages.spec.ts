import { isTranslatedPath } from '../support/translated-paths.ts'
import { expect, expectAccessible, expectToast, newMember, test } from './fixtures.ts'

test('the menu changes the language of the current page, and of the pages whose URL contains no language', async ({
  page,
  javaScriptEnabled,
}) => {
  await page.goto('/transparency?type=gift')
  const bar = page.getByRole('navigation', { name: 'Main' })
  await bar.locator('summary:visible').click()
  await expectAccessible(page, javaScriptEnabled)
  await bar.getByRole('button', { name: 'Türkçe' }).click()
  await expect(page).toHaveURL(/\/tr\/transparency\?type=gift$/)
  await expect(page.locator('html')).toHaveAttribute('lang', 'tr')
  await page.locator('.bar a[href="/auth?lang=tr"]').click()
  await expect(page).toHaveURL(/\/auth$/)
  await expect(page.locator('html')).toHaveAttribute('lang', 'tr')
  await page.getByRole('contentinfo').getByRole('button', { name: 'العربية' }).click()
  await expect(page).toHaveURL(/\/auth$/)
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await page.getByRole('contentinfo').getByRole('button', { name: 'English' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  expect((await page.context().cookies()).filter(({ name }) => name === 'lang')).toEqual([])
})

test('each link and each form on a page leads to pages in the same language', {
  tag: '@repeated-without-script',
}, async ({ page, sites }) => {
  const paths = [
    '',
    '/transparency',
    '/transparency/wallets',
    '/transparency/169',
    '/voting',
    '/voting/education',
  ]
  for (const path of [...paths, '/donate', '/giveback', '/cz-call', '/transparency/verify']) {
    await page.goto(`${sites.demo}/tr${path}`)
    const targets = await page
      .locator('a[href^="/"]:not([hreflang]), form[method="get"][action]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? one.getAttribute('action') ?? ''))
    expect(targets.length, path).toBeGreaterThan(10)
    const lost = targets.filter((target) => isTranslatedPath(new URL(target, sites.demo).pathname))
    expect(lost, path).toEqual([])
  }
})

test('the toast of a refused sign-in is in the chosen language', async ({ page }) => {
  await page.goto('/auth?lang=tr')
  const { email, password } = newMember()
  await page.getByLabel('E-posta').fill(email)
  await page.getByLabel('Şifre', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Giriş yap' }).click()
  await expectToast(page, 'alert', 'Hata', 'Giriş bilgileri hatalı')
})

test('the profile form and its error message are in the chosen language', async ({ page, member }) => {
  await page.goto('/dashboard?lang=tr')
  await page.getByRole('link', { name: 'Profili düzenle' }).click()
  const name = page.getByLabel('Kullanıcı adı')
  await expect(name).toHaveValue(member.username)
  await name.fill('x')
  await name.press('Enter')
  await expect(name).toHaveAccessibleDescription(/en az 3 karakter/)
})
