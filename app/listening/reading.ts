import type { Post } from './post.ts'

/** What the database knows of a source (public.claim_sources). */
export interface Known {
  source: string
  etag: string | null
  last_modified: string | null
  /** SHA-256 of the last document, in hex. */
  body_sha256: string | null
  /** X: everything up to this post was read. */
  since_id: string | null
  /** X: where the next page begins, and the newest post of the first page. */
  page_token: string | null
  page_newest: string | null
}

/** What a read found, as the database stores it (public.record_source). A key that is absent leaves its column as it is. */
export type Reading =
  | ({
      state: 'well'
      posts: Post[]
      /** The name of the source for the page, and its link. */
      name?: string
      link?: string
      /** Seconds until the next read; without it, the next run reads. */
      wait?: number
    } & Partial<Omit<Known, 'source'>>)
  /** `fault`: tried again soon, then later and later. `refused`: an operator must change something; tried each hour. */
  | { state: 'fault' | 'refused'; fault: string; wait?: number; page_token?: null }

/** At most so many posts of a source are read at a time. */
export const mostPosts = 50
/** Maximum size of a document after decompression, in bytes. */
export const longestDocument = 1_000_000
/** Maximum duration of a read, redirects included, in milliseconds. */
export const readTimeout = 5_000

/** A read that failed, in words for operators. */
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
 * Seconds to wait after a 429: until the time that the server names, at least 15 minutes, at most a day. `reset` is in
 * seconds since 1970, `Retry-After` in seconds or a date.
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
