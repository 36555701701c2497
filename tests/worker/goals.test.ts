import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { startSiteWithBackend } from '../support/site.ts'
import { addedAddresses, answerOf, closedAnswers } from '../support/switch.ts'
import { signUp } from '../support/temporary-backend.ts'
import { sessionCookie, Visitor } from '../support/visitor.ts'

const site = await startSiteWithBackend({ variables: { PREVIEW_LOCALES: 'tr' } })
afterAll(() => site.close())
const { client, id } = await signUp(site.backend, 'member@example.org')
const { data } = await client.auth.getSession()
const member = new Visitor(site.url).carry(sessionCookie, data.session ?? {})
const read = () => closedAnswers(site.url, ['', 'tr'], member)

test('while FundMe is closed, goals in the database change no response', async () => {
  const before = await read()
  expect(before['/dashboard']?.status).toBe(200)
  expect(before['POST /giveback']?.status).toBe(403)
  const goal = randomUUID()
  await site.backend.sql(
    `insert into public.goals (id, member, stage, slug, title, byline, category, target_usd, days, plan, story, wallet)
     values ($1, $2, 'submitted', 'goal-bcdfghjk', 'Coats', 'A school', 'School', 100, 7,
       '[{"amount": "100", "what": "Coats"}]', 'A story', '0x' || repeat('a', 40))`,
    [goal, id],
  )
  await site.backend.sql(`insert into public.goals (member, title) values ($1, 'A draft')`, [id])
  await site.backend.sql(`select private.move_goal($1, 'open', 'operator')`, [goal])
  expect(await read()).toEqual(before)
})

test('while FundMe is closed, each FundMe URL responds like an unknown URL', async () => {
  const visitor = new Visitor(site.url)
  for (const path of addedAddresses) {
    const unknown = `${path.slice(0, path.lastIndexOf('/'))}/unknown-address`
    expect([path, await answerOf(visitor, path)]).toEqual([path, await answerOf(visitor, unknown)])
  }
})
