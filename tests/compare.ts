/**
 * `npm run compare -- BEFORE AFTER`: sends the same requests to two running demonstrations (`npm run demo` of two commits,
 * by their addresses), and prints each request that they answer differently, with the first difference. For changes that
 * move code: about 370 requests, of a visitor, a member and a visitor with a forged token.
 */
import { demoMember } from '../supabase/embedded/demo.ts'
import { sessionCookies, Visitor } from './support/visitor.ts'
import { publicPagesIn, signedOutPages } from './support/walk.ts'

const files = [
  ...[
    '/robots.txt',
    '/llms.txt',
    '/decisions',
    '/embed/education',
    '/sitemap.xml',
    '/.well-known/security.txt',
    '/healthz',
    '/auth/session',
    '/donate/find',
  ],
  ...['/cz-call.atom', '/cz-call.feed.json', '/transparency.atom', '/transparency.feed.json'],
  ...['/transparency.csv', '/transparency.json', '/transparency.ndjson', '/transparency/orders.csv'],
  ...['/transparency/orders.json', '/transparency/orders.atom', '/transparency/log.ndjson'],
  ...['checkpoint', 'vkey', 'tile/0/000', 'checkpoints.ndjson', 'anchors.ndjson', 'texts.ndjson'].map(
    (name) => `/transparency/log/${name}`,
  ),
  ...[
    '/transparency/entries/0/proof',
    '/transparency/1/proof',
    '/_root.data',
    '/auth.data',
    '/robots.txt.data',
  ],
  ...['/pictures/goals/none/none.webp', '/assets/none.js', '/%zz'],
]
const privatePages = [
  '/dashboard',
  '/dashboard/account',
  '/dashboard/follows',
  '/dashboard/goals/new',
  '/operator',
]
const english = publicPagesIn('en').map((path) => path.replace(/^\/en\b/, '') || '/')

interface Sent {
  as: 'visitor' | 'member' | 'forger'
  method: string
  path: string
}

const requests: Sent[] = [
  ...['ar', 'es', 'tr', 'zh'].flatMap((code) => asVisitor(publicPagesIn(code))),
  ...(['visitor', 'member', 'forger'] as const).flatMap((as) =>
    [...english, ...signedOutPages, ...privatePages].map((path): Sent => ({ as, method: 'GET', path })),
  ),
  ...['GET', 'HEAD', 'POST', 'OPTIONS'].flatMap((method) => asVisitor(files, method)),
  ...asVisitor(english, 'POST'),
]

function asVisitor(paths: string[], method = 'GET'): Sent[] {
  return paths.map((path) => ({ as: 'visitor', method, path }))
}

/** The three senders of a site: without a session, with the demonstration's member, with a token that no one signed. */
async function sendersOf(site: string): Promise<Record<Sent['as'], Visitor>> {
  const { email, password } = demoMember
  const member = new Visitor(site)
  await member.post('/auth', { intent: 'sign-in', email, password })
  const [name = ''] = [...member.jar.keys()].filter((cookie) => cookie.includes('auth-token'))
  if (!name) throw new Error(`${site}: the demonstration's member could not sign in`)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const token = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: demoMember.id, exp: 4102444800 })}.AAAA`
  const session = { access_token: token, refresh_token: 'none', expires_at: 4102444800, token_type: 'bearer' }
  const forger = new Visitor(site)
  for (const cookie of sessionCookies(name.replace(/\.\d$/, ''), session))
    forger.jar.set(cookie.name, cookie.value)
  return { visitor: new Visitor(site), member, forger }
}

/** An answer without what differs between two builds, two sites and two moments. */
async function answerOf(site: string, senders: Record<Sent['as'], Visitor>, { as, method, path }: Sent) {
  const { host } = new URL(site)
  // Each request begins with the same cookies.
  const visitor = new Visitor(site)
  for (const [name, value] of senders[as].jar) visitor.jar.set(name, value)
  const { status, headers, html, cookies } = await visitor.send(path, {
    method,
    headers: { Accept: 'text/html' },
  })
  const kept = [...headers].filter(
    ([name]) => !/^(date|etag|x-request-id|set-cookie|age|content-length)$/.test(name),
  )
  return (
    [status, ...kept.map((header) => header.join(': ')), ...Object.keys(cookies).sort(), html]
      .join('\n')
      .replaceAll(host, 'HOST')
      .replaceAll(encodeURIComponent(host), 'HOST')
      // The id of a route is its path in app/.
      .replace(/(?:\w+\/)?routes\//g, 'routes/')
      .replace(/\/assets\/[\w.-]+/g, '/assets/FILE')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, 'ID')
      .replace(/(nonce[=-]"?)[\w+/=-]+/g, '$1NONCE')
      .replace(/data-version="[^"]*"|"version":\s*"[^"]*"|\\*"version\\*",\d+|manifest-\w+/g, 'VERSION')
      // The name of the log, and so its key ID and its signatures, contain the host.
      .replace(/HOST\/transparency\/log(\+[0-9a-f]{8}\+| [\w+/]{20,}=*)/g, 'HOST/transparency/log SIGNED')
      // Remix's script that restores the scroll position: the build names its variables.
      .replace(/\(\(\w+,\w+\)=>\{if\(!window\.history\.state.*?<\/script>/gs, 'SCROLL</script>')
      .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\dZ+:]*|\d\d:\d\d UTC/g, 'TIME')
  )
}

const [before, after] = process.argv.slice(2)
if (!before || !after)
  throw new Error('Give the addresses of two demonstrations: npm run compare -- BEFORE AFTER')
const [first, second] = await Promise.all([sendersOf(before), sendersOf(after)])
let different = 0
for (const request of requests) {
  const [one, other] = await Promise.all([answerOf(before, first, request), answerOf(after, second, request)])
  if (one === other) continue
  different++
  let at = 0
  while (one[at] === other[at]) at++
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 100))
  console.log(`${request.as} ${request.method} ${request.path}\n  ${around(one)}\n  ${around(other)}`)
}
console.log(`${requests.length} requests: ${requests.length - different} equal, ${different} different`)
process.exit(different === 0 ? 0 : 1)
