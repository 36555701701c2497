import { createHash } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import type { EmbeddedBackend } from '../../supabase/embedded/embedded.ts'
import { addGoal, type Goal } from './goals.ts'
import type { ModelClock } from './model-clock.ts'
import { postOf, readPosts } from './standing-orders.ts'
import { transaction } from './temporary-backend.ts'
import { openTestVote, signBallot } from './votes.ts'

const one = 10n ** 18n
const [hour, day] = [3_600_000, 86_400_000]
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
const voter = privateKeyToAccount(`0x${'5'.repeat(64)}`)
/** What a goal of the model asks for, in dollars. */
export const target = 1000n

/** A decision of operators, as their pages make it. Returns the number of what it made, or why it was refused. */
export type Decide = (
  kind: string,
  given: Record<string, string>,
  more?: { subject?: string; people?: [string, string | null]; reason?: string },
) => Promise<{ subject: string } | { refused: string }>

interface Rule {
  number: number
  rule: 'call' | 'allocation' | 'vote'
  most: bigint
  month: bigint
  amount: bigint
  every: number
  percent: bigint
  madeAt: number
  suspendedAt: number | null
}

interface Made {
  id: number
  standing: number
  occasion: string
  payee: string
  amount: bigint
  state: string
  at: number
}

/** An order that failed counts for the limit: only the worker says that it failed. */
const ended = ['stopped', 'expired']

/**
 * What the standing orders of one history may do, known without the database's rules: after each step, `look` throws if
 * the database made an order that a rule does not allow.
 */
export class StandingModel {
  readonly made = new Map<number, Made>()
  readonly rules: Rule[] = []
  readonly goals: (Goal & { won: boolean })[] = []
  readonly #backend: Pick<EmbeddedBackend, 'sql'>
  readonly #draw: () => number
  readonly #clock: ModelClock
  readonly #decide: Decide
  /** The links of posts that match, by their source, and of all that were read. */
  readonly #matching = new Map<string, Set<string>>()
  readonly #read: string[] = []
  /** The tax of each month, in base units. */
  readonly #tax = new Map<string, bigint>()

  constructor(backend: Pick<EmbeddedBackend, 'sql'>, draw: () => number, clock: ModelClock, decide: Decide) {
    this.#backend = backend
    this.#draw = draw
    this.#clock = clock
    this.#decide = decide
  }

  #pick<Value>(...values: [Value, ...Value[]]): Value {
    return values[Math.floor(this.#draw() * values.length)] as Value
  }

  /** Makes rules of one or two kinds. */
  async begin(symbol: string, partner: string): Promise<void> {
    const kinds = ['call', 'allocation', 'vote'] as const
    const first = Math.floor(this.#draw() * 3)
    for (const kind of this.#draw() < 0.4 ? [kinds[first], kinds[(first + 1) % 3]] : [kinds[first]]) {
      if (!kind) continue
      const most = kind === 'vote' ? this.#pick(1000n, 999n) : this.#pick(40n, 70n)
      const month = kind === 'vote' ? 1500n : most * 2n - this.#pick(0n, 1n)
      const amount = most - 1n
      const [every, percent] = [this.#pick(1, 2), this.#pick(40n, 100n)]
      const own: Record<string, string> =
        kind === 'call'
          ? {
              ...{ source: feed, words: 'clean water\nwells', to: partner },
              ...{ amount: `${amount}`, every: `${every}` },
            }
          : kind === 'allocation'
            ? {
                ...{ percent: `${percent}`, day: '10' },
                split: Object.entries(parts)
                  .map(([name, part]) => `${name} ${part / 10}`)
                  .join('\n'),
              }
            : {}
      const ends = new Date(this.#clock.now + 300 * day).toISOString()
      const limits = { order_limit: `${most}`, month_limit: `${month}` }
      const outcome = await this.#decide('standing-order', {
        ...{ rule: kind, token: symbol, ...limits, ends, purpose: 'A rule', ...own },
      })
      if ('refused' in outcome) throw new Error(`a rule of kind ${kind} is refused: ${outcome.refused}`)
      this.rules.push({
        ...{ number: Number(outcome.subject), rule: kind, most: most * one, month: month * one },
        ...{ amount: amount * one, every, percent, madeAt: this.#clock.now, suspendedAt: null },
      })
    }
  }

  /** Something that may make an order, or that ends a rule. */
  async step(): Promise<void> {
    const rule = this.rules[Math.floor(this.#draw() * this.rules.length)]
    if (this.#draw() < 0.06) await this.suspend(rule)
    else if (rule?.rule === 'call') await this.#post()
    else if (rule?.rule === 'allocation') await this.#addTax()
    else if (this.goals.length < 2) await this.#vote()
  }

  async #post(): Promise<void> {
    const matches = this.#draw() < 0.7
    // The other source is a mirror: it may deliver a post of the rule's source first, or later.
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
    const dollars = BigInt(this.#pick(20, 80, 333))
    const row = transaction({
      ...{ occurred_at: new Date(this.#clock.now).toISOString(), type: 'tax', direction: 'in' },
      ...{ from_address: `0x${'1'.repeat(40)}`, amount_usd: `${dollars}.00` },
      tx_hash: `0x${createHash('sha256').update(`tax ${this.#clock.now} ${this.#draw()}`).digest('hex')}`,
    })
    await this.#backend.sql('select public.append_ledger($1)', [JSON.stringify([row])])
    await this.#backend.sql(
      `insert into public.transaction_checks (transaction_id, status, block_number, block_hash, confirmations)
       select max(id), 'verified', 9, $1::text, 20 from public.transactions where tx_hash = $1::text`,
      [row.tx_hash],
    )
    const month = row.occurred_at as string
    const key = month.slice(0, 7)
    this.#tax.set(key, (this.#tax.get(key) ?? 0n) + dollars * one)
  }

  /** Opens a goal and the vote on it, in which one wallet decides. */
  async #vote(): Promise<void> {
    const slug = `goal-${this.#pick('aaaaaaaa', 'bbbbbbbb', 'cccccccc')}`
    if (this.goals.some((goal) => goal.slug === slug)) return
    const goal = await addGoal(this.#backend, { slug, days: this.#pick(7, 14, 30) })
    const vote = await openTestVote(this.#backend, slug)
    await this.#clock.pass(5)
    const won = this.#draw() < 0.8
    const ballot = await signBallot(voter, vote, won ? 'support' : 'against', new Date(this.#clock.now))
    const [stored] = await this.#backend.sql<{ id: number }>(
      `insert into public.fundme_ballots (member, vote, wallet, choice, signed_at, signature)
       values ($1, $2, $3, $4, $5, $6) returning id`,
      [goal.member, vote.id, ballot.wallet, ballot.choice, ballot.signed_at, ballot.signature],
    )
    const digest = createHash('sha256').update(ballot.message).digest('hex')
    await this.#backend.sql('select public.count_ballots($1)', [
      JSON.stringify([{ id: stored?.id, digest, weight: `${100n * one}` }]),
    ])
    this.goals.push({ ...goal, won })
  }

  /** Suspends a rule. Its orders that have no nonce are not paid from then on. */
  async suspend(rule: Rule | undefined = this.rules[0]): Promise<void> {
    if (!rule || rule.suspendedAt !== null) return
    const outcome = await this.#decide(
      'suspend',
      {},
      { ...{ subject: `${rule.number}`, people: ['ada', null], reason: 'The source was hijacked.' } },
    )
    if ('refused' in outcome) return
    rule.suspendedAt = this.#clock.now
    await this.look()
    for (const made of this.made.values())
      if (made.standing === rule.number && made.state === 'announced')
        throw new Error(`order ${made.id} is open after its rule was suspended`)
  }

  /** Reads the orders of the rules, and throws if one that is new breaks its rule. */
  async look(): Promise<void> {
    const rows = await this.#backend.sql<Omit<Made, 'amount' | 'at'> & { amount: string; at: string }>(
      `select orders.id::int, made.standing::int, made.occasion, made.payee, orders.token_amount::text as amount,
         orders.state, private.entry_time(orders.announced_at) as at
       from public.standing_payments as made join public.orders on orders.id = made.order_id order by orders.id`,
    )
    for (const row of rows) {
      const made = { ...row, amount: BigInt(row.amount), at: Date.parse(row.at) }
      const fault = this.made.has(row.id) ? null : this.#faultOf(made)
      if (fault) throw new Error(`order ${row.id} of a rule of kind ${fault}`)
      this.made.set(row.id, made)
    }
  }

  /** Why no rule allows an order that is new; null if one does. */
  #faultOf(made: Made): string | null {
    const rule = this.rules.find(({ number }) => number === made.standing)
    if (!rule) return 'unknown'
    const former = [...this.made.values()].filter(({ standing }) => standing === rule.number)
    const isLimited = (each: Made) =>
      rule.rule === 'allocation' ? each.occasion === made.occasion : each.at > made.at - 720 * hour
    const sum = former
      .filter((each) => !ended.includes(each.state) && isLimited(each))
      .reduce((sum, { amount }) => sum + amount, made.amount)
    const has = (isBroken: boolean | undefined, words: string): string | null =>
      isBroken ? `${rule.rule}: ${words}` : null
    const isRepeated = former.some(
      ({ occasion, payee }) => occasion === made.occasion && payee === made.payee,
    )
    const common =
      // The rest of a run that was killed can suspend a rule while a post makes an order, which is stopped then.
      has(rule.suspendedAt !== null && made.at > rule.suspendedAt && made.state !== 'stopped', 'suspended') ??
      has(made.amount > rule.most, 'above the limit of an order') ??
      has(sum > rule.month, 'above the limit of its time') ??
      has(isRepeated, 'twice')
    if (common) return common
    switch (rule.rule) {
      case 'call':
        return (
          has(!this.#matching.get(feed)?.has(made.occasion), 'no post of its source has the words') ??
          has(made.amount !== rule.amount, 'another payment') ??
          has(
            former.some(({ at }) => at > made.at - rule.every * day),
            'too early',
          )
        )
      case 'allocation': {
        const account = Object.entries(payees).find(([, address]) => address === made.payee)?.[0] ?? ''
        const tax = this.#tax.get(made.occasion) ?? 0n
        const part = (tax * rule.percent * BigInt(parts[account] ?? 0)) / 100_000n
        const isEarly = made.occasion >= new Date(made.at).toISOString().slice(0, 7)
        return has(isEarly, 'its month is not over') ?? has(made.amount > part, 'more than its part')
      }
      default:
        return (
          has(!this.goals.some(({ slug, won }) => won && slug === made.occasion), 'its goal did not win') ??
          has(made.amount > target * one, 'more than its goal asks for')
        )
    }
  }
}
