import * as z from 'zod/mini'
import { operatorsOnly } from '../acts/guard.server'
import { integerColumn, timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'

const answered = z.object({
  /** The number of posts of the source that were compared, at most 100. */
  many: integerColumn,
  posts: z.array(
    z.object({
      id: integerColumn,
      url: z.nullable(z.string()),
      author: z.nullable(z.string()),
      posted_at: z.nullable(timestampColumn),
    }),
  ),
})
/** Which of the last posts of its source a rule would have answered, newest first. */
export type AnsweredPosts = z.infer<typeof answered>

/** The posts that a rule with these values would have answered; null if it is not about posts, or if they cannot be read. */
export async function readAnsweredPosts(
  data: Data,
  { rule, source, words }: Record<string, string>,
): Promise<AnsweredPosts | null> {
  if (rule !== 'call' || !source || !words) return null
  const found = await data.call('posts_with_words', operatorsOnly(answered), { source, words })
  return found === 'none' ? null : found
}
