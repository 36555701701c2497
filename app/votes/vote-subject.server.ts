import * as z from 'zod/mini'
import { isSplitSlug, type SplitLimits } from '../ledger/split'
import { isGoalSlug } from '../platform/goal-slug'
import type { Data } from '../platform/server/data.server'
import { readSplit } from './splits.server'
import { type OpenedVote, readVote } from './votes.server'

/** What token holders vote on: a goal, or the split of the fees. */
interface Subject {
  kind: 'goal' | 'split'
  /** The title of a goal; null for the split, and for a goal whose title was withdrawn. */
  title: string | null
  /** Its page. */
  path: string
  isAnnulled: boolean
}

const goalRow = z.object({ title: z.nullable(z.string()), stage: z.string() })

/** Reads a goal or a split vote by its slug, with its newest vote. A part that cannot be read is null. */
export async function readVoteSubject(data: Data, slug: string) {
  const [subject, vote] = await Promise.all([readOnly(data, slug), readVote(data, slug)])
  return { subject, vote }
}

async function readOnly(data: Data, slug: string): Promise<Subject | 'none' | null> {
  if (isSplitSlug(slug)) {
    const split = await readSplit(data, slug)
    if (split === null || split === 'none') return split
    return { kind: 'split', title: null, path: '/#steps', isAnnulled: false }
  }
  if (!isGoalSlug(slug)) return 'none'
  const rows = await data.rows('published_goals', goalRow, (query) => query.eq('slug', slug))
  const goal = rows && (rows[0] ?? 'none')
  if (goal === null || goal === 'none') return goal
  return {
    kind: 'goal',
    title: goal.title,
    path: `/giveback/${slug}#vote`,
    isAnnulled: goal.stage === 'annulled',
  }
}

/** The limits of the shares in a vote on the split; null in a vote on a goal. */
export function limitsOf({
  names,
  least,
  most,
}: Pick<OpenedVote, 'names' | 'least' | 'most'>): SplitLimits | null {
  return names && least && most && { names, least, most }
}
