import * as z from 'zod/mini'
import { integerColumn } from '../../platform/server/columns.server.ts'
import type { Config } from '../../platform/server/env.server.ts'
import type { Log } from '../../platform/server/log.server.ts'
import { isLoopback } from '../../platform/server/outside-url.ts'
import { createService, type Service } from '../../platform/server/service.server.ts'
import { readFeed } from './feed.server.ts'
import { type Known, ReadFault, type Reading } from './reading.ts'
import { wordMatcher } from './words.ts'
import { checkPosts, readTimeline } from './x-api.server.ts'

/**
 * The number of sources that are read at the same time. The platform allows six connections for each run, and
 * a read that had to wait for a connection could time out.
 */
const parallel = 4
/** The name of the daily check of posts on X. This check has a row among the sources. */
const checkOfPosts = 'x:posts'

const text = z.nullable(z.string())
const claimed = z.array(
  z.object({
    source: z.string(),
    etag: text,
    last_modified: text,
    body_sha256: text,
    since_id: text,
    page_token: text,
    page_newest: text,
    /** The posts that the run must check. */
    ids: z.array(z.string()),
  }),
)
type Claimed = z.infer<typeof claimed>[number]

const recorded = z.object({ added: integerColumn, edited: integerColumn, gone: integerColumn })

/**
 * Reads the due sources of statements, checks whether posts on X still exist, and stores posts about charity
 * for operators. Never throws: the failure of a source does not affect other sources. A run may be killed at
 * any point, and two runs may overlap: the position of a source is stored with its posts.
 */
export async function listen(config: Config, fetch: typeof globalThis.fetch, log: Log): Promise<void> {
  const { SUPABASE_SECRET_KEY: secret, STATEMENT_SOURCES: sources, X_BEARER_TOKEN: token } = config
  if (!secret) return
  const service = createService(config.SUPABASE_URL, secret, fetch)
  try {
    const wanted = token ? [...sources, checkOfPosts] : sources
    const due = await service.call('claim_sources', claimed, { sources: wanted })
    const queue = [...due]
    const work = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) await readOne(service, config, next, log)
    }
    await Promise.all(Array.from({ length: parallel }, work))
  } catch (error) {
    log.warn('listening.stopped', { reason: (error as Error).message })
  }
}

/** Reads a source and stores the result. Never throws. */
async function readOne(service: Service, config: Config, known: Claimed, log: Log): Promise<void> {
  const { source } = known
  const startedAt = Date.now()
  try {
    const {
      posts = [],
      states = [],
      ...reading
    } = await read(config, known).catch((error: unknown) => {
      if (error instanceof ReadFault) return error.reading as Found
      throw error
    })
    const given = { source, reading, posts, states }
    const counts = await service.call('record_source', recorded, given)
    const facts = { source, ms: Date.now() - startedAt, ...counts }
    if ('fault' in reading)
      log.warn('listening.fault', { ...facts, state: reading.state, fault: reading.fault })
    else if (counts.added + counts.edited + counts.gone > 0) log.info('listening.read', facts)
  } catch (error) {
    log.warn('listening.not-stored', { source, reason: (error as Error).message })
  }
}

type Found = Reading & { posts?: unknown[]; states?: unknown[] }

async function read(config: Config, known: Claimed): Promise<Found> {
  const matches = wordMatcher(config.STATEMENT_WORDS)
  if (!known.source.startsWith('x:'))
    return readFeed(known as Known, { local: isLoopback(config.SITE_URL), matches })
  const options = {
    api: config.X_API_URL.replace(/\/+$/, ''),
    token: config.X_BEARER_TOKEN ?? '',
    // Ten seconds less than the interval, so that the run at the end of the interval is not too early.
    interval: config.X_INTERVAL_MINUTES * 60 - 10,
    matches,
  }
  if (known.source !== checkOfPosts) return readTimeline(known as Known, options)
  const { states, wait } = await checkPosts(known.ids, options)
  return { state: 'well', posts: [], states, wait }
}
