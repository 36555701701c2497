import * as z from 'zod/mini'
import { integerColumn, timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import { type Introduction, readIntroduction } from './introduction'

const actsPerPage = 20
/** Maximum number of operators in the list, newest first. */
const maxOperators = 200

/** A completed act, in the form that everyone can read. */
const actRow = z.object({
  /** The number of the act: 1 for the first act. */
  id: integerColumn,
  logIndex: integerColumn,
  recordedAt: timestampColumn,
  act: z.string(),
  subject: z.string(),
  /** The handle of the operator; null for the command line. */
  by: z.nullable(z.string()),
  second: z.nullable(z.string()),
  madeKind: z.nullable(z.string()),
  madeId: z.nullable(integerColumn),
  /** The revision of the entry that the act made: above 0 for a correction. */
  madeRevision: z.nullable(integerColumn),
  reason: z.nullable(z.string()),
  reasonWithdrawn: z.boolean(),
})
export type PublishedAct = z.infer<typeof actRow>

/** A page of the acts below `before`, newest first, with the other pages' numbers; null if unreadable. */
export async function listPublishedActs(data: Data, before: number | null) {
  const rows = await data.rows('published_acts', actRow, (query) => {
    const newest = query.order('id', { ascending: false }).limit(actsPerPage + 1)
    return before === null ? newest : newest.lt('id', before)
  })
  if (!rows) return null
  return {
    rows: rows.slice(0, actsPerPage),
    newer: before === null ? null : before + actsPerPage,
    older: rows.length > actsPerPage ? (rows[actsPerPage - 1]?.id ?? null) : null,
  }
}

/** Maximum number of acts about one subject in the list. */
const maxActsAbout = 100

/** The newest acts about a subject; null if they cannot be read. */
export function listActsAbout(data: Data, subject: string): Promise<PublishedAct[] | null> {
  return data.rows('published_acts', actRow, (query) =>
    query.eq('subject', subject).order('id', { ascending: false }).limit(maxActsAbout),
  )
}

const operatorRow = z.object({
  handle: z.string(),
  since: timestampColumn,
  until: z.nullable(timestampColumn),
})
type PublishedOperator = z.infer<typeof operatorRow>

/** Everyone who is or was an operator, active operators first; null if they cannot be read. */
function listOperators(data: Data): Promise<PublishedOperator[] | null> {
  return data.rows('published_operators', operatorRow, (query) =>
    query
      .order('until', { ascending: false, nullsFirst: true })
      .order('since', { ascending: false })
      .limit(maxOperators),
  )
}

const introductionRow = z.object({ logIndex: integerColumn, by: z.string(), reason: z.nullable(z.string()) })
/** An operator with their latest introduction; undefined without one, or if it was withdrawn. */
export type IntroducedOperator = PublishedOperator & {
  introduction: (Introduction & { logIndex: number }) | undefined
}

/** The operators of `listOperators`, with their introductions; null if one of both cannot be read. */
export async function listIntroducedOperators(data: Data): Promise<IntroducedOperator[] | null> {
  const [operators, rows] = await Promise.all([
    listOperators(data),
    data.rows('published_acts', introductionRow, (query) =>
      query.eq('act', 'introduction').order('id', { ascending: false }).limit(maxOperators),
    ),
  ])
  if (!operators || !rows) return null
  return operators.map((operator) => {
    const newest = rows.find(({ by }) => by === operator.handle)
    const said = newest?.reason ? readIntroduction(newest.reason) : null
    return { ...operator, introduction: newest && said ? { ...said, logIndex: newest.logIndex } : undefined }
  })
}

/** True if this operator is active, or if the operators cannot be read. */
export async function isActive(data: Data, handle: string): Promise<boolean> {
  const rows = await data.rows('published_operators', operatorRow, (query) => query.eq('handle', handle))
  return rows?.[0]?.until == null
}
