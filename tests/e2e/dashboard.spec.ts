import { demoMember } from '../../supabase/embedded/demo.ts'
import { expect, expectAccessible, expectToast, signIn, startMember, startSession, test } from './fixtures.ts'

const wallet = '0x52908400098527886E0F7030069857D2E4169EE7'

test('a new member sees their profile and no pools', async ({ page, member, javaScriptEnabled }) => {
  await page.goto('/dashboard')
  const main = page.getByRole('main')
  await expect(main).toContainText(member.email)
  await expect(main).toContainText(member.username)
  await expect(main).toContainText("You haven't created any FundMe pools yet.")
  await expect(main.getByRole('link', { name: 'Create Your First Pool' })).toHaveAttribute(
    'href',
    '/giveback',
  )
  const create = main.getByRole('link', { name: 'Create Pool' })
  await expect(create).toHaveAttribute('href', '/giveback')
  // Gold marks only buttons that work, and FundMe is closed.
  await expect(create).not.toHaveClass(/button-gold/)
  for (const name of ['Create Pool', 'Create Your First Pool'])
    await expect(main.getByRole('link', { name })).toHaveAccessibleDescription(
      'Create Pool will work once FundMe opens.',
    )
  await expectAccessible(page, javaScriptEnabled)
})

test('Cancel discards an edit of the profile, Save saves it', async ({ page, member, javaScriptEnabled }) => {
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Edit Profile' }).click()
  await page.getByLabel('Username').fill('Somebody else')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('main')).toContainText(member.username)
  await expect(page.getByRole('main')).not.toContainText('Somebody else')
  await page.getByRole('link', { name: 'Edit Profile' }).click()
  await expect(page).toHaveURL(/edit=profile/)
  await expectAccessible(page, javaScriptEnabled)
  await expect(page.getByLabel('Username')).toHaveValue(member.username)
  await expect(page.getByLabel('Wallet Address')).toHaveAttribute('placeholder', '0x...')
  await page.getByLabel('Username').fill('Änne 🌱 <b>')
  await page.getByLabel('Wallet Address').fill(wallet)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expectToast(page, 'status', 'Success', 'Profile updated successfully')
  await expect(page.getByRole('main')).toContainText('Änne 🌱 <b>')
  await expect(page.getByRole('main')).toContainText(wallet)

  await page.goto('/dashboard?edit=profile')
  await page.getByLabel('Wallet Address').fill('')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('main')).not.toContainText(wallet)
})

const refusals = [
  ['xy', '', 'Username', 'Username must be at least 3 characters'],
  ['a name', '0x123', 'Wallet Address', 'Wallet address must start with 0x and have 42 characters'],
  [
    'a name',
    wallet.replace('EE7', 'Ee7'),
    'Wallet Address',
    'This wallet address has a typo. Please copy it again',
  ],
] as const

test('a rejected edit keeps the entered values', async ({ page, member, context }) => {
  for (const [username, address, field, message] of refusals) {
    await context.clearCookies({ name: 'draft' })
    await page.goto('/dashboard?edit=profile')
    await expect(page.getByLabel('Username')).toHaveValue(member.username)
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Wallet Address').fill(address)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expectToast(page, 'alert', 'Validation Error', message)
    await expect(page.getByLabel(field)).toHaveAccessibleDescription(message)
    await expect(page.getByLabel(field)).toBeFocused()
    await expect(page.getByLabel('Username')).toHaveValue(username)
    await expect(page.getByLabel('Wallet Address')).toHaveValue(address)
  }
})

test('if a member saves after the session was lost, the sign-in leads back to the form with the entered values', async ({
  page,
  member,
  context,
}) => {
  await page.goto('/dashboard?edit=profile')
  await page.getByLabel('Username').fill('Typed but not saved')
  await page.getByLabel('Wallet Address').fill(wallet)
  await context.clearCookies()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page).toHaveURL(/\/auth\?/)
  await signIn(page, member)
  await expect(page).toHaveURL(/edit=profile/)
  await expect(page.getByLabel('Username')).toHaveValue('Typed but not saved')
  await expect(page.getByLabel('Wallet Address')).toHaveValue(wallet)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('main')).toContainText('Typed but not saved')
  await page.goto('/dashboard?edit=profile')
  await expect(page.getByLabel('Username')).toHaveValue('Typed but not saved')
})

test('one member never sees what another member entered', async ({ page, member, context, sites }) => {
  await page.goto('/dashboard?edit=profile')
  await expect(page.getByLabel('Username')).toHaveValue(member.username)
  await page.getByLabel('Username').fill('A secret of the first member')
  await context.clearCookies()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page).toHaveURL(/\/auth\?/)
  const other = await startMember(context, sites.empty)
  await page.goto('/dashboard?edit=profile')
  await expect(page.getByLabel('Username')).toHaveValue(other.username)
})

test('pools show status and progress, newest first', async ({ page, context, sites, javaScriptEnabled }) => {
  // While FundMe is open, the member's goals appear in this place.
  await startSession(context, sites.filled, demoMember)
  await page.goto(`${sites.filled}/dashboard`)
  const pools = page.getByRole('region', { name: 'My FundMe Pools' })
  await expect(pools.getByText(/\$[\d,.]+ \/ ∞/).first()).toBeVisible()
  await expect(pools.getByText(/\$[\d,.]+ \/ \$[\d,.]+/).first()).toBeVisible()
  await expect(pools.getByText('active', { exact: true }).first()).toHaveClass(/good/)
  await expect(pools.getByText('completed', { exact: true }).first()).toHaveClass(/done/)
  for (const button of await pools.getByRole('button', { name: 'View Details' }).all())
    await expect(button).toBeDisabled()
  await expectAccessible(page, javaScriptEnabled)
})
