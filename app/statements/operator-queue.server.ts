import * as z from 'zod/mini'
import { type ActFault, faultOf } from '../acts/act-faults'
import { operatorsOnly } from '../acts/guard.server'
import { isPrintable } from '../platform/printable'
import { integerColumn, timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'

const nullableTime = z.nullable(timestampColumn)
const queueOf = <Item>(item: z.ZodMiniType<Item>) => z.object({ count: integerColumn, items: z.array(item) })

/** The sources, and their posts and statements that wait for operators. The keys are the database's. */
export const listening = z.object({
  sources: z.array(
    z.object({
      source: z.string(),
      name: z.nullable(z.string()),
      state: z.enum(['asked', 'well', 'fault', 'refused', 'full']),
      fault: z.nullable(z.string()),
      fault_since: nullableTime,
      well_at: nullableTime,
      seen_count: integerColumn,
      found_count: integerColumn,
    }),
  ),
  /** Posts about charity that wait for an operator's decision. */
  posts: queueOf(
    z.object({
      id: integerColumn,
      author: z.string(),
      posted_at: timestampColumn,
      edited_at: nullableTime,
      url: z.string(),
    }),
  ),
  /** Published statements whose post was edited or removed at its source. */
  changed: queueOf(
    z.object({
      id: integerColumn,
      author: z.string(),
      url: z.string(),
      edited_at: nullableTime,
      gone_at: nullableTime,
      text_hash: z.string(),
    }),
  ),
})
export type Listening = z.infer<typeof listening>

const post = operatorsOnly(
  z.object({
    id: integerColumn,
    state: z.enum(['open', 'published', 'dismissed', 'expired', 'gone']),
    source: z.nullable(z.string()),
    url: z.nullable(z.string()),
    author: z.nullable(z.string()),
    posted_at: nullableTime,
    /** True if the source gave no usable time. */
    time_is_capture: z.boolean(),
    captured_at: timestampColumn,
    edited_at: nullableTime,
    gone_at: nullableTime,
    checked_at: nullableTime,
    decided_at: nullableTime,
    decided_by: z.nullable(z.string()),
    reason: z.nullable(z.string()),
    /** The texts of the post, newest first. */
    captures: z.array(z.object({ sha256: z.string(), text: z.string(), captured_at: timestampColumn })),
  }),
)
export type SourcePost = Exclude<z.infer<typeof post>, 'none'>

/** The post with this id; 'none' for an unknown id, null if it cannot be read. */
export async function readPost(
  data: Data,
  id: string | null | undefined,
): Promise<SourcePost | 'none' | null> {
  if (!id || !/^\d{1,15}$/.test(id)) return 'none'
  return data.call('read_post', post, { post: Number(id) }, { get: true })
}

const longestText = 5_000

/** The first 5,000 characters of a text, with control and direction characters written like [U+202E]. */
export function shownText(text: string): { text: string; isCut: boolean } {
  const characters = [...text]
  const escaped = characters.slice(0, longestText).map((character) => {
    const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
    return isPrintable(character, true) ? character : `[U+${code}]`
  })
  return { text: escaped.join(''), isCut: characters.length > longestText }
}

/** The initial values of a statement's form: the newest text's, in the schema's format. */
export function valuesOfPost({
  url,
  author,
  posted_at,
  captured_at,
  captures,
}: SourcePost): Record<string, string> {
  const [newest] = captures
  const plain = [...(newest?.text ?? '')].filter((character) => isPrintable(character, true))
  return {
    link: url ?? '',
    text: plain.slice(0, longestText).join('').trim(),
    author: author ?? '',
    posted: posted_at?.toISOString() ?? '',
    captured: (newest?.captured_at ?? captured_at).toISOString(),
  }
}

const dismissed = z.object({ state: z.literal('dismissed') })

/** Dismisses a post that is not about charity. The fault if the database refused it, or null. */
export async function dismissPost(data: Data, id: number, reason: string): Promise<ActFault | null> {
  const done = await data.command('dismiss_post', dismissed, { post: id, reason })
  return 'code' in done ? faultOf(null, done) : null
}
