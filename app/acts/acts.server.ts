import * as z from 'zod/mini'
import { integerColumn, timestampColumn } from '../platform/server/columns.server'
import type { CommandRefused, Data } from '../platform/server/data.server'
import { notFound, outagePage } from '../platform/server/outage.server'
import { sleep } from '../platform/server/timeout'
import { type ActFault, faultOf } from './act-faults'
import type { Kind } from './forms/kind'

/** Maximum number of done and dropped acts in the list. */
const finalActs = 50
/** Maximum number of drafts and waiting acts in the list. */
const openActs = 200

/** The values of a form. Omits values that are not text, because they cannot come from a form. */
const textValues = z.pipe(
  z.record(z.string(), z.unknown()),
  z.transform((values) =>
    Object.fromEntries(
      Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
  ),
)

const actRow = z.object({
  id: z.string(),
  kind: z.string(),
  /** The subject of the act; null for a new subject. */
  subject: z.nullable(z.string()),
  /** The values that the operator entered; empty when the act is final. */
  arguments: textValues,
  reason: z.nullable(z.string()),
  state: z.enum(['draft', 'waiting', 'done', 'dropped']),
  /** The handle of the operator who proposed the act; null for the command line. */
  by: z.nullable(z.string()),
  second: z.nullable(z.string()),
  savedAt: timestampColumn,
  submittedAt: z.nullable(timestampColumn),
  finalAt: z.nullable(timestampColumn),
  /** The act's number in the public record. */
  number: z.nullable(integerColumn),
  madeKind: z.nullable(z.string()),
  madeId: z.nullable(integerColumn),
})
export type Act = z.infer<typeof actRow>

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

/** The act with this id. 'none': unknown, or not visible to this operator; null: it cannot be read. */
export async function readAct(data: Data, id: string | undefined): Promise<Act | 'none' | null> {
  if (!id || !uuid.test(id)) return 'none'
  const rows = await data.rows('operator_acts', actRow, (query) => query.eq('id', id))
  return rows && (rows[0] ?? 'none')
}

/** The operator's drafts and all waiting acts, and the newest final acts; null if they cannot be read. */
export async function listActs(data: Data): Promise<{ open: Act[]; final: Act[] } | null> {
  const [open, final] = await Promise.all([
    data.rows('operator_acts', actRow, (query) =>
      query.in('state', ['draft', 'waiting']).order('saved_at', { ascending: false }).limit(openActs),
    ),
    data.rows('operator_acts', actRow, (query) =>
      query.in('state', ['done', 'dropped']).order('final_at', { ascending: false }).limit(finalActs),
    ),
  ])
  return open && final && { open, final }
}

/** The values that an operator entered, as a draft to be stored. */
export interface Draft {
  /** The id of the draft: a new id, or the id of the draft to replace. */
  id: string
  kind: string
  subject: string | null
  values: Record<string, string>
  reason: string | null
  /** The revision of the subject whose values filled the form; null for a new subject. */
  version: number | null
}

/** Stores a draft. Returns its id, or the fault that prevented it. */
export async function saveAct(
  data: Data,
  kind: Kind,
  { id, kind: name, subject, values, reason, version }: Draft,
): Promise<{ id: string } | ActFault> {
  const given = { act: id, kind: name, subject, arguments: values, reason, version }
  return answerOf(kind, data.command('save_act', z.object({ id: z.string() }), given))
}

const outcome = z.object({ state: z.enum(['waiting', 'done', 'dropped']) })
type Outcome = z.infer<typeof outcome> | ActFault

const appointee = z.pipe(
  z.object({ name: z.string(), created_at: timestampColumn, confirmed: z.boolean() }),
  z.transform(({ created_at: createdAt, ...account }) => ({ ...account, createdAt })),
)

/** The account that an open act appoints; null if no account has the address, or if it cannot be read. */
export function readAppointee(data: Data, { id }: Act) {
  return data.call('read_appointee', z.nullable(appointee), { act: id }, { get: true })
}

/** Performs an act that needs one operator, or proposes an act that needs two. */
export function submitAct(data: Data, kind: Kind, { id }: Act): Promise<Outcome> {
  return answerOf(kind, data.command('submit_act', outcome, { act: id }))
}

/** Performs an act that another operator proposed. */
export function confirmAct(data: Data, kind: Kind, { id }: Act): Promise<Outcome> {
  return answerOf(kind, data.command('confirm_act', outcome, { act: id }))
}

/** Ends a draft or a waiting act. */
export function dropAct(data: Data, kind: Kind, { id }: Act): Promise<Outcome> {
  return answerOf(kind, data.command('drop_act', outcome, { act: id }))
}

/** The act after another press changed its state; null if none does in about 2 s, or if it can't be read. */
export async function readMoved(data: Data, { id, state }: Act): Promise<Act | null> {
  for (const delay of [100, 200, 300, 500, 900]) {
    await sleep(delay)
    const act = await readAct(data, id)
    if (act && act !== 'none' && act.state !== state) return act
  }
  return null
}

/** The fault of a press on an act that another press has done or dropped: 'already_done' of the database. */
export function alreadyDone({ state, by, second, submittedAt, finalAt }: Act): ActFault {
  const at = finalAt ?? submittedAt ?? undefined
  return faultOf(null, { code: 'already_done', detail: { state, by, second, at } })
}

async function answerOf<Value>(
  kind: Kind,
  answer: Promise<{ value: Value } | CommandRefused>,
): Promise<Value | ActFault> {
  const done = await answer
  return 'value' in done ? done.value : faultOf(kind, done)
}

/** A fault that the form explains. For another fault, throws the 404 page, or the 503 page with the form. */
export function explained(fault: ActFault, form: FormData): ActFault {
  const { code } = fault
  if (code === 'unknown') throw outagePage(form)
  if (code === 'not_operator' || code === 'not_found') throw notFound()
  return fault
}
