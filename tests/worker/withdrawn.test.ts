import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SiteWithBackend, startSiteWithBackend } from '../support/site.ts'
import { clientOf, czCall, transaction } from '../support/temporary-backend.ts'
import { documentOf, Visitor } from '../support/visitor.ts'

let site: SiteWithBackend

beforeAll(async () => {
  site = await startSiteWithBackend()
})

afterAll(() => site.close())

const service = () => clientOf(site.backend, site.backend.secretKey)

async function withdraw(text: string, reason: string): Promise<void> {
  const [found] = await site.backend.sql<{ hash: string }>(
    'select hash from published_texts where text = $1',
    [text],
  )
  expect((await service().rpc('withdraw_text', { hash: found?.hash ?? '', reason })).data, text).toBe(true)
}

async function mainText(path: string): Promise<string> {
  const page = await new Visitor(site.url).get(path)
  expect(page.status, path).toBe(200)
  return documentOf(page).querySelector('main')?.structuredText.replace(/\s+/g, ' ') ?? ''
}

test('every page with a withdrawn text says that the text was withdrawn, and why', async () => {
  const row = transaction({
    type: 'donation',
    direction: 'out',
    account: 'treasury',
    counter_account: 'education',
    pool_slug: 'education',
    note: 'A note that names Ana',
    proof_url: 'https://example.org/ana',
  })
  const appended = await service().rpc('append_ledger', { entries: [row] as never })
  expect(appended.error).toBeNull()
  const call = czCall({
    chain_id: 56,
    tx_hash: row.tx_hash,
    tweet_text: 'A statement about Ana',
    action_taken: 'Paid Ana',
  })
  expect((await service().rpc('append_statement', { statement: call as never })).error).toBeNull()
  const update = { pool_slug: 'education', published_at: '2025-04-01T00:00:00Z', text: 'Ana has books' }
  expect((await service().rpc('append_update', { entry: update as never })).error).toBeNull()

  await withdraw('A note that names Ana', 'The note named a person.')
  await withdraw('https://example.org/ana', 'The proof showed a person.')
  await withdraw('A statement about Ana', 'The author asked for it.')
  await withdraw('Paid Ana', 'The action named a person.')
  await withdraw('Ana has books', 'The update named a person.')

  const [{ id } = { id: 0 }] = await site.backend.sql<{ id: number }>(
    'select id from transactions where tx_hash = $1',
    [row.tx_hash],
  )
  const record = await mainText(`/transparency/${id}`)
  for (const reason of ['The note named a person.', 'The proof showed a person.', 'The author asked for it.'])
    expect(record).toContain(`This text was withdrawn. The reason: ${reason}`)
  const feed = await mainText('/cz-call')
  expect(feed).toContain('This text was withdrawn. The reason: The author asked for it.')
  expect(feed).toContain('This text was withdrawn. The reason: The action named a person.')
  expect(await mainText('/voting/education')).toContain(
    'This text was withdrawn. The reason: The update named a person.',
  )
  for (const path of [`/transparency/${id}`, '/cz-call', '/voting/education'])
    expect(await mainText(path)).not.toContain('Ana')
})
