import * as z from 'zod/mini'
import { fromMicros, moment, toMicros } from '../ledger/keyset.server'
import type { UpdatePicture } from '../ledger/update-picture'
import { sortLinks } from '../ledger/updates.server'
import { integerColumn, moneyColumn, timestampColumn } from '../platform/server/columns.server'
import { type Data, rowsPerCall } from '../platform/server/data.server'
import { picturePathColumn, stageColumn } from './columns.server'
import type { Stage } from './stages'

const goalsPerPage = 12

/** A goal in the list. A text is null if it is hidden or was withdrawn. */
const listedGoalRow = z.pipe(
  z.object({
    slug: z.string(),
    stage: stageColumn,
    frozen: z.boolean(),
    isOverdue: z.nullable(z.boolean()),
    title: z.nullable(z.string()),
    byline: z.nullable(z.string()),
    category: z.nullable(z.string()),
    picturePath: picturePathColumn,
    pictureText: z.nullable(z.string()),
    targetUsd: moneyColumn,
    receivedUsd: moneyColumn,
    endsAt: moment,
    endedAt: z.nullable(moment),
    /** The number of the update that is the final report. */
    reportNumber: z.nullable(integerColumn),
  }),
  z.transform(({ endsAt, endedAt, isOverdue, ...goal }) => {
    const group = groupOf(goal)
    return {
      ...goal,
      isOverdue: isOverdue === true,
      endsAt: timestampColumn.parse(endsAt),
      endedAt: endedAt === null ? null : timestampColumn.parse(endedAt),
      group,
      cursor: cursorOf(group, stages[group] === 'open' ? endsAt : `${endedAt}`, goal.slug),
    }
  }),
)
export type ListedGoal = z.infer<typeof listedGoalRow>

/**
 * The groups of the list, in order, with the stage of their goals: open goals, earliest end first; completed
 * goals, latest end first; ended goals without an accepted report, latest end first; frozen goals, earliest
 * end first.
 */
const stages = { open: 'open', completed: 'completed', ended: 'ended', frozen: 'open' } as const
type Group = keyof typeof stages
const groups = Object.keys(stages) as Group[]

function groupOf({ stage, frozen }: { stage: Stage; frozen: boolean }): Group {
  if (stage === 'open') return frozen ? 'frozen' : 'open'
  return stage === 'completed' ? 'completed' : 'ended'
}

/** The position in the list after a certain goal. */
interface GoalPosition {
  group: Group
  at: string
  slug: string
}

const cursorPattern = /^(open|completed|ended|frozen)-(\d{1,16})-([a-z]{8})$/

function cursorOf(group: Group, time: string, slug: string): string {
  return `${group}-${toMicros(time)}-${slug.slice('goal-'.length)}`
}

/** Reads the position from `?after=`. `valid` is false for a malformed cursor. */
export function parseGoalPosition(after: string | null): { position: GoalPosition | null; valid: boolean } {
  if (!after) return { position: null, valid: true }
  const [, group, micros = '', letters] = cursorPattern.exec(after) ?? []
  const at = group ? fromMicros(micros) : null
  if (at === null) return { position: null, valid: false }
  return { position: { group: group as Group, at, slug: `goal-${letters}` }, valid: true }
}

/** A page of the goals after `position`, with the next page's cursor; null if they cannot be read. */
export async function listGoals(
  data: Data,
  position: GoalPosition | null,
): Promise<{ goals: ListedGoal[]; next: string | null } | null> {
  const first = position ? groups.indexOf(position.group) : 0
  const read = await Promise.all(
    groups.slice(first).map((group) => readGroup(data, group, position?.group === group ? position : null)),
  )
  const found: ListedGoal[] = []
  for (const goals of read) {
    if (!goals) return null
    found.push(...goals)
  }
  const goals = found.slice(0, goalsPerPage)
  return { goals, next: found.length > goalsPerPage ? (goals.at(-1)?.cursor ?? null) : null }
}

function readGroup(data: Data, group: Group, position: GoalPosition | null): Promise<ListedGoal[] | null> {
  const stage = stages[group]
  const isOpen = stage === 'open'
  const column = isOpen ? 'ends_at' : 'ended_at'
  return data.rows('published_goals', listedGoalRow, (query) => {
    const staged = query.eq('stage', stage)
    const ordered = (isOpen ? staged.eq('frozen', group === 'frozen') : staged)
      .order(column, { ascending: isOpen })
      .order('slug', { ascending: isOpen })
      .limit(goalsPerPage + 1)
    if (!position) return ordered
    const { at, slug } = position
    const beyond = isOpen ? 'gt' : 'lt'
    // The comparison of this column alone lets Postgres start its index scan at the position.
    const bounded = isOpen ? ordered.gte(column, at) : ordered.lte(column, at)
    return bounded.or(`${column}.${beyond}."${at}",and(${column}.eq."${at}",slug.${beyond}.${slug})`)
  })
}

const reportRow = z.pipe(
  z.object({
    poolSlug: z.string(),
    number: integerColumn,
    text: z.nullable(z.string()),
    links: z.nullable(z.string()),
  }),
  z.transform(({ links, ...report }) => ({ ...report, picture: sortLinks(links).pictures[0] ?? null })),
)

/**
 * The accepted final reports of the completed goals among `goals`, by slug: the text and the first picture.
 * Withdrawn reports are left out; empty if the reports cannot be read.
 */
export async function readReports(data: Data, goals: readonly ListedGoal[]) {
  const numbers = new Map(
    goals.flatMap(({ slug, group, reportNumber }): [string, number][] =>
      group === 'completed' && reportNumber !== null ? [[slug, reportNumber]] : [],
    ),
  )
  const reports: Record<string, { text: string; picture: UpdatePicture | null }> = {}
  if (numbers.size === 0) return reports
  const rows = await data
    .optional()
    .rows('published_updates', reportRow, (query) =>
      query.in('pool_slug', [...numbers.keys()]).in('number', [...new Set(numbers.values())]),
    )
  for (const { poolSlug, number, text, picture } of rows ?? [])
    if (text !== null && numbers.get(poolSlug) === number) reports[poolSlug] = { text, picture }
  return reports
}

const totalsRow = z.object({
  /** Verified gifts to goals, and dreams paid to the goals' wallets, in cents. */
  fundedUsd: moneyColumn,
  completedCount: integerColumn,
})

const receivedRow = z.object({ receivedUsd: moneyColumn })

/**
 * The figures of all goals together, and the part of `fundedUsd` that annulled goals received. No page lists
 * annulled goals. Null if the figures cannot be read.
 */
export async function readGoalTotals(data: Data) {
  const [totals, annulled] = await Promise.all([
    data.row('goal_totals', totalsRow),
    data.optional().rows('published_goals', receivedRow, (query) => query.eq('stage', 'annulled')),
  ])
  const annulledUsd = annulled?.reduce((sum, { receivedUsd }) => sum + receivedUsd, 0) ?? 0
  return totals && { ...totals, annulledUsd }
}

const slugRow = z.object({ slug: z.string() })

/** The slugs of the newest goals that search engines may list; empty if the goals cannot be read. */
export async function listGoalSlugs(data: Data): Promise<string[]> {
  const rows = await data.rows('published_goals', slugRow, (query) =>
    query
      .in('stage', ['open', 'ended', 'completed'])
      .eq('frozen', false)
      .order('opened_at', { ascending: false })
      .limit(rowsPerCall),
  )
  return rows?.map(({ slug }) => slug) ?? []
}
