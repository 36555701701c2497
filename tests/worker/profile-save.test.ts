import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SiteWithBackend, startSiteWithBackend } from '../support/site.ts'
import { documentOf, toastOf, Visitor } from '../support/visitor.ts'

let site: SiteWithBackend
let visitor: Visitor
let member: string

beforeAll(async () => {
  site = await startSiteWithBackend()
  visitor = new Visitor(site.url)
  const fields = { email: 'save@example.com', password: 'a good password', username: 'Ada' }
  expect((await visitor.post('/auth', { intent: 'sign-up', ...fields })).location).toBe('/dashboard')
  // This page shows the sign-up toast, so that a later page does not.
  await visitor.get('/dashboard')
  const [row] = await site.backend.sql<{ id: string }>('select id from public.profiles')
  member = row?.id ?? ''
})
afterAll(() => site.close())

/** Saves the profile while the database rejects each update with this message and SQLSTATE. */
async function saveRefused(message: string, code: string) {
  await site.backend.sql(
    `create or replace function public.refuse_save() returns trigger language plpgsql as $$
     begin raise exception using message = '${message}', errcode = '${code}'; end $$`,
  )
  await site.backend.sql(
    'create or replace trigger refuse_save before update on public.profiles for each row execute function public.refuse_save()',
  )
  try {
    const fields = { intent: 'update-profile', member, username: 'Typed', walletAddress: '' }
    return await visitor.post('/dashboard?edit=profile', fields)
  } finally {
    await site.backend.sql('drop trigger refuse_save on public.profiles')
  }
}

test.each([
  [
    'the message of the backend',
    'Your profile is locked until Monday.',
    'Your profile is locked until Monday.',
  ],
  [
    'the message of the backend without direction and control characters',
    'Locked\u202e\u0007 until Monday.',
    'Locked until Monday.',
  ],
  ['markup in the message of the backend as text', '<b>Locked</b>', '<b>Locked</b>'],
  ['at most 200 characters of the message of the backend', 'a'.repeat(300), `${'a'.repeat(199)}…`],
])('if the backend refuses to save a profile, the page shows %s', async (_, message, shown) => {
  const page = await saveRefused(message, 'P0001')
  expect(page.status).toBe(400)
  expect(toastOf(page)).toBe(`Error ${shown}`)
  expect(page.html).not.toContain('<b>Locked')
  expect(documentOf(page).querySelector('[name=username]')?.getAttribute('value')).toBe('Typed')
})

test('if a backend fault prevents saving a profile, the page shows no details of the fault', async () => {
  const page = await saveRefused('disk of host 10.0.0.7 is full', '53100')
  expect(page.status).toBe(503)
  expect(toastOf(page)).toBe('Error An error occurred')
  expect(page.html).not.toContain('10.0.0.7')
  expect(documentOf(page).querySelector('[name=username]')?.getAttribute('value')).toBe('Typed')
})
