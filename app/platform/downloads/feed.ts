/** A feed, in Atom or JSON Feed. */
export interface Feed {
  /** The URLs are absolute, because readers show a feed outside this site. */
  self: string
  page: string
  title: string
  description: string
  language: 'en'
  author: string
  updated: Date
  /**
   * The newest checkpoint of the log (a signed note), so that a reader that stores the feed also stores the
   * checkpoint; null if the feed has no checkpoint.
   */
  checkpoint: string | null
  entries: Entry[]
}

export interface Entry {
  /** The id never changes. */
  id: string
  url: string
  /** The URL of a statement or of a row's proof; null if the entry has no such URL. */
  external: string | null
  title: string
  text: string
  published: Date
  updated: Date
}

/** Atom (RFC 4287). The checkpoint is an element in our namespace. */
export function toAtom(feed: Feed): string {
  const checkpoint = feed.checkpoint && `<log:checkpoint>${toXml(feed.checkpoint)}</log:checkpoint>\n`
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:log="${toXml(new URL('/transparency/log/checkpoint', feed.self).href)}" xml:lang="${feed.language}">
<id>${toXml(feed.self)}</id>
<title>${toXml(feed.title)}</title>
<subtitle>${toXml(feed.description)}</subtitle>
<link rel="self" type="application/atom+xml" href="${toXml(feed.self)}"/>
<link rel="alternate" type="text/html" href="${toXml(feed.page)}"/>
<author><name>${toXml(feed.author)}</name></author>
<updated>${feed.updated.toISOString()}</updated>
${checkpoint ?? ''}${feed.entries.map(atomEntry).join('')}</feed>
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

/** JSON Feed 1.1. The checkpoint is an extension. */
export function toJsonFeed(feed: Feed): string {
  const document = {
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: feed.page,
    feed_url: feed.self,
    description: feed.description,
    language: feed.language,
    authors: [{ name: feed.author }],
    ...(feed.checkpoint && { _log: { checkpoint: feed.checkpoint } }),
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

/** Escapes text for XML. A character that XML does not allow becomes U+FFFD. */
export function toXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"\r]/g, (character) => entities[character] ?? '')
}
