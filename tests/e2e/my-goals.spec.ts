import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { startSite } from '../support/site.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import type { Sites } from './sites.ts'

/** A site with FundMe open. */
const startOpenSite = ({ backendUrl: url, publishableKey }: Sites) =>
  startSite({ url, publishableKey }, { FUNDME_OPEN: '1', DEMO: '1' })

test('a member writes a goal, and the check links to each missing part', {
  tag: '@repeated-without-script',
}, async ({ page, member, sites, javaScriptEnabled }) => {
  const site = await startOpenSite(sites)
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

  await page.getByRole('button', { name: 'Prove a wallet', exact: true }).click()
  await page.getByRole('link', { name: 'Back to your goal' }).click()
  await page.getByRole('button', { name: 'Delete this draft' }).click()
  await expect(page.getByText('Draft deleted')).toBeVisible()
  await expect(page.getByText("You haven't created any FundMe pools yet.")).toBeVisible()
  await site.close()
})

test('a member proves a wallet by hand, and submits', async ({ page, member, sites, javaScriptEnabled }) => {
  const site = await startOpenSite(sites)
  await page.goto(`${site.url}/dashboard/goals/new`)
  const fields = {
    ...{ Title: 'School coats', 'Who asks': member.username, Category: 'School', Days: '14' },
    ...{ 'Target in US dollars': '$600', Plan: '480, coats\n120, shoes' },
    Story: 'It is cold in the school, and many children have no coat at all.',
  }
  for (const [label, value] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(value)
  if (javaScriptEnabled) {
    await page.getByRole('button', { name: 'Prove a wallet' }).click()
    await page
      .getByRole('link', { name: 'Your wallet is on another device? Copy and sign a message.' })
      .click()
  } else await page.getByRole('button', { name: 'Prove a wallet by hand' }).click()
  await expect(page.getByRole('link', { name: 'Back to your goal' })).toHaveAttribute(
    'href',
    /\/goals\/.*#wallet$/,
  )
  const address = page.getByLabel('Wallet address')
  await address.fill('0x123')
  await page.getByRole('button', { name: 'Show the message' }).click()
  await expect(address).toHaveAccessibleDescription(/This is not the address of a wallet\./)
  await expect(address).toHaveValue('0x123')

  const wallet = privateKeyToAccount(generatePrivateKey())
  await address.fill(wallet.address)
  await page.getByRole('button', { name: 'Show the message' }).click()
  await expectAccessible(page, javaScriptEnabled)
  const message = page.getByRole('textbox', { name: 'Message' })
  const signature = page.getByRole('textbox', { name: 'Signature' })
  const send = page.getByRole('button', { name: 'Add the wallet' })
  const first = await message.inputValue()
  await signature.fill('signed')
  await send.click()
  await expect(signature).toHaveAccessibleDescription(/A signature starts with 0x and has 132 characters\./)
  await expect(signature).toHaveValue('signed')
  await expect(message).toHaveValue(first)
  await signature.fill(await privateKeyToAccount(generatePrivateKey()).signMessage({ message: first }))
  await send.click()
  await expect(signature).toHaveAccessibleDescription(/The signature doesn't match this wallet address\./)
  // The first message was used, so the page shows a new one.
  await expect(message).not.toHaveValue(first)
  await signature.fill(await wallet.signMessage({ message: await message.inputValue() }))
  await send.click()

  await expect(
    page.getByText('This wallet is yours. It is chosen for your goal: now save the form.'),
  ).toBeVisible()
  await expect(page.getByRole('radio', { name: wallet.address })).toBeChecked()
  await page.getByRole('button', { name: 'Save and check' }).click()
  await page.getByRole('button', { name: 'Submit for review' }).click()
  await expect(page.getByText('Tick the three boxes if they are true for you.').last()).toBeInViewport()
  for (const box of await page.getByRole('checkbox').all()) await box.check()
  await page.getByRole('button', { name: 'Submit for review' }).click()
  await expect(page.getByText('Fund pool submitted for review!')).toBeVisible()
  await site.close()
})
