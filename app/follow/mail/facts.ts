import * as z from 'zod/mini'
import { arrivals } from '../../ledger/arrivals.ts'
import {
  integerColumn,
  moneyColumn,
  timestampColumn,
  unitsColumn,
} from '../../platform/server/columns.server.ts'

const tokenColumns = {
  token_amount: z.nullable(z.string()),
  token_symbol: z.nullable(z.string()),
  token_decimals: z.nullable(integerColumn),
}

/** What an operator must know of who can move the money of a wallet. */
const controlFacts = z.object({
  control: z.enum(['key', 'safe', 'contract']),
  keys: integerColumn,
  threshold: z.nullable(integerColumn),
  modules: integerColumn,
  /** What others may spend without the keys; null if it was not read. */
  allowances: z.nullable(
    z.array(
      z.object({ symbol: z.string(), decimals: integerColumn, spender: z.string(), amount: unitsColumn }),
    ),
  ),
})
export type ControlFacts = z.infer<typeof controlFacts>

/** The content of a fact, as the database function private.fact_content returns it. */
export const factRow = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('update'),
    topic: z.string(),
    content: z.object({ text: z.string(), links: z.nullable(z.string()), published_at: timestampColumn }),
  }),
  z.object({
    kind: z.literal('spending'),
    topic: z.string(),
    content: z.object({
      payments: z
        .array(
          z.object({
            id: integerColumn,
            occurred_at: timestampColumn,
            usd: z.nullable(moneyColumn),
            note: z.nullable(z.string()),
            recipient: z.nullable(z.string()),
            ...tokenColumns,
          }),
        )
        .check(z.minLength(1)),
      /** What recipients said since the email before: as in published_arrivals. */
      answers: z.array(
        z.object({ id: integerColumn, note: z.nullable(z.string()), state: z.enum(arrivals) }),
      ),
    }),
  }),
  z.object({
    kind: z.literal('call'),
    topic: z.string(),
    content: z.object({
      author: z.string(),
      posted_at: timestampColumn,
      /** Null for a post on X: its author may edit or remove the post, but a sent email cannot be changed. */
      text: z.nullable(z.string()),
      /** The URL of the statement. */
      url: z.string(),
      action: z.nullable(z.string()),
      transaction_id: integerColumn,
      usd: z.nullable(moneyColumn),
      ...tokenColumns,
      /** The number of other statements that name the same payment. */
      shared_count: integerColumn,
    }),
  }),
  z.object({
    kind: z.literal('goal'),
    topic: z.string(),
    content: z.object({
      event: z.enum(['returned', 'rejected', 'open', 'gift', 'ended', 'report-due', 'report-overdue']),
      /** The id of the goal. */
      goal: z.string(),
      slug: z.string(),
      title: z.nullable(z.string()),
      /** Why operators returned or rejected the goal. */
      reason: z.nullable(z.string()),
      /** Why the wallet check returned the goal. */
      fault: z.nullable(z.enum(['proof', 'ours', 'used', 'holds'])),
      ends_at: z.nullable(timestampColumn),
      report_due_at: z.nullable(timestampColumn),
      received_usd: z.nullable(moneyColumn),
    }),
  }),
  /** An operator took an order to pay it by hand, and has not paid it. */
  z.object({
    kind: z.literal('taken'),
    topic: z.string(),
    content: z.object({
      number: integerColumn,
      /** The operator's handle. */
      by: z.string(),
      expires_at: timestampColumn,
      ...tokenColumns,
    }),
  }),
  /** The keys of a wallet, or what others may spend of it, changed on the blockchain. */
  z.object({
    kind: z.literal('custody'),
    topic: z.string(),
    content: z.object({ wallet: z.string(), former: controlFacts, now: controlFacts }),
  }),
  /** The site takes gifts. */
  z.object({ kind: z.literal('opens'), topic: z.string(), content: z.object({}) }),
  z.object({
    kind: z.literal('month'),
    topic: z.string(),
    content: z.object({
      /** In the form YYYY-MM. */
      month: z.string(),
      received_usd: moneyColumn,
      paid_usd: moneyColumn,
      left_usd: moneyColumn,
      disputed_count: integerColumn,
      pending_count: integerColumn,
      /** The number of verified payments without a value in dollars. The sums do not include them. */
      unvalued_count: integerColumn,
      compared_wallets: integerColumn,
      different_wallets: integerColumn,
      /** The number of wallets whose tokens have not all been compared since the end of the month. */
      unknown_wallets: integerColumn,
    }),
  }),
])
export type Fact = z.infer<typeof factRow>

/** An email that a run has claimed, as the database function next_mails returns it. */
export const mailRow = z.object({
  id: integerColumn,
  /** The idempotency key, made from the address and the fact, or from the address and the request. */
  key: z.string(),
  address: z.string(),
  /** The code of the recipient's language. */
  language: z.string(),
  /** The token of the follower's links; null for an email to a member about their own goal, and to an operator. */
  token: z.nullable(z.string()),
  /** The topic for which the address gets the email; null: the email asks whether to keep following. */
  topic: z.nullable(z.string()),
  /** All topics of the follower. */
  topics: z.array(z.string()),
  /** The titles of the goals among the topics, keyed by slug. */
  titles: z.record(z.string(), z.string()),
  is_request: z.boolean(),
  /** True if the recipient is the member whose goal the email is about, or an operator. */
  is_own: z.boolean(),
  fact_id: z.nullable(integerColumn),
  /** Of an email that asks a recipient whether a payment arrived: the payment, and the token of the link that stops such emails. */
  ask: z.nullable(
    z.object({
      never: z.string(),
      id: integerColumn,
      occurred_at: timestampColumn,
      amount_usd: z.nullable(moneyColumn),
      note: z.nullable(z.string()),
      by: z.string(),
      second: z.string(),
      ...tokenColumns,
    }),
  ),
  /** The next payments to or from the wallet of the topic. */
  coming: z.array(
    z.object({
      id: integerColumn,
      due_at: timestampColumn,
      /** The name of a wallet, or the slug of a pool. */
      recipient: z.nullable(z.string()),
      ...tokenColumns,
    }),
  ),
})
export type MailRow = z.infer<typeof mailRow>
