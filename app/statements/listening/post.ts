import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { decodeHTML } from 'entities'
import { firstCharacters } from '../../platform/first-characters.ts'
import { withoutIdleJoiners } from '../../platform/forms/name.ts'

/** A post as the database stores it; the keys are those that public.record_source reads. */
export interface Post {
  /** The URL identifies the post, whatever its source is. */
  url: string
  author: string
  /** Null without a usable time. Pages then show the time of capture. */
  posted_at: string | null
  text: string
  /** SHA-256 of the text in UTF-8, in hex. */
  sha256: string
  /** True if the post contains one of the words. */
  matches: boolean
}

const longestAuthor = 100

/** A post with these fields; U+FFFD replaces NUL and unpaired surrogates, which cannot be stored. */
export function postOf(
  { url, author, date, text }: { url: string; author: string; date: unknown; text: string },
  matches: (text: string) => boolean,
): Post {
  const stored = wellFormed(text)
  return {
    url,
    author: firstCharacters(oneLine(author.slice(0, 4000)), longestAuthor).trim() || new URL(url).host,
    posted_at: timeOf(date),
    text: stored,
    sha256: bytesToHex(sha256(utf8ToBytes(stored))),
    matches: matches(stored),
  }
}

function wellFormed(text: string): string {
  return text.replace(/[\0\p{Cs}]/gu, '\ufffd')
}

/** Returns a text on one line, without control, format or direction characters. Joiners of scripts and emoji stay. */
export function oneLine(text: string): string {
  return withoutIdleJoiners(wellFormed(text).replace(/(?![\u200c\u200d])\p{Cf}/gu, ''))
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
}

const zone = /(?:Z|[+-](?:0\d|1[0-4]):?[0-5]\d|\b(?:UTC?|GMT|E[SD]T|[MP]DT))$/i

/**
 * Converts a time in ISO 8601 or RFC 822 with a zone to ISO 8601; returns null for any other text. The
 * database refuses a time in the future. An abbreviation with several meanings is no zone: 'CST' is used in
 * Chicago, Shanghai and Havana. So is an offset that no place has. A day that its month lacks, and a date with slashes,
 * whose first number is a day or a month, are no dates.
 */
export function timeOf(date: unknown): string | null {
  const typed = typeof date === 'string' ? date.trim() : ''
  if (typed.length > 60) return null
  // RFC 822 allows a comment after the zone, ISO 8601 an offset without minutes.
  const plain = typed.endsWith(')') ? typed.slice(0, typed.indexOf('(')).trim() : typed
  const text = /T[^T]*[+-]\d\d$/i.test(plain) ? `${plain}:00` : plain
  if (!/\d:\d\d/.test(text) || !zone.test(text) || /\d\/\d/.test(text)) return null
  const [, isoDay, day = isoDay] = /^\d{4}-\d\d-(\d\d)|\b(\d\d?)[ -][a-z]/i.exec(text) ?? []
  const isMidnight = /\D24:00/.test(text)
  if (day && !isMidnight && new Date(text.replace(zone, 'Z')).getUTCDate() !== Number(day)) return null
  const time = new Date(text.replace(/\bUT$/i, 'UTC'))
  // The database accepts no time before this one, and PostgreSQL reads no year of more than four digits.
  return time.getTime() >= Date.UTC(2015) && time.getTime() < Date.UTC(2100) ? time.toISOString() : null
}

/**
 * Returns the text of HTML, without tags, scripts or styles, and with one line for each block. No pattern
 * looks beyond the next tag, so the running time is proportional to the length.
 */
export function textOfHtml(html: string): string {
  const text = withoutHidden(html)
    .replace(/\s+/g, ' ')
    .replace(/<\/(?:p|h[1-6]|blockquote|ul|ol|table|figure)\b[^<>]*>/gi, '\n\n')
    .replace(/<(?:br|hr|\/div|\/li|\/tr)\b[^<>]*>/gi, '\n')
    .replace(/<\/?[a-z!][^<>]*>/gi, '')
  return tidyLines(decodeHTML(text))
}

/** The HTML without comments, scripts, styles and templates. One that has no end hides the rest. */
function withoutHidden(html: string): string {
  const lower = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  const opening = /<(?:!--|(script|style|template)\b)/g
  let shown = ''
  let at = 0
  for (let found = opening.exec(lower); found; found = opening.exec(lower)) {
    shown += html.slice(at, found.index)
    const end = lower.indexOf(found[1] ? `</${found[1]}` : '-->', opening.lastIndex)
    const close = end === -1 ? -1 : lower.indexOf('>', end)
    if (close === -1) return shown
    at = close + 1
    opening.lastIndex = at
  }
  return shown + html.slice(at)
}

/** The text without spaces around lines, and with at most one empty line between two lines. */
export function tidyLines(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
