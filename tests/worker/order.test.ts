/**
 * Opens every page in Arabic, and finds hashes, links and similar texts whose characters would change places
 * in right-to-left text, and forms that a browser without JavaScript could not send.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoMember } from '../../supabase/embedded/demo.ts'
import { addOperator } from '../support/operators.ts'
import { disorderIn } from '../support/order.ts'
import { brokenFormsIn } from '../support/plain-forms.ts'
import { type SiteWithBackend, startSiteWithBackend } from '../support/site.ts'
import { clientOf } from '../support/temporary-backend.ts'
import { sessionCookie, Visitor } from '../support/visitor.ts'
import { pagesOfEachKind, publicPagesIn, signedOutPages, walkFrom } from '../support/walk.ts'

let site: SiteWithBackend

beforeAll(async () => {
  site = await startSiteWithBackend({ demo: true, mail: true })
}, 120_000)
afterAll(() => site?.close())

function walk(starts: string[], session: object | null = null): Promise<Record<string, string[]>> {
  const visitor = new Visitor(site.url)
  visitor.jar.set('lang', 'ar')
  if (session) visitor.carry(sessionCookie, session)
  return walkFrom(visitor, starts, pagesOfEachKind, (html) => [...disorderIn(html), ...brokenFormsIn(html)])
}

test('in Arabic, public pages keep the order of the characters in hashes, addresses, paths and dates, and their forms need no script', async () => {
  expect(await walk([...publicPagesIn('ar'), ...signedOutPages])).toEqual({})
})

test('in Arabic, pages for members and for operators keep the order of the characters in hashes, addresses, paths and dates, and their forms need no script', async () => {
  const { email, password } = demoMember
  const { data } = await clientOf(site.backend).auth.signInWithPassword({ email, password })
  const ofMember = await walk(['/dashboard', '/dashboard?edit=profile'], data.session ?? {})
  const { client } = await addOperator(site.backend, 'ada')
  const ofOperator = await walk(['/operator'], (await client.auth.getSession()).data.session ?? {})
  expect({ ...ofMember, ...ofOperator }).toEqual({})
})
