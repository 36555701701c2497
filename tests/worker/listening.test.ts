import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostile, startFeedServer } from '../support/feed-server.ts'
import { openLive } from '../support/live-socket.ts'
import { addOperator } from '../support/operators.ts'
import { type Site, startSite, warmUp } from '../support/site.ts'
import { startTemporary, type TemporaryBackend } from '../support/temporary-backend.ts'
import { documentOf, type Page, sessionCookie, Visitor } from '../support/visitor.ts'

let server: Awaited<ReturnType<typeof startFeedServer>>
let backend: TemporaryBackend
let site: Site
let ada: Visitor
let ben: Visitor

beforeAll(async () => {
  server = await startFeedServer()
  const hostilePaths = Object.keys(hostile).map((name) => `/${name.replaceAll(' ', '-')}`)
  for (const [at, answer] of Object.values(hostile).entries())
    server.answers.set(hostilePaths[at] ?? '', answer)
  const sources = ['/feed', ...hostilePaths].map((path) => server.url + path)
  backend = await startTemporary()
  await warmUp(backend)
  site = await startSite(backend, {
    SUPABASE_SECRET_KEY: backend.secretKey,
    STATEMENT_SOURCES: sources.join(' '),
  })
  const open = async (handle: string) => {
    const { client } = await addOperator(backend, handle)
    return new Visitor(site.url).carry(sessionCookie, (await client.auth.getSession()).data.session ?? {})
  }
  ;[ada, ben] = [await open('ada'), await open('ben')]
})
afterAll(async () => {
  await site?.close()
  await backend?.close()
  await server?.close()
})

const wordsOf = (page: Page) =>
  documentOf(page).querySelector('main')?.structuredText.replace(/\s+/g, ' ') ?? ''
const linkOf = (page: Page, start: string) =>
  documentOf(page)
    .querySelector(`main a[href^="${start}"]`)
    ?.getAttribute('href')
    ?.replaceAll('&amp;', '&') ?? ''

/** Sends a page's form with its values, some of them replaced by `fields`. Returns the path of the act. */
async function prepare(who: Visitor, path: string, fields: Record<string, string>): Promise<string> {
  const form = documentOf(await who.get(path)).querySelector('main form[method=post]')
  const filled = Object.fromEntries(
    (form?.querySelectorAll('input, textarea') ?? []).map((field) => [
      field.getAttribute('name') ?? '',
      field.tagName === 'TEXTAREA' ? field.text.trim() : (field.getAttribute('value') ?? ''),
    ]),
  )
  const page = await who.post(path, { ...filled, ...fields })
  expect([page.status, wordsOf(page)]).toEqual([303, ''])
  return page.location ?? ''
}
const press = async (who: Visitor, act: string, intent: string) =>
  expect((await who.post(act, { intent })).location).toBe(act)

/** A feed with a post of its own host, because a feed can edit only the statements of its host. */
const feed = (text: string) => (_: unknown, response: import('node:http').ServerResponse) =>
  response.writeHead(200, { 'Content-Type': 'application/feed+json' }).end(
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'News',
      items: [{ id: '1', url: `${server.url}/1`, content_text: text, authors: [{ name: 'CZ' }] }],
    }),
  )
/** Runs one minute of the scheduled work. The feed is due again, and the hostile sources wait longer. */
async function runMinute() {
  await backend.sql("update private.statement_sources set ask_after = now() where source like '%/feed'")
  await site.runSchedule()
}

test('live pages show how a post becomes a candidate, a statement and a confirmed statement, and an edit is marked', async () => {
  const socket = await openLive(site.url)
  await expect.poll(() => socket.messages.length).toBeGreaterThan(0)
  expect(wordsOf(await new Visitor(site.url).get('/cz-call'))).not.toContain('Listening')
  server.answers.set('/feed', feed('We donate a library. \u202egnirts'))
  const startedAt = Date.now()
  await runMinute()
  // The sources that hang all do so at the same time, so they take only five seconds of the run.
  expect(Date.now() - startedAt).toBeLessThan(20_000)

  const queue = await ada.get('/operator')
  expect(wordsOf(queue)).toContain('it did not answer within 5 seconds')
  expect(wordsOf(queue)).toContain('its document was not complete within 5 seconds')
  expect(wordsOf(queue)).toContain('its document has more than 1 MB')
  const path = linkOf(queue, '/operator/posts/')
  const post = await ada.get(path)
  expect(wordsOf(post)).toContain('We donate a library. [U+202E]gnirts')
  const act = await prepare(ada, linkOf(post, '/operator/new/statement?post='), { action: 'A library.' })
  await press(ada, act, 'submit')
  const confirmation = linkOf(await ben.get('/operator'), '/operator/new/confirmation')
  await press(ben, await prepare(ben, confirmation, { how: 'I read it at its address.' }), 'submit')
  await expect
    .poll(() => socket.messages.filter((message) => message.includes('calls')).length)
    .toBeGreaterThan(1)
  const version = JSON.parse(socket.messages.at(-1) ?? '{}').version
  const page = await new Visitor(site.url).get('/cz-call', { 'X-Version': `${version}` })
  expect(wordsOf(page)).toContain('We donate a library. gnirts')
  expect(wordsOf(page)).toMatch(/Listening to 7 sources; \d can't be read now\. Last checked \d\d:\d\d UTC\./)
  expect(wordsOf(page)).toMatch(/We haven.t been able to read 127\.0\.0\.1:\d+ since \d\d:\d\d UTC\./)
  expect(wordsOf(page)).toContain('I read it at its address.')
  expect(wordsOf(await ada.get('/operator'))).not.toContain('Posts about charity')

  server.answers.set('/feed', feed('We donate two libraries.'))
  const before = socket.messages.length
  await runMinute()
  await expect
    .poll(() => socket.messages.slice(before).some((message) => message.includes('calls')))
    .toBe(true)
  const edited = await new Visitor(site.url).get('/cz-call', {
    'X-Version': `${JSON.parse(socket.messages.at(-1) ?? '{}').version}`,
  })
  expect(wordsOf(edited)).toMatch(/Edited at its source on \d/)
  expect(wordsOf(edited)).toContain('We donate a library.')
  const correction = linkOf(await ada.get('/operator'), '/operator/new/statement?subject=')
  await press(ada, await prepare(ada, correction, {}), 'submit')
  await site.runSchedule()
  expect(wordsOf(await ada.get('/operator'))).not.toContain('changed at their source')
  socket.end()
})

test('an operator dismisses a post once, with a reason, and the post does not return', async () => {
  server.answers.set('/feed', (_, response) =>
    response.end(
      '<rss version="2.0"><channel><title>News</title><item><title>Donate your old laptop to win</title><link>https://news.example.org/2</link></item></channel></rss>',
    ),
  )
  await runMinute()
  const path = linkOf(await ada.get('/operator'), '/operator/posts/')
  const empty = await ada.post(path, { reason: ' ' })
  expect([empty.status, wordsOf(empty)]).toEqual([400, expect.stringContaining('Say why, in a word.')])
  const hidden = await ada.post(path, { reason: 'spam\u202e' })
  expect([hidden.status, wordsOf(hidden)]).toEqual([400, expect.stringContaining('control or direction')])
  expect((await ada.post(path, { reason: 'advertisement' })).location).toBe('/operator')
  const again = await ben.post(path, { reason: 'spam' })
  expect([again.status, wordsOf(again)]).toEqual([409, expect.stringContaining('by ada')])
  await backend.sql('update private.statement_sources set body_sha256 = null')
  await runMinute()
  expect(wordsOf(await ada.get('/operator'))).not.toContain('Posts about charity')
  for (const unknown of ['/operator/posts/999', '/operator/posts/x'])
    expect((await ada.get(unknown)).status).toBe(404)
})
