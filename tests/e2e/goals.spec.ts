import '../support/cheap-passwords.ts'
import { addGift, addGoal, openVariables } from '../support/goals.ts'
import { startSite, warmUp } from '../support/site.ts'
import { startTemporary } from '../support/temporary-backend.ts'
import { expect, expectAccessible, startMember, test } from './fixtures.ts'

test('a visitor gives $20 to a goal; a member reports it', async ({ page, context, javaScriptEnabled }) => {
  test.slow()
  const backend = await startTemporary()
  await warmUp(backend)
  const site = await startSite(backend, {
    ...openVariables,
    ...{ SUPABASE_SECRET_KEY: backend.secretKey, PAGE_CACHE: 'off', CONTACT_EMAIL: 'help@example.org' },
  })
  const goal = await addGoal(backend)
  await addGift(backend, goal)
  await backend.sql('select public.append_update($1)', [
    JSON.stringify({ pool_slug: goal.slug, published_at: new Date(), text: 'Forty coats are ordered.' }),
  ])
  const main = page.getByRole('main')
  const fits = async () =>
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      page.viewportSize()?.width ?? 0,
    )
  await page.setViewportSize({ width: 320, height: 700 })

  await page.goto(`${site.url}/giveback`)
  await expect(main.getByRole('listitem').filter({ hasText: 'School coats' })).toContainText('$20 of $1,000')
  await fits()
  await expectAccessible(page, javaScriptEnabled)
  await main.getByRole('link', { name: 'School coats' }).click()

  await expect(main.getByRole('heading', { level: 1 })).toHaveText('School coats')
  await expect(main.getByRole('table', { name: 'The plan' })).toContainText('$600')
  await expect(main.getByRole('region', { name: 'Updates' })).toContainText('Forty coats are ordered.')
  await expect(main.getByRole('region', { name: 'Gifts' })).toContainText('Verified on chain')
  await fits()
  await expectAccessible(page, javaScriptEnabled)
  await main.getByRole('link', { name: 'Give', exact: true }).click()

  const note = main.getByText('This wallet belongs to a member, not to us. A gift is final')
  await expect(note).toBeVisible()
  await main.getByRole('link', { name: /^\$20/ }).click()
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Send 20 USDT')
  await expect(note).toBeVisible()
  await expect(main.locator('[data-address]')).toHaveText(new RegExp(goal.wallet, 'i'))
  await fits()
  await expectAccessible(page, javaScriptEnabled)
  await main.getByText('What can go wrong').click()
  await main.getByRole('link', { name: 'the page of the goal' }).click()

  await main.getByRole('link', { name: 'Report a problem with this goal' }).click()
  await expect(main.getByRole('link', { name: 'Write an email' })).toHaveAttribute(
    'href',
    /^mailto:help@example\.org\?/,
  )
  await startMember(context, site.url)
  await page.reload()
  await main.getByLabel('Reason').selectOption("They tell someone else's story")
  await main.getByLabel('What is wrong?').fill('short')
  await main.getByRole('button', { name: 'Send' }).click()
  await expect(main.getByLabel('What is wrong?')).toHaveAccessibleDescription(/Write at least 10 characters/)
  await expect(main.getByLabel('What is wrong?')).toHaveValue('short')
  await expectAccessible(page, javaScriptEnabled)
  await main.getByLabel('What is wrong?').fill('I know the school, and it asks for no coats.')
  await main.getByRole('button', { name: 'Send' }).click()
  await expect(main.getByRole('status')).toContainText('Thank you.')
  // A live page would report that its server is gone.
  await page.goto('about:blank')
  await Promise.all([site.close(), backend.close()])
})
