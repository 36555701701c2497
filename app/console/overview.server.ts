import * as z from 'zod/mini'
import { operatorsOnly, operatorValue } from '../acts/guard.server'
import { goalQueues } from '../goals/reviewed-goals.server'
import { tokenColumns, withTokens } from '../ledger/token-columns.server'
import { integerColumn, moneyColumn, objectsColumn, timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import { listening } from '../statements/operator-queue.server'
import type { ActKind } from './act-kinds'

/** A queue with its count, which is at most 101. For 101, pages show 'more than 100'. */
const queueOf = <Item>(items: z.ZodMiniType<Item[]>) => z.object({ count: integerColumn, items })

const kind = z.pipe(
  z.string(),
  z.transform((name) => name as ActKind),
)

const payments = queueOf(
  objectsColumn(
    z.pipe(
      z.object({
        ...tokenColumns,
        id: integerColumn,
        subject: z.string(),
        occurredAt: timestampColumn,
        amountUsd: z.nullable(moneyColumn),
        toAddress: z.string(),
      }),
      z.transform(withTokens),
    ),
  ),
)
export type QueuedPayment = z.infer<typeof payments>['items'][number]

const queues = z.object({
  drafts: queueOf(z.array(z.object({ id: z.string(), kind, at: timestampColumn }))),
  waiting: queueOf(
    z.array(
      z.object({
        ...{ id: z.string(), kind, by: z.string(), at: timestampColumn, mine: z.boolean() },
        /** What the act is about; null for a new subject. */
        subject: z.nullable(z.string()),
        arguments: z.record(z.string(), z.unknown()),
      }),
    ),
  ),
  statements: queueOf(
    objectsColumn(z.object({ link: z.string(), author: z.string(), postedAt: timestampColumn })),
  ),
  other: payments,
  purposes: payments,
  names: queueOf(z.array(z.object({ address: z.string() }))),
})
export type Queues = z.infer<typeof queues>
export type WaitingAct = Queues['waiting']['items'][number]

const texts = z.catch(z.array(z.string()), [])
/** A report of the ledger job (app/ledger/job/ledger-report.ts), with the fields that the page shows. */
const report = z.partial(
  z.object({
    stopped: z.string(),
    behind: z.number(),
    unread: z.number(),
    differences: z.number(),
    notCompared: texts,
    tokens: texts,
    pools: texts,
    outsized: texts,
    faults: z.record(z.string(), z.string()),
    endpoints: z.record(z.string(), z.string()),
    coins: z.catch(
      z.partial(z.object({ stopped: z.string(), behind: z.number(), unread: texts, unexplained: texts })),
      {},
    ),
    anchor: z.catch(z.partial(z.object({ fault: z.string() })), {}),
    payer: z.catch(z.partial(z.object({ fault: z.string(), waiting: z.record(z.string(), z.string()) })), {}),
    checked: z.catch(z.record(z.string(), z.number()), {}),
    rolledBack: z.boolean(),
  }),
)
export type RunReport = z.infer<typeof report>

const run = z.object({ ran_at: timestampColumn, report })
const nullableTime = z.nullable(timestampColumn)

const health = z.object({
  status: z.nullable(
    z.object({
      size: z.nullable(integerColumn),
      signed_size: z.nullable(integerColumn),
      rolled_back_size: z.nullable(integerColumn),
      rolled_back_at: nullableTime,
      block_number: z.nullable(integerColumn),
      scanned_at: nullableTime,
      unread_count: integerColumn,
    }),
  ),
  differing: z.array(
    z.object({ wallet: z.string(), token_symbol: z.string(), difference: z.nullable(z.string()) }),
  ),
  anchor: z.nullable(z.object({ status: z.string(), size: integerColumn, recorded_at: timestampColumn })),
  statuses: z.record(z.string(), z.coerce.number()),
  job: z.partial(z.object({ last: run, trouble: run })),
  /** Whose turn it is to run the schedule; null before the first run. */
  schedule: z.nullable(
    z.object({
      site: z.string(),
      holder: z.string(),
      refused: z.nullable(
        z.object({ why: z.string(), site: z.string(), holder: z.string(), at: timestampColumn }),
      ),
    }),
  ),
  witnesses: objectsColumn(
    z.object({
      origin: z.string(),
      /** The verifier key of the witness. */
      witness: z.string(),
      state: z.enum(['asked', 'well', 'fault', 'configuration', 'alarm']),
      fault: z.nullable(z.string()),
      /** The last alarm. It stays after the witness cosigns again. */
      alarm: z.nullable(z.string()),
      alarmAt: nullableTime,
      cosignedSize: z.nullable(integerColumn),
      cosignedAt: nullableTime,
    }),
  ),
})
export type Health = z.infer<typeof health>

const mail = z.object({
  waiting: integerColumn,
  sent: integerColumn,
  failed: integerColumn,
  /** The number of addresses that get no more email. */
  stopped: integerColumn,
  followers: integerColumn,
  is_late: z.boolean(),
  /** True if more than 300 emails that confirm an address were asked for in an hour. */
  is_flooded: z.boolean(),
  /** Why the mail service refuses all emails; null if it accepts emails. */
  pause_reason: z.nullable(z.string()),
})
export type Mail = z.infer<typeof mail>

const overview = operatorsOnly(
  z.object({
    operator: operatorValue,
    queues: z.nullable(queues),
    listening: z.nullable(listening),
    health: z.nullable(health),
    mail: z.nullable(mail),
    /** Missing while FundMe is closed. */
    goals: z.nullish(goalQueues),
  }),
)

/**
 * The operator's queues, the sources, the health of the ledger, and the counts of emails, in one call.
 * `goals`: whether to include the queues of goals. Null if the data cannot be read.
 */
export function readOverview(data: Data, goals: boolean) {
  return data.call('operator_overview', overview, goals ? { goals } : {}, { get: true })
}
