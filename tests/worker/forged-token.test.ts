import { afterAll, expect, test } from 'vitest'
import { startSiteWithBackend } from '../support/site.ts'
import { tokensOf } from '../support/stale-session.ts'
import { sessionCookie, Visitor } from '../support/visitor.ts'

const site = await startSiteWithBackend()
afterAll(() => site.close())

test('a forged token reads no rows, signs the visitor out, and is no error in the log', async () => {
  const visitor = new Visitor(site.url)
  const fields = { email: 'member@example.com', password: 'a good password', username: 'Ada' }
  await visitor.post('/auth', { intent: 'sign-up', ...fields })
  expect((await visitor.get('/dashboard')).html).toContain('Ada')
  const { access_token, ...session } = tokensOf(visitor)
  const [header, claims] = access_token.split('.')
  const forger = new Visitor(site.url)
  forger.carry(sessionCookie, { ...session, access_token: `${header}.${claims}.${btoa('forged')}` })
  const lines = site.log.length
  const page = await forger.get('/dashboard')
  expect(page.location).toBe('/auth?redirectTo=%2Fdashboard')
  expect(page.html).not.toContain('Ada')
  expect(page.cookies[sessionCookie]).toBeNull()
  const own = () => site.log.slice(lines).join('\n')
  await expect.poll(own).toContain('profiles.not-loaded')
  expect(own()).not.toContain('"level":"error"')
})
