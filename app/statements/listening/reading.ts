import type { Post } from './post.ts'

/** The stored state of a source (public.claim_sources). */
export interface Known {
  source: string
  etag: string | null
  last_modified: string | null
  /** SHA-256 of the last document, in hex. */
  body_sha256: string | null
  /** X only: the id up to which every post was read. */
  since_id: string | null
  /** X only: the token of the next page, and the newest post of the first page. */
  page_token: string | null
  page_newest: string | null
}

/** The result of a read, for public.record_source. A missing key leaves its column unchanged. */
export type Reading =
  | ({
      state: 'well'
      posts: Post[]
      /** The name of the source for the page, and the link of the source. */
      name?: string
      link?: string
      /** Seconds until the next read. If this number is missing, the next run reads the source. */
      wait?: number
    } & Partial<Omit<Known, 'source'>>)
  /**
   * `fault`: the source is read again soon, with a growing delay. `refused`: an operator must change
   * something; the source is read again every hour.
   */
  | { state: 'fault' | 'refused'; fault: string; wait?: number; page_token?: null }

/** Maximum number of posts that one read takes from a source. */
export const mostPosts = 50
/** Maximum size of a document after decompression, in bytes. */
export const longestDocument = 1_000_000
/** Maximum duration of a read, including redirects, in milliseconds. */
export const readTimeout = 5_000

/** The failure of a read, in words for operators. */
export class ReadFault extends Error {
  readonly reading: Reading & { state: 'fault' | 'refused' }

  constructor(state: 'fault' | 'refused', fault: string, wait?: number) {
    super(fault)
    this.reading = { state, fault, ...(wait !== undefined && { wait }) }
  }
}

const quarter = 15 * 60
const day = 24 * 60 * 60

/**
 * Seconds to wait after a 429: until the time in the headers, but at least 15 minutes and at most a day.
 * `reset` is in seconds since 1970, `Retry-After` in seconds or a date.
 */
export function waitAfterLimit(headers: Headers, now = Date.now()): number {
  const until = Number(headers.get('x-rate-limit-reset')) || Number.NaN
  const after = headers.get('Retry-After') ?? ''
  const seconds = [
    until - now / 1000,
    /^\d{1,9}$/.test(after) ? Number(after) : (Date.parse(after) - now) / 1000,
  ].filter((wait) => !Number.isNaN(wait))
  return Math.ceil(Math.min(day, Math.max(quarter, ...seconds)))
}
