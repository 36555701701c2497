import * as z from 'zod/mini'
import { oneLine, textOfHtml, tidyLines } from './post.ts'
import { readXml, type StartTag } from './xml.ts'

/** A feed, with the fields that all formats of feeds have. */
export interface FeedDocument {
  title: string
  link: string | undefined
  /** The bases of the link: the values of xml:base, each relative to the one before it. */
  bases?: string[]
  /** True if a link without xml:base is relative to the document (Atom), not to the feed's link. */
  isAtom?: boolean
  items: Item[]
}

export interface Item {
  id: string | undefined
  link: string | undefined
  /** The bases of the link, as those of the feed. */
  bases?: string[]
  author: string | undefined
  date: string | undefined
  title: string
  body: string
}

/**
 * Reads the first `most` items of a feed in Atom, RSS, RDF or JSON; null for any other document. The time is
 * proportional to the length of the document.
 */
export function readDocument(document: string, most: number): FeedDocument | null {
  return /^[\s\ufeff]*\{/.test(document) ? readJson(document, most) : readXmlFeed(document, most)
}

const text = z.catch(z.optional(z.string()), undefined)
const author = z.catch(
  z.optional(
    z.union([
      z.object({ name: text }),
      z.pipe(
        z.string(),
        z.transform((name) => ({ name })),
      ),
    ]),
  ),
  undefined,
)
const authors = { author, authors: z.catch(z.optional(z.array(author)), undefined) }
const jsonItem = z.object({
  ...authors,
  id: z.catch(z.optional(z.union([z.string(), z.pipe(z.number(), z.transform(String))])), undefined),
  url: text,
  external_url: text,
  title: text,
  content_text: text,
  content_html: text,
  summary: text,
  date_published: text,
  date_modified: text,
})
const jsonFeed = z.object({
  ...authors,
  version: text,
  title: text,
  home_page_url: text,
  items: z.catch(z.optional(z.array(z.unknown())), undefined),
})

function readJson(document: string, most: number): FeedDocument | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(document.trim())
  } catch {
    return null
  }
  const { data: feed } = jsonFeed.safeParse(parsed)
  if (!feed?.items || !(feed.version?.includes('jsonfeed.org/version/') ?? feed.title)) return null
  const nameOfAuthor = (one: Pick<z.infer<typeof jsonItem>, 'author' | 'authors'>) =>
    one.authors?.[0]?.name ?? one.author?.name
  const items = feed.items.slice(0, most).flatMap((item) => jsonItem.safeParse(item).data ?? [])
  return {
    title: feed.title ?? '',
    link: feed.home_page_url,
    items: items.map((item) => ({
      id: item.id,
      link: item.url ?? item.external_url,
      author: nameOfAuthor(item) ?? nameOfAuthor(feed),
      date: item.date_published ?? item.date_modified,
      title: item.title ?? '',
      body: item.content_text ?? textOfHtml(item.content_html ?? item.summary ?? ''),
    })),
  }
}

/** The first element of each name in a feed or in an item, with its text in the document. */
type Fields = Map<string, { text: string; attributes: Map<string, string> }>

const fieldNames = new Set([
  ...['title', 'link', 'author', 'dc:creator', 'dc:date', 'dc:issued', 'dc:created', 'dc:modified'],
  ...['pubdate', 'published', 'updated'],
  ...['id', 'guid', 'content', 'summary', 'content:encoded', 'description'],
  // Atom 0.3
  ...['issued', 'created', 'modified'],
])
/** The usual prefix of each namespace. */
const namespaces = new Map([
  ['http://www.w3.org/2005/atom', 'atom:'],
  ['http://purl.org/atom/ns#', 'atom:'],
  ['http://purl.org/dc/elements/1.1/', 'dc:'],
  ['http://purl.org/dc/terms/', 'dc:'],
  ['http://purl.org/rss/1.0/modules/content/', 'content:'],
  ['http://purl.org/rss/1.0/', ''],
  ['http://channel.netscape.com/rdf/simple/0.9/', ''],
])
const containers = new Set(['channel', 'item', 'entry'])
/** Maximum number of elements within each other. A feed needs five. */
const deepest = 50

function readXmlFeed(document: string, most: number): FeedDocument | null {
  /** The local name of the root: 'rss', 'feed' (Atom) or 'rdf'. */
  let root = ''
  let open: { tag: string; name: string }[] = []
  const feed: Fields = new Map()
  const items: Fields[] = []
  const prefixes = new Map<string, string>()
  /** The values of xml:base of the root and of the channel. */
  const bases: string[] = []
  /** The field whose text is being read, with everything within it. */
  let field: { tag: StartTag; name: string; within: number; parts: string[] } | null = null

  /** The name of an element, with the usual prefix of its namespace. */
  const nameOf = ({ name, attributes }: StartTag) => {
    for (const [key, uri] of attributes) {
      const usual = key.startsWith('xmlns:') ? namespaces.get(uri.toLowerCase()) : undefined
      if (usual !== undefined) prefixes.set(key.slice('xmlns:'.length), usual)
    }
    const colon = name.indexOf(':')
    const own = open.length > 0 ? attributes.get('xmlns') : undefined
    const prefix = colon > 0 ? prefixes.get(name.slice(0, colon)) : namespaces.get(own?.toLowerCase() ?? '')
    const known = prefix === undefined ? name : prefix + name.slice(colon + 1)
    return root === 'feed' ? known.replace(/^atom:/, '') : known
  }
  const store = ({ tag, name, parts }: NonNullable<typeof field>) => {
    const fields = ['item', 'entry'].includes(open.at(-1)?.name ?? '') ? items.at(-1) : feed
    const { attributes } = tag
    if (name === 'link' && root === 'feed' && (attributes.get('rel') ?? 'alternate') !== 'alternate') return
    const text = parts.join('').trim()
    if (fields && !fields.has(name) && (text || attributes.has('href')))
      fields.set(name, { text, attributes })
  }

  readXml(document, {
    open(tag) {
      if (field) {
        if (tag.name === field.tag.name && !tag.isEmpty) field.within++
        field.parts.push(tag.source)
        return true
      }
      if (!root) {
        const local = tag.name.slice(tag.name.indexOf(':') + 1)
        // A warning of PHP before the feed has elements of HTML: '<br />', '<b>'.
        if (!['rss', 'feed', 'rdf'].includes(local)) return local !== 'html'
        root = local
      }
      const name = nameOf(tag)
      const parent = open.at(-1)?.name ?? ''
      const base = tag.attributes.get('xml:base')
      if (base && (open.length === 0 || name === 'channel')) bases.push(base)
      if (name === 'item' || name === 'entry') {
        if (items.length === most) return false
        items.push(new Map([['', { text: '', attributes: tag.attributes }]]))
      }
      if (fieldNames.has(name) && (containers.has(parent) || (parent === 'feed' && root === 'feed'))) {
        const found = { tag, name, within: 1, parts: [] }
        if (tag.isEmpty) store(found)
        else field = found
      } else if (!tag.isEmpty) open.push({ tag: tag.name, name: open.length === 0 ? root : name })
      return open.length <= deepest
    },
    close(name, source) {
      if (field) {
        if (name === field.tag.name) field.within--
        if (field.within > 0) return void field.parts.push(source)
        store(field)
        field = null
        return
      }
      const place = open.findLastIndex(({ tag }) => tag === name)
      if (place >= 0) open = open.slice(0, place)
    },
    text: (text) => void field?.parts.push(text),
  })
  if (!root) return null
  return {
    title: (root === 'feed' ? atomText : htmlText)(feed.get('title')),
    link: linkOf(feed),
    bases: [...bases, ...basesOf(feed)],
    isAtom: root === 'feed',
    items: items.map((item) => ({
      ...(root === 'feed' ? atomItem(item, feed) : rssItem(item)),
      bases: [...bases, ...basesOf(item)],
    })),
  }
}
type Field = ReturnType<Fields['get']>

/** The times of an entry or an item, the time of its publication first. */
const atomDates = ['published', 'issued', 'created', 'updated', 'modified']
const rssDates = ['pubdate', 'dc:date', 'dc:issued', 'dc:created', 'dc:modified']
const dateIn = (item: Fields, names: string[]) =>
  names.map((name) => item.get(name)?.text).find((text) => text !== undefined)

function atomItem(item: Fields, feed: Fields): Item {
  return {
    id: item.get('id')?.text,
    link: linkOf(item),
    author: nameIn(item.get('author')) ?? nameIn(feed.get('author')),
    date: dateIn(item, atomDates),
    title: atomText(item.get('title')),
    body: atomText(item.get('content') ?? item.get('summary')),
  }
}

function rssItem(item: Fields): Item {
  const guid = item.get('guid')
  const isLink = guid?.attributes.get('ispermalink')?.toLowerCase() !== 'false'
  return {
    id: guid?.text ?? item.get('')?.attributes.get('rdf:about'),
    link: linkOf(item) ?? (isLink ? guid?.text : undefined),
    author: item.get('dc:creator')?.text ?? nameIn(item.get('author')),
    date: dateIn(item, rssDates),
    title: htmlText(item.get('title')),
    body: htmlText(item.get('content:encoded') ?? item.get('description')),
  }
}

function linkOf(fields: Fields): string | undefined {
  const link = fields.get('link')
  return link?.attributes.get('href') ?? link?.text
}

/** xml:base of an item and of its link. */
function basesOf(fields: Fields): string[] {
  return ['', 'link'].flatMap((name) => fields.get(name)?.attributes.get('xml:base') ?? [])
}

/** 'Ann' for '<name>Ann</name>' and for 'ann@example.org (Ann)'. */
function nameIn(field: Field): string | undefined {
  const text = oneLine((field?.text ?? '').slice(0, 4000))
  const named = /<(?:[\w-]+:)?name\b[^<>]*>([^<>]*)/.exec(text)?.[1]
  return (named ?? /\(([^()]+)\)$/.exec(text)?.[1] ?? text) || undefined
}

function htmlText(field: Field): string {
  return textOfHtml(field?.text ?? '')
}

function atomText(field: Field): string {
  return /html/i.test(field?.attributes.get('type') ?? '') ? htmlText(field) : tidyLines(field?.text ?? '')
}
