import type { EmbeddedBackend } from '../../supabase/embedded/embedded.ts'
import { addGoal } from './goals.ts'
import {
  type ApprovedRule,
  endVote,
  insertStanding,
  postOf,
  readPosts,
  suspendStanding,
} from './standing-orders.ts'
import { transaction } from './temporary-backend.ts'

const one = 10n ** 18n
const month = 720
export const [feed, other] = ['https://news.example/feed', 'https://blog.example/feed']
export const payees = {
  'donation-wallet': `0x${'8'.repeat(40)}`,
  education: `0x${'e'.repeat(40)}`,
  'humanitarian-relief': `0x${'f'.repeat(40)}`,
}
const parts: Record<string, number> = {
  education: 400,
  'humanitarian-relief': 300,
  'donation-wallet': 100,
  goals: 100,
  reserve: 100,
}
const today = new Date()
const day = (months: number, date: number) =>
  new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, date)).toISOString()
/** The month whose tax is divided, on the tenth day of the next one. */
const taxMonth = day(-2, 1).slice(0, 7)

interface Rule extends ApprovedRule {
  number: number
  isApproved: boolean
  isSuspended: boolean
}

interface Made {
  id: number
  standing: number
  occasion: string
  payee: string
  amount: bigint
  state: string
  /** The hours of the model at which it was made. */
  at: number
}

/** An order that failed counts for the limit: only the worker says that it failed. */
const ended = ['stopped', 'expired']
let tax = 0n
let goalCount = 0

/**
 * What the standing orders of one history may do, known without the database's rules: after each step, `look` throws if
 * the database made an order that a rule does not allow.
 */
export class StandingModel {
  readonly made = new Map<number, Made>()
  /** The orders that a suspension found before they had a nonce. */
  readonly stopped = new Set<number>()
  readonly rules: Rule[] = []
  readonly #backend: EmbeddedBackend
  readonly #draw: () => number
  readonly #first: number
  /** The links of posts that match, by their source, and of all that were read. */
  readonly #matching = new Map<string, Set<string>>()
  readonly #read: string[] = []
  /** What goals that won lack, in base units. */
  readonly #won = new Map<string, bigint>()
  readonly #lost: string[] = []
  /** The hours that have passed. */
  #clock = 0

  constructor(backend: EmbeddedBackend, draw: () => number, firstOrder: number) {
    this.#backend = backend
    this.#draw = draw
    this.#first = firstOrder
  }

  #pick<Value>(...values: [Value, ...Value[]]): Value {
    return values[Math.floor(this.#draw() * values.length)] as Value
  }

  /** Makes rules of one or two kinds, and forgets the months and posts of former histories. */
  async begin(token: string, partner: string, treasury: string): Promise<void> {
    await this.#backend.sql(`do $$ begin
      set local session_replication_role = replica;
      delete from public.allocations;
      delete from private.statement_captures;
      delete from private.statement_posts;
      update public.standing_orders set state = 'suspended', revision = 1 where state = 'active';
    end $$`)
    const kinds = ['call', 'allocation', 'vote'] as const
    const first = Math.floor(this.#draw() * 3)
    for (const kind of this.#draw() < 0.4 ? [kinds[first], kinds[(first + 1) % 3]] : [kinds[first]]) {
      const most = this.#pick(4n, 7n) * one
      const limits = { most, month: most * 2n - this.#pick(0n, one), token }
      const people: [string, string | null] = this.#draw() < 0.1 ? ['ada', null] : ['ada', 'bob']
      const common = { ...limits, from: treasury, account: 'treasury', people }
      const rule: ApprovedRule =
        kind === 'call'
          ? {
              ...{ ...common, rule: kind, account: 'donation-wallet', from: payees['donation-wallet'] },
              ...{ amount: most - one / 2n, to: partner, every: this.#pick(1, 2), source: feed },
              words: 'clean water\nwells',
            }
          : kind === 'allocation'
            ? { ...common, rule: kind, percent: this.#pick(400, 1000), day: 10, parts }
            : { ...common, rule: 'vote', most: this.#pick(1000n, 999n) * one, month: 1500n * one }
      const number = await insertStanding(this.#backend, rule)
      this.rules.push({ ...rule, number, isApproved: people[1] !== null, isSuspended: false })
    }
  }

  /** Something that may make an order, that ends a rule, or that lets time pass. */
  async step(): Promise<void> {
    const { sql } = this.#backend
    const rule = this.#pick(...(this.rules as [Rule, ...Rule[]]))
    const what = this.#draw()
    if (what < 0.15) await this.pass(this.#pick(26, 26, 26, 24 * 31))
    else if (what < 0.22) await this.suspend(rule)
    else if (rule.rule === 'call') await this.#post()
    else if (rule.rule === 'allocation') {
      if (this.#draw() < 0.3) await this.#addTax()
      await sql(
        `insert into private.ledger_scans (chain_id, block_number, block_hash, block_time)
         values (56, 9, '0x' || repeat('a', 64), $1)
         on conflict (chain_id) do update set block_time = excluded.block_time`,
        [this.#pick(day(-1, 9), day(-1, 12), day(-1, 12))],
      )
      const divide = () => sql('select public.allocate_tax(56)')
      await Promise.all(this.#draw() < 0.3 ? [divide(), divide()] : [divide()])
    } else await this.#vote()
    await this.look()
  }

  async #post(): Promise<void> {
    const matches = this.#draw() < 0.7
    const source = this.#draw() < 0.75 ? feed : other
    const [known] = this.#read.slice(Math.floor(this.#draw() * this.#read.length))
    const text = matches ? this.#pick('Clean water!', 'More WELLS, please.') : 'The unclean waters'
    const post = postOf({ text, ...(known && this.#draw() < 0.4 && { url: known }) })
    if (matches) this.#matching.set(source, (this.#matching.get(source) ?? new Set()).add(post.url))
    this.#read.push(post.url)
    const same = this.#draw() < 0.3 ? [post, { ...post, url: `${post.url}?utm_source=x` }] : [post]
    await readPosts(this.#backend, source, same)
  }

  async #addTax(): Promise<void> {
    tax += 20n * one
    const row = transaction({
      ...{ occurred_at: day(-2, 15), type: 'tax', direction: 'in', from_address: `0x${'1'.repeat(40)}` },
      ...{ amount_usd: '20.00', tx_hash: `0xfee${(tax / one).toString(16).padStart(61, '0')}` },
    })
    await this.#backend.sql('select public.append_ledger($1)', [JSON.stringify([row])])
    await this.#backend.sql(
      `insert into public.transaction_checks (transaction_id, status, block_number, block_hash, confirmations)
       select max(id), 'verified', 9, $1::text, 20 from public.transactions where tx_hash = $1::text`,
      [row.tx_hash],
    )
  }

  async #vote(): Promise<void> {
    const letters = (goalCount++)
      .toString(26)
      .replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)))
    const { slug } = await addGoal(this.#backend, { slug: `goal-${letters.padStart(8, 'a')}` })
    const won = this.#draw() < 0.7
    if (won) this.#won.set(slug, 1000n * one)
    else this.#lost.push(slug)
    await endVote(this.#backend, slug, won)
    // The same result once more: by hand, as a restored backup might.
    if (this.#draw() < 0.5) await this.#backend.sql('select private.order_of_vote($1)', [slug])
  }

  /** Suspends a rule. Its orders that have no nonce are not paid from then on. */
  async suspend(rule: Rule | undefined = this.rules.find(({ isSuspended }) => !isSuspended)): Promise<void> {
    if (!rule) return
    await this.look()
    // Another run may have suspended it meanwhile.
    if (rule.isSuspended) return
    rule.isSuspended = true
    const open = [...this.made.values()].filter(
      ({ standing, state }) => standing === rule.number && state === 'announced',
    )
    await suspendStanding(this.#backend, rule.number)
    await this.look()
    for (const { id } of open) {
      const state = this.made.get(id)?.state
      if (state === 'announced') throw new Error(`order ${id} is open after its rule was suspended`)
      if (state === 'stopped') this.stopped.add(id)
    }
  }

  /** Makes everything of the standing orders older. */
  async pass(hours: number): Promise<void> {
    this.#clock += hours
    const older = (columns: string[]) =>
      columns.map((column) => `${column} = ${column} - interval '${hours} hours'`).join()
    const numbers = this.rules.map(({ number }) => number).join()
    await this.#backend.sql(`do $$ begin
      set local session_replication_role = replica;
      update public.orders set ${older(['announced_at', 'due_at', 'expires_at'])}
      where id in (select order_id from public.standing_payments where standing in (${numbers}));
      update public.standing_payments set ${older(['recorded_at'])} where standing in (${numbers});
      update public.standing_orders set ${older(['made_at'])} where id in (${numbers});
    end $$`)
  }

  /** Reads the orders of the rules, and throws if one that is new breaks its rule. */
  async look(): Promise<void> {
    const rows = await this.#backend.sql<Omit<Made, 'amount' | 'at'> & { amount: string }>(
      `select orders.id::int, made.standing::int, made.occasion, made.payee, orders.token_amount::text as amount, orders.state
       from public.standing_payments as made join public.orders on orders.id = made.order_id
       where orders.id >= $1 order by orders.id`,
      [this.#first],
    )
    for (const row of rows) {
      const known = this.made.get(row.id)
      const made = { ...row, amount: BigInt(row.amount), at: known?.at ?? this.#clock }
      const fault = known ? null : this.#faultOf(made)
      if (fault) throw new Error(`order ${row.id} of a rule of kind ${fault}`)
      this.made.set(row.id, made)
    }
  }

  /** Why no rule allows an order that is new; null if one does. */
  #faultOf(made: Made): string | null {
    const rule = this.rules.find(({ number }) => number === made.standing)
    if (!rule) return 'unknown'
    const former = [...this.made.values()].filter(({ standing }) => standing === rule.number)
    const sum = former
      .filter(({ state, at }) => !ended.includes(state) && at > this.#clock - month)
      .reduce((sum, { amount }) => sum + amount, made.amount)
    const has = (isBroken: boolean | undefined, words: string): string | null =>
      isBroken ? `${rule.rule}: ${words}` : null
    const isRepeated = former.some(
      ({ occasion, payee }) => occasion === made.occasion && payee === made.payee,
    )
    const [common] = [
      // The rest of a run that was killed can suspend a rule while a post makes an order, which is stopped then.
      has(rule.isSuspended && made.state !== 'stopped', 'it is suspended'),
      has(made.amount > rule.most, 'above the limit of an order'),
      has(sum > rule.month, 'above the limit of 30 days'),
      has(isRepeated, 'twice'),
    ].filter(Boolean)
    if (common) return common
    switch (rule.rule) {
      case 'call': {
        const from = this.#clock - 24 * (rule.every ?? 0)
        return (
          has(
            !this.#matching.get(rule.source ?? '')?.has(made.occasion),
            'no post of its source has the words',
          ) ??
          has(made.amount !== rule.amount || made.payee !== rule.to, 'another payment') ??
          has(
            former.some(({ at }) => at > from),
            'too early',
          )
        )
      }
      case 'allocation': {
        const account = Object.entries(payees).find(([, address]) => address === made.payee)?.[0] ?? ''
        const part = (tax * BigInt(rule.percent ?? 0) * BigInt(rule.parts?.[account] ?? 0)) / 1_000_000n
        return (
          has(made.occasion !== taxMonth, 'another month') ?? has(made.amount > part, 'more than its part')
        )
      }
      default:
        return has(this.#won.get(made.occasion) !== made.amount, 'no goal that won lacks this')
    }
  }

  /** Whether an order may leave the wallet: two operators approved its rule. */
  isAllowed(id: number): boolean {
    return this.rules.some(({ number, isApproved }) => number === this.made.get(id)?.standing && isApproved)
  }
}
