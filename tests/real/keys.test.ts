import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HostedBackend } from '../support/hosted-backend.ts'
import { type SiteWithBackend, startSiteWithBackend } from '../support/site.ts'
import { isSignedIn, Visitor } from '../support/visitor.ts'

let site: SiteWithBackend
let backend: HostedBackend
beforeAll(async () => {
  site = await startSiteWithBackend()
  backend = site.backend as HostedBackend
})
afterAll(() => site.close())

const password = 'correct horse'

async function signUp(email: string): Promise<Visitor> {
  const visitor = new Visitor(site.url)
  await visitor.post('/auth', { intent: 'sign-up', email, password, username: 'Member' })
  return visitor
}

/** What a member gets who opens a private page, and saves a row with their own token. */
async function use(visitor: Visitor, username: string) {
  const { html } = await visitor.get('/dashboard?edit=profile')
  const member = /name="member" value="([^"]+)"/.exec(html)?.[1] ?? ''
  await visitor.post('/dashboard', { intent: 'update-profile', member, username })
  const [saved] = await backend.sql<{ username: string }>(
    'select username from public.profiles where id = $1',
    [member || null],
  )
  return { isSignedIn: isSignedIn(await visitor.get('/dashboard')), saved: saved?.username }
}

test('members stay signed in while the signing key (ES256) is rotated, and until the old key is revoked', async () => {
  const early = await signUp('early@example.org')
  expect(await use(early, 'Before')).toEqual({ isSignedIn: true, saved: 'Before' })

  backend.keys.rotate()
  await backend.restart()
  expect(await use(early, 'Rotated')).toEqual({ isSignedIn: true, saved: 'Rotated' })
  // The worker has not seen the new key yet.
  const late = await signUp('late@example.org')
  expect(await use(late, 'New key')).toEqual({ isSignedIn: true, saved: 'New key' })

  backend.keys.revoke()
  await backend.restart()
  expect(await use(late, 'Revoked')).toEqual({ isSignedIn: true, saved: 'Revoked' })
  // The token of the old key is refused; no page fails.
  const page = await early.get('/dashboard')
  expect([200, 302, 303]).toContain(page.status)
  await early.post('/auth', { intent: 'sign-in', email: 'early@example.org', password })
  expect(await use(early, 'Again')).toEqual({ isSignedIn: true, saved: 'Again' })
})
