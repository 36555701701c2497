import { startSite } from '../support/site.ts'
import { expect, expectAccessible, test } from './fixtures.ts'

test('a member writes a goal, and the check links to each missing part', async ({
  page,
  member,
  sites,
  javaScriptEnabled,
}) => {
  const { backendUrl: url, publishableKey } = sites
  const site = await startSite({ url, publishableKey }, { FUNDME_OPEN: '1', DEMO: '1' })
  await page.goto(`${site.url}/dashboard`)
  await page.getByRole('link', { name: 'Create Your First Pool' }).click()
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1, name: 'Create Fund Pool' })).toBeVisible()
  await expectAccessible(page, javaScriptEnabled)
  await page.getByLabel('Title').fill(`Coats of ${member.username}`)
  await page.getByLabel('Target in US dollars').fill('a lot')
  await page.getByLabel('Plan').fill('400, coats\n150.50, shoes')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const target = page.getByLabel('Target in US dollars')
  await expect(target).toHaveAccessibleDescription(/The target must be an amount like 1200 or 1200\.50\./)
  await expect(target).toBeFocused()
  await expect(page.getByLabel('Plan')).toHaveValue('400, coats\n150.50, shoes')
  await target.fill('$600')
  // The Enter key saves the form.
  await target.press('Enter')
  await expect(main.getByText(/^Saved \d/)).toBeVisible()
  await expect(page.getByLabel('Plan')).toHaveAccessibleDescription(
    /The plan adds up to \$550\.50\. The target is \$600\./,
  )

  await page.getByRole('button', { name: 'Save and check' }).click()
  await expectAccessible(page, javaScriptEnabled)
  await expect(main.getByRole('button', { name: 'Submit for review' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Write a story of at least 40 characters.' }).click()
  await expect(page.getByLabel('Story')).toBeInViewport()

  await page.setViewportSize({ width: 320, height: 640 })
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)

  await page.getByRole('button', { name: 'Prove a wallet' }).click()
  await page.getByRole('link', { name: 'Back to your goal' }).click()
  await page.getByRole('button', { name: 'Delete this draft' }).click()
  await expect(page.getByText('Draft deleted')).toBeVisible()
  await expect(page.getByText("You haven't created any FundMe pools yet.")).toBeVisible()
  await site.close()
})
