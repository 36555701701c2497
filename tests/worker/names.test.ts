import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SiteWithBackend, startSiteWithBackend } from '../support/site.ts'
import { clientOf, transaction } from '../support/temporary-backend.ts'
import { documentOf, Visitor } from '../support/visitor.ts'

const books = `0x${'7'.repeat(40)}`
const joinery = `0x${'8'.repeat(40)}`

let site: SiteWithBackend

beforeAll(async () => {
  site = await startSiteWithBackend()
  const spending = (to_address: string) =>
    transaction({
      ...{ type: 'spending', direction: 'out', account: 'education', pool_slug: 'education' },
      to_address,
    })
  await service('append_ledger', { entries: [spending(books), spending(joinery)] })
  await service('append_name', { entry: { address: books, name: 'Riverside Books, supplier' } })
  await service('append_name', { entry: { address: joinery, name: 'Riverside Joinery, supplier' } })
})

afterAll(() => site.close())

async function service(name: string, parameters: object): Promise<unknown> {
  const { data, error } = await clientOf(site.backend, site.backend.secretKey).rpc(
    name as 'append_name',
    parameters as never,
  )
  expect(error).toBeNull()
  return data
}

async function open(path: string) {
  const page = documentOf(await new Visitor(site.url).get(path))
  const main = page.querySelector('main')
  return { main, text: main?.structuredText.replace(/\s+/g, ' ') ?? '' }
}

const searchOf = (words: string) => open(`/transparency?q=${encodeURIComponent(words)}`)
const idOf = async (address: string) => {
  const [row] = await site.backend.sql<{ id: number }>(
    'select id from public.transactions where to_address = $1',
    [address],
  )
  return row?.id
}

test('a row shows the name of a wallet; the wallet address is in the title attribute and on the page of the row', async () => {
  const { main } = await open('/transparency')
  const link = main?.querySelectorAll('td a').find((each) => each.text.startsWith('Riverside Books'))
  expect(link?.getAttribute('title')).toBe(`${books}, as named by us`)
  const row = await open(`/transparency/${await idOf(books)}`)
  expect(row.text).toContain('Riverside Books, supplier as named by us')
  expect(row.text).toContain(books)
})

test.each(['riverside books', 'Riverside Books, supplier', 'books', books])(
  'a search for "%s" finds the payments to the wallet, and keeps the entered text',
  async (words) => {
    const { main, text } = await searchOf(words)
    expect(text).toContain('Riverside Books, supplier')
    expect(text).not.toContain('Riverside Joinery')
    expect(text).toContain('This payment is not counted, so there is no sum.')
    expect(main?.querySelector('input[name=q]')?.getAttribute('value')).toBe(words)
  },
)

test('a search that matches several names or no name shows a message that says so', async () => {
  const several = 'Several names match: "Riverside Books, supplier" and "Riverside Joinery, supplier".'
  expect((await searchOf('riverside')).text).toContain(several)
  for (const none of ['bakery', '%', '_', '*'.repeat(3), 'a'.repeat(200)])
    expect((await searchOf(none)).text, none).toMatch(/the name of a wallet\. We ignored|Several names match/)
  const file = await fetch(`${site.url}/transparency.csv?q=riverside`)
  expect([file.status, await file.json()]).toEqual([
    400,
    { message: expect.stringContaining('q matches several names') },
  ])
})

test('files and feeds contain the name of a wallet, and their filter finds the name', async () => {
  const csv = await (await fetch(`${site.url}/transparency.csv?q=books`)).text()
  const [header = '', ...rows] = csv.trim().split('\r\n')
  expect(header.endsWith(',counter_name,tokens')).toBe(true)
  expect(rows).toEqual([expect.stringMatching(/,"Riverside Books, supplier",$/)])
  const feed = await (await fetch(`${site.url}/transparency.feed.json?q=books`)).text()
  expect(feed).toContain(`Riverside Books, supplier (as named by us), ${books}`)
})

test('a withdrawn name is on no page, and the page of the row states the reason', async () => {
  const [{ name_hash: hash } = { name_hash: '' }] = await site.backend.sql<{ name_hash: string }>(
    'select name_hash from public.wallet_names where address = $1',
    [joinery],
  )
  await service('withdraw_text', { hash, reason: 'It named a person.' })
  const row = await open(`/transparency/${await idOf(joinery)}`)
  expect(row.text).not.toContain('Joinery')
  expect(row.text).toContain('It named a person.')
  // No other test has requested these pages, so the cache does not have them.
  for (const path of [`/transparency?q=${joinery}`, '/transparency?type=spending'])
    expect((await open(path)).text, path).not.toContain('Joinery')
})
