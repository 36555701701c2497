import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { type OutsideResponse, requestOutside } from '../../platform/server/outside-response.server.ts'
import { outsideUrlFault } from '../../platform/server/outside-url.ts'
import { brand, wordOf } from '../../platform/site.ts'
import { decodeDocument } from './encoding.ts'
import { type Item, readDocument } from './feed-document.ts'
import { oneLine, type Post, postOf, timeOf } from './post.ts'
import {
  type Known,
  longestDocument,
  mostPosts,
  ReadFault,
  type Reading,
  readTimeout,
  waitAfterLimit,
} from './reading.ts'

const mostRedirects = 3
/** Maximum number of items of a document that are compared, to find the newest. */
const mostItems = 1000

/** The names of parameters that apps and mail programs add to a link to learn who follows it. */
const tracking = [
  /^utm_\w+$/i,
  /^(?:(?:fb|g|d|y|tw|tt|ms)clk?id|[gw]braid|srsltid|li_fat_id|igsh(?:id)?|_ga|_gl|_branch_match_id)$/i,
  /^(?:fb_(?:action_\w+|ref|source)|__(?:xts|tn|cft)__|mc_[ce]id|mkt_tok|ref_(?:src|url)|vero_id|oly_\w+_id)$/i,
  /^(?:_?_hs\w+|hsctatracking|s_kwcid|wt_z?mc|xtor|spm|cmpid|icid|guccounter)$/i,
  /^at_(?:medium|campaign|custom\d|format|link_\w+|ptr_name|bbc_team)$/i,
  /^(?:pk|piwik|mtm|matomo)_(?:campaign|kwd|keyword|source|medium|content|cid|group|placement)$/i,
]

/** 'ref=rss' and 'ref=news.example' say who links; a number may identify the page. */
const referrer = /^(?:amp;)?ref=(?:\d*\D|$)/i

interface Options {
  /** True if http://127.0.0.1:<port> may be requested. */
  local: boolean
  matches: (text: string) => boolean
}

/** Reads an Atom, RSS or JSON feed if the feed has changed. Throws a ReadFault. */
export async function readFeed(known: Known, { local, matches }: Options): Promise<Reading> {
  const signal = AbortSignal.timeout(readTimeout)
  const headers = {
    Accept:
      'application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5',
    'User-Agent': `${wordOf(brand)}-listener`,
    ...(known.etag && { 'If-None-Match': known.etag }),
    ...(known.last_modified && { 'If-Modified-Since': known.last_modified }),
  }
  const response = await follow(known.source, { headers, signal }, local)
  if (response.status === 304) return { state: 'well', posts: [] }
  refuseStatus(response)
  const read = {
    state: 'well' as const,
    etag: validator(response.headers.get('ETag')),
    last_modified: validator(response.headers.get('Last-Modified')),
    body_sha256: bytesToHex(sha256(response.bytes)),
  }
  if (read.body_sha256 === known.body_sha256) return { ...read, posts: [] }
  const type = response.headers.get('Content-Type') ?? ''
  return { ...read, ...parseDocument(decodeDocument(response.bytes, type), type, known.source, matches) }
}

/** Follows up to three redirects. Checks each redirect's URL in the same way as the source's URL. */
async function follow(
  source: string,
  init: { headers: Record<string, string>; signal: AbortSignal },
  local: boolean,
): Promise<OutsideResponse> {
  let url = source
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const response = await requestOutside(url, init, longestDocument).catch(() => {
      throw new ReadFault(
        'fault',
        init.signal.aborted ? 'it did not answer within 5 seconds' : 'it could not be reached',
      )
    })
    if (response === 'too-long') throw new ReadFault('fault', 'its document has more than 1 MB')
    if (response === 'incomplete')
      throw new ReadFault(
        'fault',
        init.signal.aborted ? 'its document was not complete within 5 seconds' : 'its document ended early',
      )
    if (![301, 302, 303, 307, 308].includes(response.status)) return response
    const target = response.headers.get('Location') ?? ''
    if (!URL.canParse(target, url)) throw new ReadFault('fault', 'it redirects to nothing')
    url = new URL(target, url).href
    const fault = outsideUrlFault(url, local)
    if (fault) throw new ReadFault('refused', `it redirects to an address that ${fault}`)
  }
  throw new ReadFault('fault', 'it redirects more than three times')
}

function refuseStatus({ status, headers }: OutsideResponse): void {
  if (status === 429) throw new ReadFault('fault', 'it is asked too often (429)', waitAfterLimit(headers))
  if ([401, 402, 403].includes(status)) throw new ReadFault('refused', `it refuses us (${status})`)
  if (status === 404 || status === 410)
    throw new ReadFault('refused', `it has no feed at this address (${status})`)
  if (status !== 200) throw new ReadFault('fault', `it answered with the status ${status}`)
}

/** Returns the value of a response header if a later request may send it back; otherwise null. */
function validator(header: string | null): string | null {
  return header && /^[ -~]{1,500}$/.test(header) ? header : null
}

/** The newest posts of a document, with the name and the link of the feed. Throws a ReadFault. */
export function parseDocument(
  document: string,
  contentType: string,
  source: string,
  matches: (text: string) => boolean,
): { posts: Post[]; name: string; link: string } {
  const feed = readDocument(document, mostItems)
  if (!feed) {
    const isPage = /^text\/html\b/i.test(contentType) || /^\s*<(!doctype html|html)\b/i.test(document)
    throw isPage
      ? new ReadFault('refused', 'it is a web page (HTML), not a feed')
      : new ReadFault('refused', 'it is no feed in Atom, RSS or JSON')
  }
  const { title, link } = feed
  const items = newest(feed.items)
  const { host, origin } = new URL(source)
  const home = absolute(link, baseOf(feed.bases, source))
  const place = feed.isAtom || feed.bases?.length ? source : (home ?? source)
  const links = items.map((item) => absolute(item.link, baseOf(item.bases, place)))
  const posts = items.map((item, at) => {
    // Some feeds give every item the same link.
    const own = links[at]
    const url = own && links.filter((other) => other === own).length === 1 ? own : markedUrl(source, item)
    const author = item.author || title || host
    return postOf({ url, author, date: item.date, text: wordsOf(item) }, matches)
  })
  return { posts, name: host, link: home ?? origin.replace(/^http:/, 'https:') }
}

/** The title, then the words of the post; not repeated if the post begins with its title. */
function wordsOf({ title, body }: Item): string {
  const heading = oneLine(title)
  const isRepeated = oneLine(body).startsWith(heading.replace(/(…|\.\.\.)$/, ''))
  return (isRepeated ? body : [heading, body].filter(Boolean).join('\n\n')) || heading
}

/** The newest items, in the document's order: some begin with the oldest. Without a time: oldest. */
function newest(items: Item[]): Item[] {
  const now = Date.now()
  const times = items.map(({ date }) => {
    const time = Date.parse(timeOf(date) ?? '') || 0
    return time > now ? 0 : time
  })
  const order = items.map((_, at) => at).sort((a, b) => (times[b] ?? 0) - (times[a] ?? 0))
  const kept = new Set(order.slice(0, mostPosts))
  return items.filter((_, at) => kept.has(at))
}

/** The base of a link: the values of xml:base, each relative to the one before it. */
function baseOf(bases: string[] = [], source: string): string {
  return bases.reduce((base, next) => (URL.canParse(next, base) ? new URL(next, base).href : base), source)
}

/** A link as an https URL without parameters of tracking, so that a post has one URL; null if the link cannot be converted. */
function absolute(link: string | undefined, base: string): string | null {
  if (!link || link.length > 2000 || !URL.canParse(link, base)) return null
  const url = new URL(link.trim(), base)
  if (url.protocol === 'http:') url.protocol = 'https:'
  url.search = withoutTracking(url.search.slice(1))
  // A fragment leads to a place in the page, except where an application tells who follows the link.
  if (!withoutTracking(url.hash.slice(1))) url.hash = ''
  return url.protocol === 'https:' && url.href.length <= 2000 && !url.username ? url.href : null
}

/** Parameters without those of tracking. The others stay as they are written. */
function withoutTracking(parameters: string): string {
  return parameters
    .split('&')
    .filter((parameter) => !isTracking(parameter.split('=', 1)[0] ?? '') && !referrer.test(parameter))
    .join('&')
}

/** `name` may have an index ('__xts__[0]'), or the rest of a sign & that a program wrote twice ('amp;utm_id'). */
function isTracking(name: string): boolean {
  const [plain = ''] = name.replace(/^amp;/i, '').split(/\[|%5b/i, 1)
  return tracking.some((pattern) => pattern.test(plain))
}

/** The URL of an item that has no link of its own: the URL of the feed with a hash of the item's id. */
function markedUrl(source: string, { id, title, date }: Item): string {
  const mark = bytesToHex(sha256(new TextEncoder().encode(JSON.stringify(id ?? [title, date])))).slice(0, 32)
  const url = new URL(source)
  url.protocol = 'https:'
  url.hash = mark
  return url.href
}
