import * as z from 'zod/mini'
import { type OutsideResponse, requestOutside } from '../../platform/server/outside-response.server.ts'
import { brand, wordOf } from '../../platform/site.ts'
import { oneLine, type Post, postOf } from './post.ts'
import {
  type Known,
  longestDocument,
  mostPosts,
  ReadFault,
  type Reading,
  readTimeout,
  waitAfterLimit,
} from './reading.ts'

interface Options {
  /** The API's address, and the token of the app that is registered with the API. */
  api: string
  token: string
  /** Seconds between two reads. */
  interval: number
  matches: (text: string) => boolean
}

const id = z.string().check(z.regex(/^\d{1,20}$/))
const apiPost = z.object({
  id,
  text: z.string(),
  /** The whole text of a long post. */
  note_tweet: z.optional(z.object({ text: z.string() })),
  created_at: z.optional(z.string()),
  author_id: z.optional(id),
  /** The ids of all versions of an edited post, oldest first. */
  edit_history_tweet_ids: z.optional(z.array(id).check(z.minLength(1))),
})
type ApiPost = z.infer<typeof apiPost>

const includes = z.object({
  users: z.optional(z.array(z.object({ id, name: z.string(), username: z.string() }))),
})
const timeline = z.object({
  data: z.optional(z.array(apiPost)),
  includes: z.optional(includes),
  meta: z.optional(z.object({ next_token: z.optional(z.string().check(z.regex(/^[!-~]{1,500}$/))) })),
})
const problem = z.object({
  resource_id: z.optional(z.string()),
  value: z.optional(z.string()),
  type: z.optional(z.string()),
})
const lookup = z.object({ data: z.optional(z.array(apiPost)), errors: z.optional(z.array(problem)) })

/** The result of a daily check of a post (public.record_posts); none if the API does not mention it. */
export interface PostState {
  id: string
  /** The id of the newest version of the post. If the text is missing, the next check reads this version. */
  current?: string
  text?: string
  sha256?: string
  gone?: true
}

const fields = 'created_at,author_id,note_tweet,edit_history_tweet_ids'

/**
 * Reads one page of the posts of a user that are newer than `since_id`, newest first. If more pages follow,
 * the next read continues with the next page, and `since_id` changes only after the last page. The first read
 * of a user takes only one page, because each post costs money. Throws a ReadFault.
 */
export async function readTimeline(
  known: Known,
  { api, token, interval, matches }: Options,
): Promise<Reading> {
  const user = known.source.slice('x:'.length)
  const query = new URLSearchParams({
    max_results: `${mostPosts}`,
    exclude: 'retweets',
    'tweet.fields': fields,
    expansions: 'author_id',
    'user.fields': 'name,username',
    ...(known.since_id && { since_id: known.since_id }),
    ...(known.page_token && { pagination_token: known.page_token }),
  })
  const response = await request(`${api}/2/users/${user}/tweets?${query}`, token)
  // The page token may have expired: begin again from `since_id`, so that no post is lost.
  if (response.status === 400 && known.page_token)
    return { state: 'fault', fault: 'it does not know the next page any more', page_token: null }
  refuseStatus(response)
  const { data = [], includes: found, meta } = parse(timeline, response)
  if (!meta) throw new ReadFault('refused', 'it shows no posts of this user: suspended, protected or unknown')
  const author = found?.users?.find((each) => each.id === user)
  const posts = data.map((post) => toPost(post, author, matches))
  const newest = [known.page_newest, known.since_id, ...data.map((post) => post.id)].reduce(greater, null)
  const hasMore = Boolean(meta.next_token && known.since_id && data.length > 0)
  const name = author && oneLine(author.username).slice(0, 50)
  return {
    state: 'well',
    posts,
    name: name ? `@${name} on x.com` : 'x.com',
    link: name ? `https://x.com/${name}` : `https://x.com/i/user/${user}`,
    ...(hasMore
      ? { page_token: meta.next_token ?? null, page_newest: newest }
      : { since_id: newest, page_token: null, page_newest: null }),
    wait: Math.max(hasMore ? 0 : interval, waitForBudget(response.headers)),
  }
}

/** Whether posts still exist, with their current versions: at most 100 a call. Throws a ReadFault. */
export async function checkPosts(
  ids: readonly string[],
  { api, token }: Pick<Options, 'api' | 'token'>,
): Promise<{ states: PostState[]; wait: number }> {
  const query = new URLSearchParams({ ids: ids.join(), 'tweet.fields': fields })
  const response = await request(`${api}/2/tweets?${query}`, token)
  refuseStatus(response)
  const { data = [], errors = [] } = parse(lookup, response)
  const states = data.flatMap((post): PostState[] => {
    // X may return the newest version instead of the requested version.
    const versions = [...(post.edit_history_tweet_ids ?? []), post.id]
    const asked = versions.find((version) => ids.includes(version))
    if (!asked) return []
    const current = post.edit_history_tweet_ids?.at(-1) ?? post.id
    // X returned an older version: the next check reads the newest version.
    if (current !== post.id) return [{ id: asked, current }]
    const { text, sha256 } = toPost(post, undefined, () => true)
    return [{ id: asked, current, text, sha256 }]
  })
  const gone = errors
    .filter(({ type = '' }) => /\/(resource-not-found|not-authorized-for-resource)$/.test(type))
    .map(({ resource_id, value }) => resource_id ?? value ?? '')
    .filter((missing) => ids.includes(missing) && !states.some(({ id: seen }) => seen === missing))
  return {
    states: [...states, ...gone.map((one) => ({ id: one, gone: true as const }))],
    wait: waitForBudget(response.headers),
  }
}

async function request(url: string, token: string): Promise<OutsideResponse> {
  const signal = AbortSignal.timeout(readTimeout)
  const response = await requestOutside(
    url,
    { headers: { Authorization: `Bearer ${token}`, 'User-Agent': `${wordOf(brand)}-listener` }, signal },
    longestDocument,
  ).catch(() => {
    throw new ReadFault(
      'fault',
      signal.aborted ? 'it did not answer within 5 seconds' : 'it could not be reached',
    )
  })
  if (response === 'too-long') throw new ReadFault('fault', 'its answer has more than 1 MB')
  if (response === 'incomplete') throw new ReadFault('fault', 'its answer was not complete within 5 seconds')
  return response
}

const refusals: Record<number, string> = {
  401: 'it does not accept our token (401)',
  402: 'it wants to be paid first: the account has no credits (402)',
  403: 'our app may not read this (403)',
  404: 'it does not know this user (404)',
}

function refuseStatus({ status, headers }: OutsideResponse): void {
  const refusal = refusals[status]
  if (refusal) throw new ReadFault('refused', refusal)
  if (status === 429) throw new ReadFault('fault', 'it is asked too often (429)', waitAfterLimit(headers))
  if (status !== 200) throw new ReadFault('fault', `it answered with the status ${status}`)
}

function parse<Value>(schema: z.ZodMiniType<Value>, { bytes }: OutsideResponse): Value {
  try {
    return schema.parse(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    throw new ReadFault('fault', 'its answer has another form than documented')
  }
}

/** Seconds until the next call is allowed, if the response used the last allowed call. */
function waitForBudget(headers: Headers): number {
  return headers.get('x-rate-limit-remaining') === '0' ? waitAfterLimit(headers) : 0
}

/** The URL has the first version's id, so an edited post keeps it; X links there to the newest. */
function toPost(
  post: ApiPost,
  author: { name: string; username: string } | undefined,
  matches: (text: string) => boolean,
): Post {
  const first = post.edit_history_tweet_ids?.[0] ?? post.id
  const username = /^\w{1,30}$/.exec(author?.username ?? '')?.[0] ?? 'i'
  const text = (post.note_tweet?.text ?? post.text)
    // X escapes only these three characters.
    .replace(/&(lt|gt|amp);/g, (_, name: string) => (name === 'lt' ? '<' : name === 'gt' ? '>' : '&'))
  const url = `https://x.com/${username}/status/${first}`
  return postOf({ url, author: author?.name ?? 'X', date: post.created_at, text }, matches)
}

/** The greater of two ids, as BigInt, because the ids are too large for a JavaScript number. */
function greater(one: string | null, other: string | null): string | null {
  if (!one || !other) return one ?? other
  return BigInt(one) > BigInt(other) ? one : other
}
