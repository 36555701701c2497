import type { Head } from '../ledger/head.server'

/** What a feed reader is told, in either of its two languages. */
export interface Feed {
  /** Addresses are whole: a feed is read far from its site. */
  self: string
  page: string
  title: string
  description: string
  language: 'en'
  author: string
  updated: Date
  /** The latest signed head of the ledger: whoever keeps the feed keeps it too. */
  head: Head | null
  entries: Entry[]
}

export interface Entry {
  /** Stays the same for good. */
  id: string
  url: string
  /** What it is about, elsewhere. */
  external: string | null
  title: string
  text: string
  published: Date
  updated: Date
}

const headNames = ['seq', 'hash', 'signed_at', 'public_key', 'signature'] as const

/** Atom (RFC 4287). The head is an element of our own namespace. */
export function toAtom(feed: Feed): string {
  const head = headNames.map((name) => ` ${name}="${toXml(`${feed.head?.[name]}`)}"`).join('')
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:ledger="${toXml(new URL('/transparency/head.json', feed.self).href)}" xml:lang="${feed.language}">
<id>${toXml(feed.self)}</id>
<title>${toXml(feed.title)}</title>
<subtitle>${toXml(feed.description)}</subtitle>
<link rel="self" type="application/atom+xml" href="${toXml(feed.self)}"/>
<link rel="alternate" type="text/html" href="${toXml(feed.page)}"/>
<author><name>${toXml(feed.author)}</name></author>
<updated>${feed.updated.toISOString()}</updated>
${feed.head ? `<ledger:head${head}/>\n` : ''}${feed.entries.map(atomEntry).join('')}</feed>
`
}

function atomEntry(entry: Entry): string {
  const related = entry.external && `\n<link rel="related" href="${toXml(entry.external)}"/>`
  return `<entry>
<id>${toXml(entry.id)}</id>
<title>${toXml(entry.title)}</title>
<link rel="alternate" type="text/html" href="${toXml(entry.url)}"/>${related ?? ''}
<published>${entry.published.toISOString()}</published>
<updated>${entry.updated.toISOString()}</updated>
<content type="text">${toXml(entry.text)}</content>
</entry>
`
}

/** JSON Feed 1.1. The head is an extension, as head.json has it. */
export function toJsonFeed(feed: Feed): string {
  const document = {
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: feed.page,
    feed_url: feed.self,
    description: feed.description,
    language: feed.language,
    authors: [{ name: feed.author }],
    ...(feed.head && { _ledger: { head: feed.head } }),
    items: feed.entries.map(({ id, url, external, title, text, published, updated }) => ({
      id,
      url,
      ...(external && { external_url: external }),
      title,
      content_text: text,
      date_published: published.toISOString(),
      date_modified: updated.toISOString(),
    })),
  }
  return `${JSON.stringify(document)}\n`
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

/** Text for XML. What XML has no character for becomes the sign for that. */
function toXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"\r]/g, (character) => entities[character] ?? '')
}
