import { createHash } from 'node:crypto'
import { keccak256 } from 'viem'
import type * as z from 'zod/mini'
import { classify } from '../../app/ledger/job/classification.ts'
import type { PayerReport } from '../../app/ledger/job/ledger-report.ts'
import type { Token, Watch } from '../../app/ledger/job/watch.ts'
import { moveOrders, storePaymentTerms } from '../../app/payments/order-job.server.ts'
import { payOrders } from '../../app/payments/payer.server.ts'
import type { Service } from '../../app/platform/server/service.server.ts'
import { drawFrom } from './draw.ts'
import { confirmations, type Mined, ModelChain, type TokenFault, viewOf } from './model-chain.ts'
import type { ModelClock } from './model-clock.ts'
import { type Decide, payees, StandingModel, target } from './standing-model.ts'
import { type TemporaryBackend, transaction } from './temporary-backend.ts'

const one = 10n ** 18n
const gwei = 10n ** 9n
const [minute, hour, day] = [60, 3_600, 86_400]
const treasury = `0x${'7'.repeat(40)}`
export const partner = `0x${'9'.repeat(40)}`
const tokens: Token[] = [
  { symbol: 'USDX', address: `0x${'d'.repeat(40)}`, decimals: 18, value: 'usd' },
  { symbol: 'USDY', address: `0x${'c'.repeat(39)}1`, decimals: 2, value: 'usd' },
]
/** A payment that is made again and again. */
const usual = { from: 'treasury', to: partner, token: 'USDX', amount: '7.77' }
const ours = new Map([[treasury, 'treasury'], ...Object.entries(payees).map(([a, b]) => [b, a] as const)])

/** What payer and ledger read of the configuration. */
interface Settings {
  accounts: Map<string, string>
  tokens: Token[]
  key: `0x${string}`
  notice: number
  limit: number
  mostGasPrice: bigint
}

class Killed extends Error {}

interface Order {
  id: number
  state: string
  from: string
  to: string
  token: string
  amount: bigint
  tx: string | null
  recipient: string
  goal: string | null
  due: number
  expires: number
  announced: number
  /** Whether it had ended without its payment, whatever became of it later. */
  hadEnded: boolean
}

/** A program that checks a whole log: the text of each entry. */
export type Verify = (entries: string[]) => Promise<unknown>

/**
 * A history of payments: operators, rules, runs of the job, a chain and a configuration that change in an order that the seed
 * draws. It is played in one transaction of the database, which is rolled back, so a history costs no cleaning.
 */
export class PaymentHistory {
  /** The states that orders reached, and the kinds of rules whose orders were made and paid. */
  readonly reached = new Map<string, number>()
  readonly #sql: TemporaryBackend['sql']
  readonly #draw: () => number
  readonly #seed: number
  readonly #clock: ModelClock
  readonly #chain: ModelChain
  readonly #standing: StandingModel
  readonly #hasStanding: boolean
  readonly #original: Settings
  #settings: Settings
  /** Seconds by which the worker's clock and the time of blocks differ from the database's. */
  readonly #skews: { worker: number; blocks: number }
  /** The block in which the ledger found each row, by transaction. */
  readonly #rows = new Map<string, string | null>()
  /** What each row says that arrived. */
  readonly #amounts = new Map<string, bigint>()
  /** The orders that operators stopped, or took, before they had a nonce. */
  readonly #kept = new Set<number>()
  /** The transfers by hand. */
  readonly #byHand = new Set<string>()
  #hasReorganised = false
  /** Since when the configuration is the original one again, in seconds. */
  #goodSince = 0
  #serial = 0
  #queue: Promise<unknown> = Promise.resolve()

  constructor(backend: Pick<TemporaryBackend, 'sql'>, clock: ModelClock, seed: number) {
    this.#sql = backend.sql
    this.#clock = clock
    this.#seed = seed
    this.#draw = drawFrom(seed)
    this.#hasStanding = this.#chance(0.45)
    this.#chain = new ModelChain(
      this.#draw,
      this.#hasStanding ? 5_000n * one : BigInt(this.#below(900) + 50) * one,
    )
    for (const { address } of tokens)
      this.#chain.gas.set(`${address}`, this.#chance(0.15) ? 400_000n : 60_000n)
    this.#standing = new StandingModel(backend, this.#draw, clock, this.#decide)
    const key = keccak256(`0x${(seed + 1).toString(16).padStart(64, '0')}`)
    const terms = { notice: this.#pick(1, 24, 24), limit: 1000, mostGasPrice: 10n * gwei }
    this.#original = { accounts: new Map(ours), tokens: [...tokens], key, ...terms }
    this.#settings = this.#original
    this.#skews = { worker: this.#pick(0, 0, 120, -120, hour, -hour), blocks: this.#pick(0, -3, 120, -120) }
  }

  #chance(share: number): boolean {
    return this.#draw() < share
  }
  #below(limit: number): number {
    return Math.floor(this.#draw() * limit)
  }
  #pick<Value>(...values: [Value, ...Value[]]): Value {
    return values[this.#below(values.length)] as Value
  }

  /** Plays the history, and throws if what became of it is not what the orders say. */
  async play(verify: Verify): Promise<void> {
    await this.#sql('begin')
    try {
      await this.#run(false)
      if (this.#hasStanding) await this.#standing.begin('USDX', partner)
      await this.#order()
      await this.#order()
      await this.#pass(this.#settings.notice * hour)
      for (let step = 0; step < 22; step++) await this.#step()
      await this.#end()
      await this.#check(verify)
    } finally {
      this.#clock.skew(0)
      await this.#sql('rollback')
    }
  }

  async #step(): Promise<void> {
    await this.#pass(1 + this.#below(90))
    if (this.#hasStanding && this.#chance(0.3)) {
      await this.#standing.step()
      await this.#standing.look()
    }
    const what = this.#draw()
    if (what < 0.3) await this.#run(true)
    else if (what < 0.35) await Promise.all([this.#run(true), this.#run(true)])
    else if (what < 0.5) for (let blocks = 1 + this.#below(4); blocks > 0; blocks--) this.#chain.mine()
    else if (what < 0.55) this.#chain.reorganise(1 + this.#below(confirmations - 1))
    else if (what < 0.57) this.#reorganiseDeeply()
    else if (what < 0.66) await this.#order()
    else if (what < 0.7) await this.#stopOrTake('stop')
    else if (what < 0.73) await this.#stopOrTake('take')
    else if (what < 0.78) await this.#payByHand()
    else if (what < 0.84) this.#configure()
    else if (what < 0.88) this.#breakToken()
    else if (what < 0.9) this.#changeGas()
    else if (what < 0.92) this.#chain.forgets = this.#pick('receipts', 'logs', null)
    else if (what < 0.94) this.#chain.allowance = this.#pick(0n, 20n * one, 5_000n * one)
    else if (what < 0.96) await this.#hold()
    else await this.#pass(this.#pick(hour, day, day, 3 * day, 31 * day))
  }

  /** One command at a time: the history is one transaction. */
  #once<Value>(work: () => Promise<Value>): Promise<Value> {
    const next = this.#queue.then(work, work)
    this.#queue = next.catch(() => {})
    return next
  }

  /** Moves the clock, after the commands of a run that was killed have ended. */
  #pass(seconds: number): Promise<void> {
    return this.#once(() => this.#clock.pass(seconds))
  }

  /** Runs commands of the database that may be refused. */
  #try<Row>(text: string, values: unknown[]): Promise<Row[]> {
    return this.#once(async () => {
      await this.#sql('savepoint one')
      try {
        const rows = await this.#sql<Row>(text, values)
        await this.#sql('release savepoint one')
        return rows
      } catch (error) {
        await this.#sql('rollback to savepoint one')
        throw error
      }
    })
  }

  readonly #decide: Decide = async (kind, given, { subject, people = ['ada', 'bob'], reason } = {}) => {
    try {
      const [row] = await this.#try<{ done: { subject: string } }>(
        `select private.finish_act(act, private.perform(act), $2) as done
         from jsonb_populate_record(null::public.operator_acts, $1::jsonb || jsonb_build_object(
           'id', gen_random_uuid(), 'version', private.version_of($3, $4), 'created_at', now(), 'saved_at', now()
         )) as act`,
        [
          JSON.stringify({ kind, subject, arguments: given, by: people[0], reason }),
          ...[people[1], kind, subject ?? null],
        ],
      )
      return { subject: `${row?.done.subject}` }
    } catch (error) {
      return { refused: (error as Error).message }
    }
  }

  #service(step: () => Promise<void>): Service {
    const call = async (name: string, schema: z.ZodMiniType, given: Record<string, unknown>) => {
      await step()
      const names = Object.keys(given)
      const values = Object.values(given).map((value) =>
        typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
      )
      const places = names.map((each, at) => `${each} => $${at + 1}`)
      const [row] = await this.#once(() =>
        this.#sql<{ value: unknown }>(`select public.${name}(${places}) as value`, values),
      )
      const value = schema.parse(row?.value)
      await step()
      return value
    }
    return { call } as unknown as Service
  }

  async #orders(): Promise<Order[]> {
    const rows = await this.#once(() =>
      this.#sql<Record<string, string | number | null>>(
        `select id::int, state, from_address::text as from, to_address::text as to, token_address::text as token,
           token_amount::text as amount, tx_hash::text as tx, recipient, recipient_account as goal,
           extract(epoch from due_at)::float8 as due, extract(epoch from expires_at)::float8 as expires,
           extract(epoch from announced_at)::float8 as announced, exists (
             select from public.order_changes
             where number = orders.id and order_changes.state in ('failed', 'mismatched', 'lost')
           ) as "hadEnded"
         from public.orders order by id`,
      ),
    )
    return rows.map((row) => ({ ...row, amount: BigInt(row.amount ?? 0) }) as unknown as Order)
  }

  // What people do ----------------------------------------------------------------------------------------

  async #order(): Promise<void> {
    const goals = this.#standing.goals
    const goal = goals[this.#below(goals.length)]
    const [to, type, from] = this.#pick<[string, string, string]>(
      [partner, 'cost', 'treasury'],
      [partner, 'cost', 'treasury'],
      [payees.education, 'donation', 'treasury'],
      [payees['humanitarian-relief'], 'move', 'education'],
      goal ? [goal.wallet, 'dream', 'treasury'] : [partner, 'spending', 'education'],
    )
    const token = this.#pick('USDX', 'USDX', 'USDY')
    const whole = goal && to === goal.wallet ? this.#pick(1000, 400, 700) : 1 + this.#below(40)
    const cents = `${++this.#serial}`.padStart(2, '0')
    const amount = goal && to === goal.wallet ? `${whole}` : `${this.#chance(0.05) ? 1000 : whole}.${cents}`
    // The same payment may be ordered twice, and may have been made by hand before.
    if (this.#chance(0.15)) await this.#decide('order', { ...usual, type: 'cost', purpose: 'Rent' })
    else await this.#decide('order', { from, to, token, amount, type, purpose: 'Rent' })
  }

  async #stopOrTake(kind: 'stop' | 'take'): Promise<void> {
    const orders = await this.#orders()
    const order = orders[this.#below(orders.length)]
    if (!order) return
    const people: [string, null] = [this.#pick('ada', 'bob'), null]
    const outcome = await this.#decide(kind, {}, { subject: `${order.id}`, people })
    if (!('refused' in outcome)) this.#kept.add(order.id)
    else if (outcome.refused !== 'many_taken') {
      // Another run may have given it its nonce meanwhile.
      const now = (await this.#orders()).find(({ id }) => id === order.id)
      if (now?.state === 'announced') this.#fail(`a ${kind} is refused: ${outcome.refused}`)
    }
  }

  /** People pay an order that one of them took; or, against the rule, one that they did not take or that was paid. */
  async #payByHand(): Promise<void> {
    const orders = await this.#orders()
    const taken = orders.filter(({ state }) => state === 'taken')
    const before = { from: treasury, to: partner, token: `${tokens[0]?.address}`, amount: 777n * 10n ** 16n }
    const order = this.#chance(0.2) ? before : (taken[0] ?? orders[this.#below(orders.length)])
    if (!order) return
    const hash = keccak256(
      `0x${createHash('sha256')
        .update(`${this.#seed} ${++this.#serial}`)
        .digest('hex')}`,
    )
    this.#byHand.add(hash)
    const { from, to, token, amount } = order
    this.#chain.waiting.set(hash, {
      ...{ hash, nonce: null, sender: from, token, from, to, amount, gas: 1_000_000n, gasPrice: 50n * gwei },
    })
  }

  async #hold(): Promise<void> {
    const reason = 'A key may be stolen.'
    const outcome = await this.#decide('payments-hold', {}, { people: ['ada', null], reason })
    if ('refused' in outcome) await this.#decide('payments-release', {}, { reason })
  }

  /** Changes one variable that the payer and the ledger share, or changes it back. */
  #configure(): void {
    const before = this.#original
    if (this.#chance(0.4)) {
      this.#settings = before
      return
    }
    const without = (address: string) => new Map([...before.accounts].filter(([each]) => each !== address))
    const moved = (address: string, next: string) =>
      new Map([...before.accounts].map(([each, name]) => [each === address ? next : each, name]))
    const token = (changes: Partial<Token>) => [{ ...(tokens[0] as Token), ...changes }, tokens[1] as Token]
    const change = this.#pick<Partial<Settings>>(
      { accounts: without(payees.education) },
      { accounts: moved(treasury, `0x${'4'.repeat(40)}`) },
      { accounts: moved(payees.education, `0x${'3'.repeat(40)}`) },
      { accounts: without(payees['donation-wallet']) },
      { tokens: [tokens[1] as Token] },
      { tokens: token({ decimals: 20 }) },
      { tokens: token({ address: `0x${'b'.repeat(40)}` }) },
      { key: keccak256(`0x${(this.#seed + 7).toString(16).padStart(64, 'a')}`) },
      { notice: this.#pick(1, 48) },
      { limit: this.#pick(10, 5000) },
      { mostGasPrice: this.#pick(1n, 100n) * gwei },
    )
    this.#settings = { ...before, ...change }
  }

  #breakToken(): void {
    const { address } = this.#pick(...(tokens as [Token, Token]))
    const fault = this.#pick<TokenFault>('lies', 'reverts', 'removed', 'paused', 'silent', 'fee', null, null)
    this.#chain.faults.set(`${address}`, fault)
  }

  #changeGas(): void {
    this.#chain.gasPrice = this.#pick(gwei / 10n, gwei, 3n * gwei, 12n * gwei, 50n * gwei)
    // Some nodes refuse what others ask for.
    this.#chain.leastGasPrice = this.#pick(gwei / 20n, this.#chain.gasPrice, 2n * this.#chain.gasPrice)
  }

  #reorganiseDeeply(): void {
    const depth = Math.min(confirmations + 1 + this.#below(4), this.#chain.blocks.length - 5)
    if (depth <= confirmations) return
    this.#hasReorganised = true
    this.#chain.reorganise(depth)
  }

  // A run of the job --------------------------------------------------------------------------------------

  #watch(): Watch {
    const { accounts } = this.#settings
    const checked = this.#settings.tokens.map((token): Token => {
      const isWrong = this.#decimalsOf(`${token.address}`) !== token.decimals
      return isWrong ? { ...token, value: null } : token
    })
    const goals = new Map(this.#standing.goals.map(({ wallet, slug }) => [wallet, slug]))
    const given = { chainId: 56, urls: [], startBlock: 0, confirmations, tokens: checked, accounts, goals }
    return { ...given, taxSenders: [], dreamWallets: [] }
  }

  #decimalsOf(address: string): number | undefined {
    const fault = this.#chain.fault(address)
    if (fault === 'reverts' || fault === 'removed') return undefined
    return fault === 'lies' ? 6 : tokens.find((token) => token.address === address)?.decimals
  }

  /** The steps of a run that concern payments. One that may die is ended at any call. */
  async #run(mayDie: boolean): Promise<PayerReport | null> {
    let left = mayDie && this.#chance(0.4) ? this.#below(30) : Number.POSITIVE_INFINITY
    let quiet = mayDie && this.#chance(0.1) ? this.#below(25) : Number.POSITIVE_INFINITY
    const step = async () => {
      if (left-- <= 0) throw new Killed()
      // In some runs, an operator stops an order between two calls.
      if (quiet-- === 0) await this.#stopOrTake('stop')
    }
    const watch = this.#watch()
    const { key, notice, limit, mostGasPrice } = this.#settings
    let report: PayerReport | null = null
    const service = this.#service(step)
    this.#clock.skew(this.#skews.worker)
    try {
      await this.#record(watch, step)
      const config = { PAYER_KEY: key, PAYMENT_NOTICE_HOURS: notice, PAYMENT_LIMIT: limit }
      await storePaymentTerms(service, watch, config as never)
      await moveOrders(service, 56)
      const known = (address: string) => tokens.find((token) => token.address === address)?.decimals
      const view = viewOf(this.#chain, known, step, this.#skews.blocks - this.#skews.worker)
      report = await payOrders(service, view, key, watch, { mostGasPrice })
      this.#clock.skew(0)
      await this.#checkRun(report)
    } catch (error) {
      if (!(error instanceof Killed)) throw error
    } finally {
      this.#clock.skew(0)
    }
    if (this.#standing.goals.length > 0) await this.#once(() => this.#sql('select public.finish_votes()'))
    if (this.#hasStanding) await this.#standing.look()
    return report
  }

  /** Writes the rows of all blocks, and checks those that are final, as the job does. */
  async #record(watch: Watch, step: () => Promise<void>): Promise<void> {
    const head = this.#chain.blocks.length - 1
    const places = new Map(
      this.#chain.blocks.flatMap(({ hash, mined }, number) =>
        mined.map((each) => [each.hash, { ...each, block: hash, number }]),
      ),
    )
    const fresh = [...places.values()].flatMap((each) => this.#rowOf(watch, each) ?? [])
    if (fresh.length > 0) {
      await step()
      await this.#once(() => this.#sql('select public.append_ledger($1)', [JSON.stringify(fresh)]))
      for (const { tx_hash } of fresh) this.#rows.set(tx_hash, null)
    }
    const checks: object[] = []
    // A row that got its purpose is a new one, which is checked too. The payer itself wrote the row of a wallet that left the
    // configuration.
    const pending = new Map(
      (
        await this.#once(() =>
          this.#sql<{ hash: string; amount: string }>(
            `select facts.tx_hash::text as hash, facts.token_amount::text as amount from private.transaction_statuses as statuses
             join public.transactions as facts on facts.id = statuses.transaction_id where statuses.status = 'pending'`,
          ),
        )
      ).map(({ hash, amount }) => [hash, BigInt(amount)]),
    )
    for (const [hash, amount] of pending) {
      if (this.#rows.has(hash)) continue
      this.#rows.set(hash, null)
      this.#amounts.set(hash, amount)
    }
    for (const [hash, block] of this.#rows) {
      const found = places.get(hash)
      const isFinal = found && head - found.number + 1 >= confirmations
      const isSame = found?.moved === this.#amounts.get(hash)
      if (isFinal && isSame && (found.block !== block || pending.has(hash)))
        checks.push({ hash, status: 'verified', number: found.number, block: found.block })
      else if (found && !isSame && block !== 'mismatch')
        checks.push({ hash, status: 'mismatch', number: found.number, block: found.block })
      else if (found && isSame && !isFinal && (block === 'reorganised' || block === 'mismatch'))
        checks.push({ hash, status: 'pending', number: found.number, block: found.block })
      else if (!found && block !== 'reorganised')
        checks.push({ hash, status: 'reorganised', number: 0, block: null })
    }
    if (checks.length > 0) {
      await step()
      await this.#once(() =>
        this.#sql(
          `select public.record_checks((
           select jsonb_agg(jsonb_build_object(
             'transaction_id', (select max(id) from public.transactions where tx_hash = one.hash), 'status', one.status,
             'block_number', one.number, 'block_hash', one.block, 'block_time', now(), 'confirmations', 20
           )) from jsonb_to_recordset($1::jsonb) as one (hash text, status text, number bigint, block text)
         ))`,
          [JSON.stringify(checks)],
        ),
      )
      for (const check of checks as { hash: string; status: string; block: string | null }[])
        this.#rows.set(check.hash, check.status === 'verified' ? check.block : check.status)
    }
    for (const [hash, status] of this.#rows) {
      const moved = places.get(hash)?.moved
      if (status !== 'mismatch' || !moved || moved === this.#amounts.get(hash)) continue
      await step()
      await this.#once(() =>
        this.#sql(
          `select public.append_ledger((
             select jsonb_agg(to_jsonb(facts) || jsonb_build_object(
               'revision', revision + 1, 'token_amount', $2::text, 'note', 'Mined again, with another amount.'
             )) from public.transactions as facts where id = (select max(id) from public.transactions where tx_hash = $1)
           ))`,
          [hash, `${moved}`],
        ),
      )
      this.#amounts.set(hash, moved)
      this.#rows.set(hash, null)
    }
    await this.#once(() =>
      this.#sql(
        `insert into private.ledger_scans (chain_id, block_number, block_hash, block_time)
         values (56, $1, $2, now() + make_interval(secs => $3))
         on conflict (chain_id) do update set block_number = excluded.block_number, block_time = excluded.block_time`,
        [head, this.#chain.blocks.at(-1)?.hash, this.#skews.blocks],
      ),
    )
  }

  #rowOf(watch: Watch, { hash, moved, from, to, token: address }: Mined) {
    const token = watch.tokens.find((one) => one.address === address)
    const found = token && moved > 0n && !this.#rows.has(hash) ? classify({ from, to }, watch) : null
    if (!found || !token) return null
    this.#amounts.set(hash, moved)
    const dollars = (moved * 100n) / 10n ** BigInt(token.decimals)
    return transaction({
      ...found,
      ...{ occurred_at: new Date(this.#clock.now + this.#skews.blocks * 1000).toISOString() },
      amount_usd: token.value ? `${dollars / 100n}.${`${dollars % 100n}`.padStart(2, '0')}` : null,
      rate_source: token.value ? 'test' : null,
      ...{ token_amount: `${moved}`, token_symbol: token.symbol, token_decimals: token.decimals },
      ...{ token_address: address, from_address: from, to_address: to, tx_hash: hash },
    })
  }

  /** An order in flight ends, or is named within an hour. */
  async #checkRun(report: PayerReport): Promise<void> {
    if (report.fault || report.held) return
    const [open] = await this.#once(() =>
      this.#sql<{ id: number; seconds: number }>(
        `select orders.id::int, extract(epoch from now() - bound_at)::float8 as seconds
         from public.orders join private.order_payments on order_id = orders.id where state = 'sent'`,
      ),
    )
    const paid = report.sent && (await this.#orders()).find(({ id }) => id === report.sent)
    if (paid) await this.#checkNotPaid(paid)
    if (!open || open.seconds <= hour) return
    // /healthz names it by the clock of the database, whatever that of the worker says.
    await this.#once(() => this.#sql("select public.record_run('{}', false)"))
    const [run] = await this.#once(() => this.#sql<{ found: object }>('select public.last_run() as found'))
    if (!Object.entries(run?.found ?? {}).some(([name, value]) => name === 'has_late_payment' && value))
      this.#fail(
        `order ${open.id} is in flight for ${open.seconds} s and not named: ${JSON.stringify(report)}`,
      )
  }

  /** The ledger has no payment by hand of an order that is sent: one that came after its approval, and that no other order has. */
  async #checkNotPaid(order: Order): Promise<void> {
    const orders = await this.#orders()
    const [sent] = await this.#once(() =>
      this.#sql<{ hash: string }>(
        `select tx_hash as hash from public.transactions as facts
         join private.transaction_statuses as statuses on statuses.transaction_id = facts.id
         where facts.from_address = $1 and facts.to_address = $2 and facts.token_address = $3 and facts.token_amount = $4
           and statuses.status in ('pending', 'verified') and facts.recorded_at > to_timestamp($5)`,
        [order.from, order.to, order.token, `${order.amount}`, order.announced],
      ),
    )
    if (sent && this.#byHand.has(sent.hash) && !orders.some(({ tx }) => tx === sent.hash))
      this.#fail(`order ${order.id} was sent although the ledger has its payment by hand`)
  }

  #fail(words: string): never {
    throw new Error(words)
  }

  // The end -----------------------------------------------------------------------------------------------

  /** The world becomes good again, and the job runs until each order has ended. */
  async #end(): Promise<void> {
    await this.#queue
    const chain = this.#chain
    Object.assign(chain, { forgets: null, gasPrice: gwei, leastGasPrice: gwei / 20n })
    Object.assign(chain, { allowance: chain.allowance > 0n ? chain.allowance : 5_000n * one })
    chain.faults.clear()
    this.#settings = this.#original
    this.#goodSince = this.#clock.now / 1000
    await this.#decide('payments-release', {}, { reason: 'The key is safe.' })
    let idle = 0
    let gaps = 0
    let before = await this.#orders()
    for (let round = 0; round < 120; round++) {
      const report = await this.#run(false)
      // No order that can be paid waits for another one.
      const isIdle =
        report && ![report.sent, report.resent, report.mined, report.held, report.fault].some(Boolean)
      const payable = isIdle ? before.find((order) => this.#isPayable(order, before)) : undefined
      idle = payable ? idle + 1 : 0
      if (idle > 3) this.#fail(`order ${payable?.id} can be paid, and waits: ${JSON.stringify(report)}`)
      for (let block = 0; block < confirmations; block++) chain.mine()
      await this.#pass(round < 6 ? 11 * minute : 12 * hour)
      // After a deep reorganisation the payer's transactions are fewer than the ledger knows: two operators let it go on.
      const isGap = report?.fault?.startsWith('the payer has sent')
      if (isGap) await this.#decide('payer-acceptance', {}, { reason: 'A reorganisation removed it.' })
      gaps = isGap ? gaps + 1 : 0
      if (gaps > 5) this.#fail(`nothing is paid any more: ${report?.fault}`)
      const now = await this.#orders()
      if (now.some(({ state }) => state === 'lost'))
        await this.#decide('payments-release', {}, { reason: 'The key is safe.' })
      const inFlight = round > 60 && now.find(({ state }) => state === 'sent')
      if (inFlight) this.#fail(`no evidence ends order ${inFlight.id}: ${JSON.stringify(report)}`)
      const isOpen = ({ state }: Order) => ['announced', 'taken', 'sent'].includes(state)
      const wasOpen = before.some(isOpen)
      before = now
      if (now.some(isOpen) || wasOpen) continue
      // Rules make orders after the end of a vote, and on the day that divides the tax of the month before.
      if (!this.#hasStanding || this.#clock.now / 1000 > this.#goodSince + 45 * day) break
      await this.#pass(4 * day)
    }
    await this.#run(false)
  }

  /** Whether the site must pay an order of two operators now. */
  #isPayable({ id, state, from, to, token, amount, recipient, due, expires }: Order, all: Order[]): boolean {
    const now = this.#clock.now / 1000
    const isSame = (one: { from: string; to: string; token: string; amount: bigint }) =>
      one.from === from && one.to === to && one.token === token && one.amount === amount
    return (
      [state === 'announced', recipient !== 'goal', due < now - 300, now < expires].every(Boolean) &&
      !this.#standing.made.has(id) &&
      ours.has(from) &&
      // What loosens the terms counts after the notice.
      now > this.#goodSince + 49 * hour &&
      amount <= this.#chain.left(from, token) &&
      amount <= 1000n * (token === tokens[0]?.address ? one : 100n) &&
      !all.some((each) => each.state === 'mismatched' && each.token === token) &&
      // It was ordered again after it had ended, and is paid after all.
      !all.some((each) => each.id !== id && each.state === 'paid' && each.hadEnded && isSame(each)) &&
      !this.#chain.all.some((each) => this.#byHand.has(each.hash) && isSame(each))
    )
  }

  async #check(verify: Verify): Promise<void> {
    const orders = await this.#orders()
    const sent = new Map(
      (
        await this.#sql<{ id: number; hash: string }>(
          'select order_id::int as id, tx_hash::text as hash from private.order_transactions',
        )
      ).map(({ id, hash }) => [hash, id]),
    )
    const onChain = new Map(this.#chain.all.map((each) => [each.hash, each]))
    const wallets = new Map<string, bigint>()
    for (const order of orders) {
      const { id, state, amount, tx } = order
      this.reached.set(state, 1 + (this.reached.get(state) ?? 0))
      if (['announced', 'taken', 'sent'].includes(state)) this.#fail(`order ${id} is ${state} at the end`)
      const payments = this.#chain.all.filter((each) => each.moved > 0n && sent.get(each.hash) === id)
      const isMatched = state === 'mismatched' || state === 'lost'
      if (payments.length > 1) this.#fail(`order ${id} was paid ${payments.length} times`)
      if (payments.length === 1 && state !== 'paid' && !isMatched)
        this.#fail(`order ${id} is ${state}, and its payment left the wallet`)
      if (payments.length === 1 && this.#kept.has(id))
        this.#fail(`order ${id} was stopped or taken, and the site paid it`)
      if (state !== 'paid') continue
      const found = onChain.get(`${tx}`)
      // What the site sent and a reorganisation removed, it sent again. What people sent stays as it is, and pages say so.
      if (!found?.moved) {
        if (this.#hasReorganised && this.#byHand.has(`${tx}`)) continue
        this.#fail(`order ${id} is paid by no transaction`)
      }
      if ((sent.get(`${tx}`) ?? id) !== id)
        this.#fail(`order ${id} is paid by the transaction of another order`)
      if (
        found.moved !== amount ||
        found.from !== order.from ||
        found.to !== order.to ||
        found.token !== order.token
      )
        this.#fail(`order ${id} is paid by another transfer`)
      wallets.set(order.from, (wallets.get(order.from) ?? 0n) + amount)
    }
    const paidBy = new Set(orders.filter(({ state }) => state === 'paid').map(({ tx }) => tx))
    if (paidBy.size !== orders.filter(({ state }) => state === 'paid').length)
      this.#fail('two orders have one payment')
    // What left each wallet is what paid orders say, and what people sent without an order.
    for (const wallet of ours.keys()) {
      const others = this.#chain.all
        .filter(({ from, hash }) => from === wallet && !paidBy.has(hash))
        .reduce((sum, { moved, hash }) => {
          const id = sent.get(hash)
          const state = orders.find((each) => each.id === id)?.state
          if (moved > 0n && !this.#byHand.has(hash) && state !== 'mismatched' && state !== 'lost')
            this.#fail(`${moved} left ${wallet} without an order`)
          return sum + moved
        }, 0n)
      const left = this.#chain.movedFrom(wallet)
      if (left !== (wallets.get(wallet) ?? 0n) + others)
        this.#fail(`${left} left ${wallet}, and the orders say otherwise`)
    }
    await this.#standing.look()
    for (const { slug } of this.#standing.goals) {
      const sum = orders
        .filter(({ goal, state }) => goal === slug && !['stopped', 'expired', 'failed'].includes(state))
        .reduce(
          (sum, { amount, token }) =>
            sum +
            (amount * 100n) / 10n ** BigInt(tokens.find((one) => one.address === token)?.decimals ?? 18),
          0n,
        )
      if (sum > target * 100n) this.#fail(`the orders to ${slug} are above its target`)
    }
    for (const made of this.#standing.made.values()) {
      const rule = this.#standing.rules.find(({ number }) => number === made.standing)?.rule ?? ''
      const state = orders.find(({ id }) => id === made.id)?.state
      for (const name of [rule, `${rule} ${state}`]) this.reached.set(name, 1 + (this.reached.get(name) ?? 0))
    }
    const lines = await this.#sql<{ entry: string }>(
      `select entry from private.log_entries where log = 'ledger' order by index`,
    )
    await verify(lines.map(({ entry }) => entry))
  }
}
