import { expect, startMember, test } from './fixtures.ts'

test.describe('pending states need JavaScript: without it the browser itself shows that a page is loading', () => {
  test.describe.configure({ mode: 'serial' })

  test.afterEach(({ faulty }) => {
    faulty.proxy.fault = 'none'
    faulty.proxy.only = null
  })

  test("'Loading...' is in place of the pools until they are loaded", async ({ page, faulty }) => {
    const member = await startMember(page.context(), faulty.url)
    await page.goto(`${faulty.url}/dashboard`)
    await page.getByRole('link', { name: 'Edit Profile' }).click()
    await expect(page.getByLabel('Username')).toHaveValue(member.username)

    faulty.proxy.only = /fundme_pools/
    faulty.proxy.fault = 'hang'
    await page.getByRole('link', { name: 'Cancel' }).click()
    const pools = page.getByRole('region', { name: 'My FundMe Pools' })
    await expect(pools.getByText('Loading...')).toBeVisible()
    await expect(page.getByRole('main')).toContainText(member.username)
    // The read times out. The failure is logged, and the section shows no pools.
    await expect(pools.getByText('Loading...')).toBeHidden()
    await expect(pools).not.toContainText("You haven't created any FundMe pools yet.")
  })

  test('a pressed button shows its pending state and is disabled', async ({ page, faulty }) => {
    await page.goto(`${faulty.url}/auth`)
    await page.getByRole('textbox', { name: 'Email' }).fill('someone@example.com')
    await page.getByLabel('Password').fill('a password')
    faulty.proxy.fault = 'hang'
    const before = faulty.proxy.requests.length
    await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
    const button = page.getByRole('main').getByRole('button', { name: 'Loading...' })
    await expect(button).toBeDisabled()
    await page.getByLabel('Password').press('Enter')
    await expect(page.getByRole('alert')).toBeVisible()
    const asked = faulty.proxy.requests.slice(before).filter((request) => request.startsWith('POST'))
    expect(asked).toHaveLength(1)
  })
})
