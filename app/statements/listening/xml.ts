import { decodeHTML } from 'entities'

/** A start tag. */
export interface StartTag {
  /** The name in lower case, with its prefix. */
  name: string
  /** The values by the names in lower case. */
  attributes: Map<string, string>
  /** True for an element without an end tag: '<br/>'. */
  isEmpty: boolean
  /** The tag as it is in the document. */
  source: string
}

/** Receives the parts of a document in their order. `false` ends the reading. */
export interface Handler {
  open(tag: StartTag): boolean
  close(name: string, source: string): void
  text(text: string): void
}

/**
 * Reads XML that may have faults, as many feeds do. Each step moves forward in the document or ends the
 * reading, so the time is proportional to the length: an attacker chooses the document. Entities that a
 * document declares are not replaced.
 */
export function readXml(document: string, handler: Handler): void {
  let at = 0
  while (at < document.length) {
    const start = startOfMarkup(document, at)
    if (start > at) handler.text(decodeHTML(document.slice(at, start)))
    if (start === document.length) return
    const [opening, closing] = pairs.find(([opening]) => document.startsWith(opening, start)) ?? ['<', '']
    const end = closing ? document.indexOf(closing, start + opening.length) : endOfTag(document, start + 1)
    if (end === -1) return
    at = end + Math.max(closing.length, 1)
    const inside = document.slice(start + opening.length, end)
    const source = document.slice(start, at)
    if (opening === '<![CDATA[') handler.text(inside)
    else if (opening === '</') handler.close(inside.trim().toLowerCase(), source)
    else if (opening === '<' && !handler.open(startTag(source))) return
  }
}

/** The starts and ends of all markup that is no start tag. */
const pairs: [opening: string, closing: string][] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
  ['</', '>'],
]

/** The place of the next '<' that begins markup, or of the end of the document. */
function startOfMarkup(document: string, from: number): number {
  const markup = /<[!?/a-z_]/gi
  markup.lastIndex = from
  return markup.exec(document)?.index ?? document.length
}

/** The place of the '>' that ends a tag, outside quotation marks; -1 if the tag does not end. */
function endOfTag(document: string, from: number): number {
  const mark = /[>"']/g
  mark.lastIndex = from
  for (let found = mark.exec(document); found; found = mark.exec(document)) {
    if (found[0] === '>') return found.index
    const end = document.indexOf(found[0], found.index + 1)
    if (end === -1) return -1
    mark.lastIndex = end + 1
  }
  return -1
}

function startTag(source: string): StartTag {
  const isEmpty = source.endsWith('/>')
  const inside = source.slice(1, isEmpty ? -2 : -1)
  const name = /^[^\s/]*/.exec(inside)?.[0] ?? ''
  const attributes = new Map<string, string>()
  for (const [, key = '', double, single, bare] of inside
    .slice(name.length)
    .matchAll(/([^\s=/]+)\s*(?:=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?/g))
    attributes.set(key.toLowerCase(), decodeHTML(double ?? single ?? bare ?? ''))
  return { name: name.toLowerCase(), attributes, isEmpty, source }
}
