import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../app/platform/server/env.server.ts'
import { listen } from '../../app/statements/listening/listening-job.server.ts'
import { hostile, startFeedServer } from '../support/feed-server.ts'
import { newLog } from '../support/log.ts'
import { act } from '../support/operators.ts'
import { czCall, startTemporary, type TemporaryBackend } from '../support/temporary-backend.ts'

const fixture = (name: string) => readFileSync(new URL(`../support/feeds/${name}`, import.meta.url), 'utf8')

let backend: TemporaryBackend
let server: Awaited<ReturnType<typeof startFeedServer>>
beforeAll(async () => {
  ;[backend, server] = await Promise.all([startTemporary(), startFeedServer()])
})
afterAll(async () => {
  await server?.close()
  await backend?.close()
})
beforeEach(async () => {
  server.answers.clear()
  server.requests.length = 0
  await backend.sql('delete from private.statement_posts')
  await backend.sql('delete from private.statement_sources')
})

const configFor = (sources: string[], others: Record<string, string> = {}) =>
  readConfig({
    SITE_URL: 'http://127.0.0.1:8787',
    SUPABASE_URL: backend.url,
    SUPABASE_PUBLISHABLE_KEY: backend.publishableKey,
    SUPABASE_SECRET_KEY: backend.secretKey,
    STATEMENT_SOURCES: sources
      .map((source) => (source.startsWith('/') ? server.url + source : source))
      .join(' '),
    X_API_URL: server.url,
    X_BEARER_TOKEN: 'token',
    ...others,
  })
/** One run of the scheduled work. */
async function run(sources: string[], others: Record<string, string> = {}, fetcher = fetch) {
  const log = newLog()
  await listen(configFor(sources, others), fetcher, log)
  return log
}
/** Makes every source and every check due again. */
const later = async () => {
  await backend.sql('update private.statement_sources set ask_after = now()')
  await backend.sql('update private.statement_posts set check_after = now()')
}

interface Stored {
  url: string | null
  state: string
  author: string
  text: string | null
  captures: number
  edited: boolean
  gone: boolean
  capture_time: boolean
}
const posts = () =>
  backend.sql<Stored>(`
    select url, state, author, edited_at is not null as edited, gone_at is not null as gone, time_is_capture as capture_time,
      (select text from private.statement_captures where post = posts.id order by id desc limit 1) as text,
      (select count(*)::int from private.statement_captures where post = posts.id) as captures
    from private.statement_posts as posts order by id`)
const states = () =>
  backend.sql<{
    source: string
    state: string
    fault: string | null
    wait: number
    since_id: string | null
  }>(`
    select source, state, fault, since_id, extract(epoch from ask_after - now())::int as wait
    from private.statement_sources order by source`)

interface Item {
  title: string
  link?: string
  date?: string
}
const itemOf = ({ title, link, date }: Item) => {
  const url = link ?? `https://news.example.org/${title.length}`
  const time = date ? `<pubDate>${date}</pubDate>` : ''
  return `<item><title>${title}</title><link>${url}</link>${time}</item>`
}
const rss = (...items: Item[]) =>
  `<rss version="2.0"><channel><title>News</title><link>https://news.example.org/</link>${items.map(itemOf).join('')}</channel></rss>`
const serve = (path: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  server.answers.set(path, (_, response) => response.writeHead(200, headers).end(body))

test('a post about charity becomes one candidate, an edit adds a capture, and other posts are only counted', async () => {
  serve('/a', rss({ title: 'We donate again' }, { title: 'Markets' }), {
    ETag: '"1"',
    'Last-Modified': 'Mon, 01 Jan 2024 00:00:00 GMT',
  })
  // Another source has the same post, with a different spelling of the URL.
  serve('/b', rss({ title: 'Copied: we donate', link: 'http://NEWS.example.org/15/?utm_source=b' }))
  await run(['/a'])
  await later()
  await run(['/a', '/b'])
  expect(server.requests[1]?.headers).toMatchObject({
    'if-none-match': '"1"',
    'if-modified-since': 'Mon, 01 Jan 2024 00:00:00 GMT',
  })
  expect(await posts()).toMatchObject([
    {
      url: 'https://news.example.org/15',
      state: 'open',
      author: 'News',
      text: 'We donate again',
      captures: 1,
      edited: false,
      capture_time: true,
    },
  ])
  expect(
    await backend.sql(
      'select source, seen_count::int as seen, found_count::int as found from private.statement_sources order by source',
    ),
  ).toMatchObject([
    { seen: 2, found: 1 },
    { seen: 1, found: 0 },
  ])

  // The edited post no longer contains a word about charity.
  serve('/a', rss({ title: 'We do not again' }))
  await later()
  await run(['/a', '/b'])
  expect(await posts()).toMatchObject([{ text: 'We do not again', captures: 2, edited: true }])

  // No post is deleted when a feed becomes shorter.
  serve('/a', rss({ title: 'Other news' }))
  await later()
  await run(['/a'])
  expect(await posts()).toMatchObject([{ state: 'open', gone: false, captures: 2 }])
})

test('concurrent runs, and a run that is killed before it stores its posts, neither duplicate nor lose a candidate', async () => {
  serve('/a', rss({ title: 'One donation' }, { title: 'A donation more' }))
  const killed: typeof fetch = (input, init) =>
    `${input}`.endsWith('record_source') ? Promise.reject(new Error('killed')) : fetch(input, init)
  const log = await run(['/a'], {}, killed)
  expect(log.warn).toHaveBeenCalledWith('listening.not-stored', expect.anything())
  expect(await posts()).toEqual([])
  await later()
  await Promise.all([run(['/a']), run(['/a'])])
  expect(await posts()).toHaveLength(2)
  // The source was requested only once more, because the other run had already claimed it.
  expect(server.requests).toHaveLength(2)

  // A run that began before another one asked the source does not ask it too.
  await backend.sql("update private.statement_sources set asked_at = now() + interval '5 seconds'")
  await run(['/a'])
  expect(server.requests).toHaveLength(2)

  // The clock was set back by a day: a stored time in the future does not prevent the source from being read.
  await backend.sql(
    "update private.statement_sources set asked_at = now() + interval '1 day', ask_after = now() + interval '1 day'",
  )
  await run(['/a'])
  expect(server.requests).toHaveLength(3)
  expect(await posts()).toHaveLength(2)
})

test('a source is read even if other sources have faults', async () => {
  // The two sources that hang take five seconds, so they are tested in tests/worker/listening.test.ts.
  for (const [name, answer] of Object.entries(hostile).filter(([each]) => !each.includes('hangs')))
    server.answers.set(`/${name.replaceAll(' ', '-')}`, answer)
  serve('/page', '<!doctype html><title>News</title>', { 'Content-Type': 'text/html' })
  serve('/large', Buffer.alloc(1_000_001, ' '))
  server.answers.set('/forbidden', (_, response) => response.writeHead(403).end())
  server.answers.set('/limited', (_, response) => response.writeHead(429, { 'Retry-After': '7200' }).end())
  server.answers.set('/moved', (_, response) =>
    response.writeHead(301, { Location: 'https://169.254.169.254/latest' }).end(),
  )
  serve('/good', gzipSync(rss({ title: 'A donation' })), { 'Content-Encoding': 'gzip' })
  server.answers.set('/near', (_, response) => response.writeHead(308, { Location: '/second' }).end())
  serve('/second', rss({ title: 'Another donation' }))
  const names = [...server.answers.keys()].filter((path) => path !== '/second')
  const log = await run(names)
  const found = Object.fromEntries(
    (await states()).map(({ source, ...rest }) => [source.slice(server.url.length), rest]),
  )
  expect(found).toMatchObject({
    '/streams-without-end': { state: 'fault', fault: 'its document has more than 1 MB' },
    '/redirects-in-a-loop': { state: 'fault', fault: 'it redirects more than three times' },
    '/compresses-a-gigabyte-into-a-megabyte': { state: 'fault', fault: 'its document has more than 1 MB' },
    '/ends-early': { state: 'fault', fault: expect.any(String) },
    '/page': { state: 'refused', fault: 'it is a web page (HTML), not a feed' },
    '/large': { state: 'fault', fault: 'its document has more than 1 MB' },
    '/forbidden': { state: 'refused', fault: 'it refuses us (403)' },
    '/limited': { state: 'fault', fault: 'it is asked too often (429)' },
    '/moved': {
      state: 'refused',
      fault: 'it redirects to an address that must have a host name, not an IP address',
    },
    '/good': { state: 'well', fault: null },
    '/near': { state: 'well', fault: null },
  })
  const close = (wait: number | undefined, expected: number) =>
    expect(Math.abs((wait ?? 0) - expected)).toBeLessThan(30)
  close(found['/limited']?.wait, 7200)
  close(found['/forbidden']?.wait, 3590)
  close(found['/ends-early']?.wait, 50)
  close(found['/good']?.wait, 50)
  expect(log.warn).toHaveBeenCalledTimes(9)
  expect(await posts()).toHaveLength(2)
  // No source is requested before its time, and faults are logged at most once an hour.
  expect((await run(names)).warn).not.toHaveBeenCalled()
})

const timeline = JSON.parse(fixture('x-timeline.json'))
const user = 'x:902926941413453824'

test('X: long and edited posts are read, the position moves only after all pages have been read, and each post is read once', async () => {
  server.answers.set('/2/users', (_, response) => response.end(JSON.stringify(timeline)))
  await run([user])
  expect(server.requests[0]?.headers.authorization).toBe('Bearer token')
  const query = new URL(server.requests[0]?.path ?? '', server.url).searchParams
  expect(Object.fromEntries(query)).toMatchObject({ exclude: 'retweets', max_results: '50' })
  expect(query.has('since_id')).toBe(false)
  expect(await posts()).toMatchObject([
    {
      url: 'https://x.com/cz_binance/status/1983000000000000290',
      text: expect.stringContaining('Academy & three schools 👨‍👩‍👧'),
    },
    {
      url: 'https://x.com/cz_binance/status/1983000000000000200',
      text: 'A long post that goes on, and says at its end: charity first.',
    },
  ])
  expect((await states())[0]).toMatchObject({
    state: 'well',
    since_id: '1983000000000000300',
    wait: expect.any(Number),
  })

  const page = (id: string, next?: string) =>
    JSON.stringify({
      data: [{ id, text: `Donation ${id}`, edit_history_tweet_ids: [id] }],
      meta: { next_token: next },
    })
  server.answers.set('/2/users', (request, response) =>
    response.end(
      request.url?.includes('pagination_token=p2')
        ? page('1983000000000000400')
        : page('1983000000000000500', 'p2'),
    ),
  )
  await later()
  await run([user])
  expect((await states())[0]).toMatchObject({ since_id: '1983000000000000300', wait: expect.closeTo(0, -1) })
  await later()
  await run([user])
  expect(server.requests.filter(({ path }) => path.includes('since_id=1983000000000000300'))).toHaveLength(2)
  expect((await states())[0]).toMatchObject({ since_id: '1983000000000000500' })
  expect(await posts()).toHaveLength(4)
})

/** The rate limits in X's headers. `reset` is the number of seconds from now. */
interface Limits {
  remaining?: number
  reset?: number
}
test.each([
  [401, {}, 'refused', 'it does not accept our token (401)', 3590],
  [402, {}, 'refused', 'it wants to be paid first: the account has no credits (402)', 3590],
  [403, {}, 'refused', 'our app may not read this (403)', 3590],
  [429, {}, 'fault', 'it is asked too often (429)', 900],
  [429, { reset: 4000 }, 'fault', 'it is asked too often (429)', 4000],
  [429, { reset: 4 }, 'fault', 'it is asked too often (429)', 900],
  [200, { remaining: 0, reset: 4000 }, 'well', null, 4000],
  [200, { remaining: 5, reset: 4000 }, 'well', null, 890],
])(
  'X: the response %i with the limits %o sets the state and the waiting time',
  async (status, { remaining, reset }: Limits, state, fault, wait) => {
    server.answers.set('/2/users', (_, response) => {
      if (remaining !== undefined) response.setHeader('x-rate-limit-remaining', remaining)
      if (reset) response.setHeader('x-rate-limit-reset', Math.floor(Date.now() / 1000) + reset)
      response.writeHead(status).end(JSON.stringify(timeline))
    })
    serve('/a', rss({ title: 'A gift to charity' }))
    await run([user, '/a'])
    const found = (await states()).find(({ source }) => source === user)
    expect(found).toMatchObject({ state, fault })
    expect(Math.abs((found?.wait ?? 0) - wait)).toBeLessThan(60)
    expect((await posts()).some(({ text }) => text === 'A gift to charity')).toBe(true)
  },
)

test('X: a deleted or edited post is marked, its text is in no file, and pages show only the current text of its author', async () => {
  server.answers.set('/2/users', (_, response) => response.end(JSON.stringify(timeline)))
  await run([user])
  // X sends each post once. One run reads the timeline and the known posts at the same time, in any order.
  server.answers.set('/2/users', (_, response) => response.end('{"meta":{"result_count":0}}'))
  const [first, second] = await posts()
  // One post is published with its words; a statement has those of a third, entered by hand.
  const published = {
    link: second?.url ?? '',
    text: second?.text ?? '',
    author: 'CZ',
    posted: '2025-10-28T08:00:00Z',
    action: 'None',
  }
  await act(backend, 'statement', null, published)
  await act(backend, 'statement', null, {
    ...published,
    link: 'https://twitter.com/cz/status/77',
    text: 'Typed by hand',
  })
  const pageOf = async (url: string | null | undefined) =>
    (
      await backend.sql<{
        tweet_text: string | null
        statement_sha256: string | null
        edited: boolean
        gone: boolean
      }>(
        `select tweet_text, statement_sha256, source_edited_at is not null as edited, source_gone_at is not null as gone
         from public.published_cz_calls where tweet_url = $1`,
        [url],
      )
    )[0]
  const fileOf = async (text: string) =>
    backend.sql('select 1 from public.published_texts where text = $1', [text])
  expect(await pageOf(second?.url)).toMatchObject({ tweet_text: published.text, edited: false, gone: false })
  expect(await fileOf(published.text)).toEqual([])
  expect(
    await backend.sql('select text, salt from public.published_texts where post_url = $1', [second?.url]),
  ).toEqual([{ text: null, salt: null }])

  // The post of the candidate is deleted. One statement is unchanged. X returns the entered text with
  // different characters, which does not count as an edit.
  server.answers.set('/2/tweets', (_, response) => {
    const lookup = JSON.parse(fixture('x-lookup.json'))
    lookup.data.push({ id: '77', text: 'Typed by  hand', edit_history_tweet_ids: ['77'] })
    response.end(JSON.stringify(lookup))
  })
  await later()
  await run([user])
  expect(server.requests.at(-1)?.path).toMatch(/ids=\d+%2C\d+%2C77&/)
  expect(await posts()).toMatchObject([
    { url: null, state: 'gone', text: null },
    { url: second?.url, state: 'published', edited: false },
    { state: 'published', edited: false },
  ])
  // A post is checked once a day.
  const asked = server.requests.length
  await backend.sql('update private.statement_sources set ask_after = now()')
  await run([])
  expect(server.requests).toHaveLength(asked)

  // The post is edited: its former words are hidden until an operator publishes the new words.
  server.answers.set('/2/tweets', (_, response) =>
    response.end(
      JSON.stringify({
        data: [
          {
            id: '1983000000000000201',
            text: 'Charity last.',
            edit_history_tweet_ids: ['1983000000000000200', '1983000000000000201'],
          },
        ],
        errors: [{ resource_id: '77', type: 'https://api.twitter.com/2/problems/resource-not-found' }],
      }),
    ),
  )
  await later()
  await run([user])
  expect(await pageOf(second?.url)).toMatchObject({ tweet_text: null, edited: true, gone: false })
  expect((await posts())[1]).toMatchObject({ text: 'Charity last.', captures: 1 })
  const typed = await pageOf('https://twitter.com/cz/status/77')
  expect(typed).toMatchObject({
    tweet_text: null,
    gone: true,
    statement_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  })

  await act(backend, 'statement', second?.url ?? '', {
    ...published,
    text: 'Charity last.',
    captured: new Date().toISOString(),
  })
  expect(await pageOf(second?.url)).toMatchObject({ tweet_text: 'Charity last.', edited: false })
  // The text of the removed post is withdrawn, and its hash remains.
  const [text] = await backend.sql<{ hash: string }>(
    'select hash from public.published_texts where post_url like $1',
    ['%/77'],
  )
  await act(backend, 'withdrawal', text?.hash ?? '', {}, 'Its author removed it.')
  expect((await pageOf('https://twitter.com/cz/status/77'))?.statement_sha256).toBe(typed?.statement_sha256)
  expect(first?.state).toBe('open')
})

test('a candidate without a decision expires after 90 days, and does not return while the feed still has the post', async () => {
  serve('/a', rss({ title: 'An old donation', date: 'Mon, 20 Oct 2025 18:30:00 GMT' }))
  await run(['/a'])
  expect(await posts()).toMatchObject([{ state: 'open', capture_time: false }])
  await backend.sql("update private.statement_posts set captured_at = now() - interval '91 days'")
  await backend.sql('update private.statement_sources set body_sha256 = null')
  await later()
  await run(['/a'])
  expect(await posts()).toMatchObject([{ state: 'expired', url: null, text: null, captures: 0 }])
})

test('a source with 1,000 waiting posts is not read until an operator decides on one of the posts, and no page calls the source unreachable', async () => {
  serve('/a', rss({ title: 'A donation' }))
  await run(['/a'])
  await backend.sql(
    `insert into private.statement_posts (key, source, state, url, author, posted_at)
     select encode(sha256(n::text::bytea), 'hex'), $1, 'open', 'https://news.example.org/of/' || n, 'News', now()
     from generate_series(1, 999) as n`,
    [`${server.url}/a`],
  )
  server.requests.length = 0
  await later()
  await run(['/a'])
  expect(server.requests).toEqual([])
  expect(await states()).toMatchObject([{ state: 'full', fault: '1,000 of its posts wait for an operator' }])
  expect(
    await backend.sql('select well_at is not null as read, fault_since from public.listening_sources'),
  ).toEqual([{ read: true, fault_since: null }])
  await backend.sql(`delete from private.statement_posts where url like '%/of/1'`)
  await run(['/a'])
  expect(await states()).toMatchObject([{ state: 'well', fault: null }])
})

test('a post whose statement an operator has already entered does not become a candidate, and an edit of the post is marked on the statement', async () => {
  // The feed's own host.
  const link = 'https://127.0.0.1/typed'
  const statement = czCall({ tweet_url: link })
  await backend.sql('select public.append_statement($1)', [JSON.stringify(statement)])
  serve('/a', rss({ title: 'A donation, as typed', link }))
  await run(['/a'])
  expect(await posts()).toMatchObject([{ state: 'published', edited: false }])
  serve('/a', rss({ title: 'A donation, edited', link }))
  await later()
  await run(['/a'])
  expect(
    await backend.sql(
      'select tweet_text, source_edited_at is not null as edited from public.published_cz_calls where tweet_url = $1',
      [statement.tweet_url],
    ),
  ).toEqual([{ tweet_text: 'text', edited: true }])
})

test('a feed changes no statement about a page of another host', async () => {
  const post = (source: string, url: string, text: string) =>
    backend.sql<{ outcome: string | null }>('select private.store_post($1, $2) as outcome', [
      source,
      JSON.stringify({
        ...{ url, author: 'A', text, matches: true },
        sha256: createHash('sha256').update(text).digest('hex'),
      }),
    ])
  const wordsOf = async (url: string) =>
    (
      await backend.sql<{ words: string | null; edited: boolean }>(
        `select tweet_text as words, source_edited_at is not null as edited
         from public.published_cz_calls where tweet_url = $1`,
        [url],
      )
    )[0]
  for (const url of ['https://x.com/cz/status/4711', 'https://news.example.com/a']) {
    await backend.sql('select public.append_statement($1)', [
      JSON.stringify({ ...czCall(), tweet_url: url, tweet_text: 'We give.' }),
    ])
    for (const text of ['Something else', 'Something else again'])
      await post('https://evil.example/feed.json', url, text)
    expect([url, await wordsOf(url)]).toEqual([url, { words: 'We give.', edited: false }])
  }
  await post('https://www.example.com/feed', 'https://news.example.com/a', 'We give.')
  await post('https://www.example.com/feed', 'https://news.example.com/a', 'We give more.')
  expect(await wordsOf('https://news.example.com/a')).toMatchObject({ edited: true })
  expect((await post('https://a.example/feed', 'https://x.com@a.example/1', 'A donation'))[0]).toEqual({
    outcome: null,
  })
})
