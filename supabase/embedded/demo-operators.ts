import { impactPools } from '../../app/platform/impact-pools.ts'
import { contactEntered, exchangeWallet, mailedWallet } from './demo-arrival.ts'
import { demoHolders } from './demo-custody.ts'
import { demoGoalActs, demoGoalReasons, kindOfChange, reasonOfChange } from './demo-goals.ts'
import { answeredStatement, isMadeByStanding, stopReason, suspensionReason } from './demo-orders.ts'
import { chainId, daysBefore, hashOf, insertRows, type Row, type Sql } from './demo-rows.ts'

/** The operators. A visitor can sign in as either of the first two; the third is a former operator. */
export const demoOperators = [
  {
    id: '0000dead-0000-4000-8000-000000000021',
    email: 'mara@goodblock.example',
    username: 'Demo Operator Mara',
    handle: 'mara',
    factor: '0000dead-0000-4000-8000-000000000023',
  },
  {
    id: '0000dead-0000-4000-8000-000000000022',
    email: 'tomas@goodblock.example',
    username: 'Demo Operator Tomas',
    handle: 'tomas',
    factor: '0000dead-0000-4000-8000-000000000024',
  },
] as const
/** The key of both authenticator apps. It is public on purpose. */
export const demoAppKey = 'GOODBLOCKDEMOAPPKEYAAAAAAAAAAAAA'

const [, relief = '', animals = ''] = impactPools.map(({ slug }) => slug)
const [mara, tomas] = demoOperators.map(({ handle }) => handle)
/** The first two joined before the first goal, which two operators approved. */
const since = { mara: daysBefore(150), tomas: daysBefore(150), noor: daysBefore(50) }
const noorUntil = daysBefore(30)

/** Adds the operators and their factors. Their accounts must exist. */
export async function fillDemoOperators(sql: Sql): Promise<void> {
  await insertRows(
    sql,
    'auth.mfa_factors',
    demoOperators.map(({ id, factor }) => ({
      id: factor,
      user_id: id,
      friendly_name: 'Phone',
      factor_type: 'totp',
      status: 'verified',
      secret: demoAppKey,
      created_at: since.mara,
      updated_at: since.mara,
    })),
  )
  await insertRows(sql, 'public.operators', [
    ...demoOperators.map(({ id, handle }) => ({ handle, member: id, since: since[handle], until: null })),
    { handle: 'noor', member: null, since: since.noor, until: noorUntil },
  ])
}

/** A row of a table whose rows become entries of the log. */
interface Entry {
  table: string
  row: Row
}

interface Act {
  kind: string
  /** Null for an act from the command line. */
  by: string | null
  second?: string
  reason?: string
  /** The hash of a reason that is not published. */
  reasonHash?: string
}

/** What the first operator says about herself. */
const introduction =
  'Mara Velin (made up)\nReads statements and publishes updates\nHolds a key of our wallets.\nhttps://example.org/mara'

/** The acts that made no other entry, with their times. */
const appointments: [at: string, subject: string, act: Act][] = [
  [since.mara, 'mara', { kind: 'operator', by: null }],
  [since.tomas, 'tomas', { kind: 'operator', by: null }],
  [daysBefore(140), 'mara', { kind: 'introduction', by: 'mara', reason: introduction }],
  ...demoHolders.map(({ key, reason }): [string, string, Act] => [
    daysBefore(135),
    key,
    { kind: 'holder', by: 'tomas', second: 'mara', reason },
  ]),
  [contactEntered, mailedWallet, { kind: 'contact', by: 'mara', second: 'tomas' }],
  [
    contactEntered,
    exchangeWallet,
    {
      kind: 'contact',
      by: 'mara',
      second: 'tomas',
      reason: 'The wallet of an exchange, which signs no answer.',
    },
  ],
  [since.noor, 'noor', { kind: 'operator', by: 'mara', second: 'tomas' }],
  [noorUntil, 'noor', { kind: 'operator-end', by: 'noor', reason: 'I move abroad, and leave the project.' }],
  ...demoGoalActs().map(({ at, subject, kind, reasonHash }): [string, string, Act] => [
    at,
    subject,
    { kind, by: tomas as string, reasonHash },
  ]),
]
appointments.sort(([a], [b]) => a.localeCompare(b))

/** What an operator said about the payment that failed. */
const failureNote = "The token's contract refused this payment. The money stayed in the treasury."

const correctionReason = 'The payment was entered with a wrong amount.'

/** The texts of the reasons, as rows that have a text. */
export function reasons(): Row[] {
  const given = appointments.flatMap(([, , { reason }]) => reason ?? [])
  return [...given, failureNote, correctionReason, stopReason, suspensionReason, ...demoGoalReasons()].map(
    (act_reason) => ({ act_reason }),
  )
}

/** The tables whose rows become entries: the entry's kind, and what names the subject of its act. */
const tables: Record<string, { kind: string; subject: (row: Row) => unknown }> = {
  'public.transactions': {
    kind: 'transaction',
    subject: ({ tx_hash, ordinal }) => `${chainId}/${tx_hash}/${ordinal}`,
  },
  'public.cz_calls': { kind: 'statement', subject: ({ tweet_url }) => tweet_url },
  'public.pool_updates': { kind: 'update', subject: ({ pool_slug, number }) => `${pool_slug}/${number}` },
  'public.wallet_names': { kind: 'name', subject: ({ address }) => address },
  'public.goal_changes': { kind: 'goal', subject: ({ slug }) => slug },
  'public.order_changes': { kind: 'order', subject: ({ number }) => `${number}` },
  'public.standing_changes': { kind: 'standing-order', subject: ({ number }) => `${number}` },
  'public.split_votes': { kind: 'split-vote', subject: () => 'split-1' },
  'private.log_withdrawals': { kind: 'withdrawal', subject: ({ text_hash }) => text_hash },
}

/** The act that made an entry; null for the job's entries, and those before the first operator. */
function actOf({ table, row }: Entry): Act | null {
  if (table === 'public.goal_changes') return actOfChange(row)
  if (table === 'public.order_changes') return actOfOrder(row)
  if (table === 'public.standing_changes')
    return row.state === 'active'
      ? { kind: 'standing-order', by: mara as string, second: tomas as string }
      : { kind: 'suspend', by: tomas as string, reason: suspensionReason }
  if (table === 'public.split_votes')
    return { kind: 'split-vote', by: mara as string, second: tomas as string }
  if (['public.standing_payments', 'public.payment_splits', 'public.allocations'].includes(table)) return null
  if (String(row.recorded_at) < since.mara) return null
  switch (table) {
    case 'public.transactions':
      if (row.revision === 0) return null
      return String(row.note).startsWith('Corrected')
        ? { kind: 'reading', by: null, reason: correctionReason }
        : { kind: 'purpose', by: tomas as string }
    case 'public.cz_calls':
      if (row.tweet_url === answeredStatement) return null
      return row.revision === 0
        ? { kind: 'statement', by: mara as string }
        : { kind: 'confirmation', by: tomas as string }
    case 'public.pool_updates':
      // The member who owns a goal writes the updates of the goal.
      if (String(row.pool_slug).startsWith('goal-')) return null
      return { kind: 'update', by: (row.pool_slug === animals ? tomas : mara) as string }
    case 'public.wallet_names':
      return { kind: 'name', by: tomas as string, second: mara as string }
    default:
      return { kind: 'withdrawal', by: mara as string, second: tomas as string }
  }
}

/** The act that approved or stopped an order. */
function actOfOrder({ number, state }: Row): Act | null {
  if (state === 'announced' && isMadeByStanding(number)) return null
  if (state === 'announced') return { kind: 'order', by: mara as string, second: tomas as string }
  return state === 'stopped' ? { kind: 'stop', by: tomas as string, reason: stopReason } : null
}

/** The operators' act that changed a goal: by two operators if the kind needs two. */
function actOfChange(row: Row): Act | null {
  const kind = kindOfChange(row)
  if (!kind) return null
  const reason = reasonOfChange(row)
  const needsTwo = kind === 'goal-approval' || kind === 'goal-annulment'
  return { kind, ...(reason && { reason }), by: mara as string, ...(needsTwo && { second: tomas as string }) }
}

function doneAct(
  number: number,
  at: string,
  subject: unknown,
  act: Act,
  made: { kind: string; id: number } | null,
): Row {
  return {
    id: idOfAct(number),
    kind: act.kind,
    subject,
    state: 'done',
    by: act.by,
    second: act.second ?? null,
    created_at: at,
    saved_at: at,
    submitted_at: at,
    final_at: at,
    number,
    made_kind: made?.kind ?? null,
    made_id: made?.id ?? null,
    reason_hash: act.reasonHash ?? (act.reason ? hashOf(act.reason) : null),
  }
}

/** What an operator says of each payment that failed, after it. `number`: the first free number of an act. */
export function failureNotes(entries: readonly Entry[], number: number): Entry[] {
  const act = { kind: 'mistake-note', by: tomas as string, reason: failureNote }
  return entries
    .filter(({ table, row }) => table === 'public.order_changes' && row.state === 'failed')
    .map(({ row }, place) => ({
      table: 'public.operator_acts',
      row: doneAct(number + place, String(row.recorded_at), `payment/${row.number}`, act, null),
    }))
}

/** The entries in the log's order, each followed by its act, and the acts that made no other entry. */
export function withActs(entries: Entry[]): Entry[] {
  const ids = new Map<string, number>()
  const appointed = [...appointments]
  const events: Entry[] = []
  const add = (at: string, subject: unknown, act: Act, made: { kind: string; id: number } | null) => {
    const number = 1 + events.filter(({ table }) => table === 'public.operator_acts').length
    events.push({ table: 'public.operator_acts', row: doneAct(number, at, subject, act, made) })
  }
  for (const entry of entries) {
    const { table, row } = entry
    const recordedAt = String(row.recorded_at)
    while (appointed[0] && appointed[0][0] <= recordedAt) {
      const [[at, subject, act]] = appointed.splice(0, 1) as [(typeof appointments)[number]]
      add(at, subject, act, null)
    }
    events.push(entry)
    const id = 1 + (ids.get(table) ?? 0)
    ids.set(table, id)
    const act = actOf(entry)
    const known = tables[table]
    if (act && known) add(recordedAt, known.subject(row), act, { kind: known.kind, id })
  }
  return events
}

/** A proposed act, a draft and a dropped draft. `gift` is the payment without a dollar value. */
export function actsWithoutEntry(gift: Row): Row[] {
  const act = (number: number, kind: string, by: string | undefined, days: number, given: Row): Row => {
    const at = daysBefore(days)
    return {
      id: idOfAct(900 + number),
      kind,
      by,
      subject: null,
      arguments: {},
      version: null,
      created_at: at,
      saved_at: at,
      submitted_at: null,
      final_at: null,
      ...given,
    }
  }
  return [
    act(1, 'value', mara, 2, {
      state: 'waiting',
      submitted_at: daysBefore(2),
      subject: tables['public.transactions']?.subject(gift),
      arguments: { rate: '0.0004', rate_source: 'Demonstration price' },
      version: 0,
    }),
    act(2, 'update', mara, 3, {
      state: 'draft',
      arguments: {
        pool: relief,
        text: 'The clinic has vaccinated the first children.',
        dated: daysBefore(3),
      },
    }),
    act(3, 'statement', tomas, 12, { state: 'dropped', final_at: daysBefore(11) }),
  ]
}

function idOfAct(number: number): string {
  return `0000dead-0000-4000-8000-${String(100_000 + number).padStart(12, '0')}`
}
