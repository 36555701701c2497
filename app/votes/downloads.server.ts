import * as z from 'zod/mini'
import { notFound } from '../log/downloads.server'
import { asFile, type Format, jsonLines, streamRows } from '../platform/downloads/rows.server'
import { openToAll, tooMany, unavailable } from '../platform/downloads/state.server'
import { integerColumn } from '../platform/server/columns.server'
import { type Data, rowsPerCall } from '../platform/server/data.server'
import type { Log } from '../platform/server/log.server'
import type { Limit } from '../platform/server/rate-limit.server'

/** An entry of the log about a vote. `number`: the number of a ballot. */
interface VoteEntry {
  logIndex: number
  entry: string
  vote: number | null
  kind: string
  number: number
}

const otherEntry = z.object({
  logIndex: integerColumn,
  kind: z.string(),
  entry: z.string(),
  vote: z.nullable(integerColumn),
})
const ballotEntry = z.object({
  logIndex: integerColumn,
  entry: z.string(),
  vote: integerColumn,
  number: integerColumn,
})

/** One line for each entry, with its index in the log. */
const format: Format<VoteEntry> = {
  ...jsonLines,
  row: ({ logIndex, entry }) => `{"index":${logIndex},"entry":${entry}}\n`,
}

/** Every log entry about a goal's votes, in order: the goal's first, draws, votes, ballots, results. */
export async function exportVote(
  { data, limit, log }: { data: Data; limit: Limit; log: Log },
  goal: string,
): Promise<Response> {
  if (await limit('page')) return tooMany()
  const rows = await data.rows('published_vote_entries', otherEntry, (query) =>
    query.eq('goal', goal).order('log_index').limit(rowsPerCall),
  )
  if (!rows) return unavailable()
  const others: VoteEntry[] = rows.map((row) => ({ ...row, number: 0 }))
  if (others.length === 0) return notFound("This goal doesn't exist.")
  const first = upToNextVote(others)
  const after = async (last: VoteEntry) => {
    const ballots = isOfVote(last) ? await readBallots(data, last) : []
    if (ballots?.length !== 0) return ballots
    return upToNextVote(others.filter(({ logIndex }) => logIndex > last.logIndex))
  }
  return new Response(streamRows(format, first, after, log), {
    headers: { ...openToAll, ...asFile(`${goal}-votes`, format), 'Cache-Control': 'public, max-age=30' },
  })
}

/** Whether ballots of this vote may follow the entry. */
function isOfVote({ kind }: VoteEntry): boolean {
  return kind === 'vote' || kind === 'ballot'
}

/** The entries up to the next one that opens a vote, which its ballots follow. */
function upToNextVote(entries: VoteEntry[]): VoteEntry[] {
  const at = entries.findIndex(({ kind }) => kind === 'vote')
  return at < 0 ? entries : entries.slice(0, at + 1)
}

async function readBallots(data: Data, { vote, number }: VoteEntry): Promise<VoteEntry[] | null> {
  if (vote === null) return []
  const rows = await data.rows('published_ballots', ballotEntry, (query) =>
    query.eq('vote', vote).gt('number', number).order('number').limit(rowsPerCall),
  )
  return rows?.map((row) => ({ ...row, kind: 'ballot' })) ?? null
}
