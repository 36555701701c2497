import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import '../support/cheap-passwords.ts'
import { expect, expectAccessible, expectToast, startMember, test } from './fixtures.ts'
import { startVotingSite } from './voting-site.ts'

test('a ballot signed by hand waits, then counts', async ({ page, context, javaScriptEnabled }) => {
  test.slow()
  const { backend, url, slug, close } = await startVotingSite()
  const main = page.getByRole('main')
  const wallet = privateKeyToAccount(generatePrivateKey())
  await page.setViewportSize({ width: 320, height: 700 })
  const fits = async () =>
    expect(await page.locator('html').evaluate((root) => root.scrollWidth)).toBeLessThanOrEqual(320)

  await page.goto(`${url}/giveback/${slug}`)
  await expect(main.getByRole('region', { name: 'Vote' })).toContainText(
    'Turnout: 0% of the tokens that may vote, in 0 wallets',
  )
  await expectAccessible(page, javaScriptEnabled)
  await main.getByRole('link', { name: 'Vote to Fund' }).click()
  await expect(main.getByRole('link', { name: 'Sign in to vote' })).toBeVisible()
  await startMember(context, url)
  await page.reload()
  await main.getByLabel('Against').check()
  await main.getByLabel('Wallet Address').fill('0x12')
  await main.getByRole('button', { name: 'Show the text' }).click()
  await expect(main.getByText('This is not the address of a wallet.')).toBeVisible()
  await main.getByLabel('Wallet Address').fill(wallet.address)
  await main.getByRole('button', { name: 'Show the text' }).click()
  // A phone's link opens the page in a wallet app, without the choice and the address. This browser has a mouse.
  const app = page.locator('a[href^="https://link.metamask.io/dapp/"]')
  await expect(app).toHaveAttribute('href', new RegExp(`/giveback/${slug}/vote$`))
  await expect(app).toBeHidden()
  await expect(page.locator('section', { has: app })).toContainText('Sign in there first.')
  await fits()
  await expectAccessible(page, javaScriptEnabled)
  const message = await main.getByLabel('Text', { exact: true }).inputValue()
  expect(message).toContain('\nChoice: against\n')
  await main
    .getByLabel('Signature')
    .fill(await privateKeyToAccount(generatePrivateKey()).signMessage({ message }))
  await main.getByRole('button', { name: 'Hand in the ballot' }).click()
  await expect(main.getByLabel('Signature')).toHaveAccessibleDescription(/was made by another wallet: 0x/)
  await expect(main.getByLabel('Against')).toBeChecked()
  await main.getByLabel('Signature').fill(await wallet.signMessage({ message }))
  await main.getByRole('button', { name: 'Hand in the ballot' }).click()
  await expectToast(page, 'status', 'Success', 'Vote submitted!')
  await expect(main.getByText('It waits to be counted')).toBeVisible()
  await expectAccessible(page, javaScriptEnabled)

  await backend.sql(
    `select public.count_ballots(jsonb_agg(jsonb_build_object('id', id, 'weight', '5000000000000000000', 'digest', 'a')))
     from public.fundme_ballots`,
  )
  await page.goto(`${url}/giveback/${slug}/votes`)
  await expect(main.getByRole('row').filter({ hasText: 'Against' })).toContainText('5 tokens')
  await fits()
  await expectAccessible(page, javaScriptEnabled)
  await page.goto('about:blank')
  await close()
})
