import { filterParameters } from '../../app/ledger/filter.ts'
import { expect, test } from './fixtures.ts'

test('every page of the ledger marks its link in the same sub-navigation', async ({ page, sites }) => {
  await page.goto(`${sites.demo}/transparency`)
  const navigation = page.getByRole('navigation', { name: 'Transparency' })
  const labels = await navigation.getByRole('link').allTextContents()
  expect(labels).toHaveLength(9)
  for (const label of labels.filter((label) => label !== 'History')) {
    await navigation.getByRole('link', { name: label }).click()
    await expect(navigation.getByRole('link', { name: label })).toHaveAttribute('aria-current', 'page')
    await expect(navigation.getByRole('link')).toHaveText(labels)
  }
})

test('the files accept each filter value of the page about the API', async ({ page, request, sites }) => {
  await page.goto(`${sites.demo}/transparency/api`)
  const filters = page.getByRole('region', { name: 'Filters' })
  const names = (await filters.getByRole('term').allTextContents()).flatMap((text) => text.split(', '))
  expect(names).toEqual(expect.arrayContaining([...filterParameters, 'limit']))
  for (const name of ['type', 'status', 'pool', 'wallet']) {
    const row = filters.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) })
    const text = (await row.getByRole('definition').textContent()) ?? ''
    // After a value, its name on the pages may follow in brackets: 'tax (Trading tax)'.
    const values = text
      .replace(/:.*/, '')
      .replaceAll(/ \([^)]*\)/g, '')
      .split(/, or |, | or /)
    expect(values.length, name).toBeGreaterThan(2)
    for (const value of values) {
      const response = await request.get(`${sites.demo}/transparency.json?limit=1&${name}=${value}`)
      expect(response.status(), `${name}=${value}`).toBe(200)
    }
  }
})
