/**
 * Compares a site that has 100 due orders and a standing order of each kind with one that has none: Home and
 * /transparency, from the cache and rendered. Then counts the calls of a scheduled run that can pay none of the orders,
 * because the token refuses each.
 */
import { keccak256 } from 'viem'
import { Refused } from '../../app/chain/chain-errors.ts'
import { payOrders } from '../../app/payments/payer.server.ts'
import type { Service } from '../../app/platform/server/service.server.ts'
import { type EmbeddedBackend, startEmbedded } from '../../supabase/embedded/embedded.ts'
import { migratedDataDir } from '../support/data-folder.ts'
import { drawFrom } from '../support/draw.ts'
import { ModelChain, viewOf, watchOf } from '../support/model-chain.ts'
import { addOperator, nameByTwo } from '../support/operators.ts'
import { insertOrder } from '../support/orders.ts'
import { feed, payees } from '../support/standing-model.ts'
import { insertStanding } from '../support/standing-orders.ts'
import type { Bench } from './bench.ts'
import { startSite } from './site.ts'
import { format, inTurn, median, ratios } from './statistics.ts'
import type { Worker } from './workerd.ts'

const dueOrders = 100
/** Of each wallet and token, a run tries so many. */
const triedOrders = 10
const [treasury, partner, token] = [`0x${'6'.repeat(40)}`, `0x${'9'.repeat(40)}`, `0x${'5'.repeat(40)}`]

interface Place {
  backend: EmbeddedBackend
  cached: Worker
  rendered: Worker
}

async function startPlace({ open }: Bench<'payments'>, orders: number): Promise<Place> {
  const folder = await migratedDataDir()
  await open({ close: folder.remove })
  const address = { port: 0, mailPort: 0, siteUrl: 'http://127.0.0.1:8787' }
  const backend = await open(startEmbedded({ dataDir: folder.path, ...address, log: () => {} }))
  for (const handle of ['ada', 'bob']) await addOperator(backend, handle)
  await nameByTwo(backend, partner, 'Riverside Books')
  await backend.sql('select public.keep_orders($1)', [
    JSON.stringify({
      ...{ chain_id: 56, notice_hours: 24, limit_tokens: 1000 },
      wallets: Object.entries({ treasury, ...payees }).map(([account, address]) => ({ account, address })),
      tokens: [{ symbol: 'USDX', address: token, decimals: 18 }],
    }),
  ])
  for (let order = 1; order <= orders; order++)
    await insertOrder(backend, { chain: 56, from: treasury, to: partner, token, amount: BigInt(order) })
  if (orders > 0) {
    const common = { account: 'treasury', from: treasury, token, most: 5n, month: 9n }
    const call = {
      account: 'donation-wallet',
      from: payees['donation-wallet'],
      amount: 5n,
      to: partner,
      every: 7,
    }
    await insertStanding(backend, { ...common, ...call, rule: 'call', source: feed, words: 'wells' })
    const division = { percent: 400, day: 10, parts: { education: 1000 } }
    await insertStanding(backend, { ...common, ...division, rule: 'allocation' })
    await insertStanding(backend, { ...common, rule: 'vote' })
  }
  await backend.sql('analyze')
  const start = (PAGE_CACHE: string) =>
    open(startSite(backend, { variables: { SUPABASE_PUBLISHABLE_KEY: backend.publishableKey, PAGE_CACHE } }))
  return { backend, cached: await start('on'), rendered: await start('off') }
}

/** Returns the milliseconds for a number of requests in turn. */
async function time({ url }: Worker, path: string, count: number): Promise<number> {
  const startedAt = performance.now()
  for (let request = 0; request < count; request++) {
    const response = await fetch(url + path)
    const { length } = await response.text()
    if (response.status !== 200 || length < 100) throw new Error(`${path}: ${response.status}`)
  }
  return performance.now() - startedAt
}

export async function measurePayments(bench: Bench<'payments'>): Promise<void> {
  const [many, none] = [await startPlace(bench, dueOrders), await startPlace(bench, 0)]
  for (const [name, path] of [
    ['home', '/'],
    ['transparency', '/transparency'],
  ] as const)
    for (const [kind, count, turns] of [
      ['cached', 500, 31],
      ['rendered', 4, 15],
    ] as const) {
      await Promise.all([time(many[kind], path, 3), time(none[kind], path, 3)])
      const { ones, others } = await inTurn(
        bench.quick ? 7 : turns,
        () => time(many[kind], path, count),
        () => time(none[kind], path, count),
      )
      bench.report(`${name}-${kind}`, ratios(others, ones), {
        note: `${format(median(ones) / count)} ms and ${format(median(others) / count)} ms.`,
      })
    }

  const counts = { chain: 0, database: 0 }
  const model = new ModelChain(drawFrom(1), 10n ** 20n)
  const chain = viewOf(model, token, () => void counts.chain++)
  chain.simulate = async () => {
    counts.chain++
    throw new Refused('eth_call is refused')
  }
  const service = {
    call: async (
      name: string,
      schema: { parse(value: unknown): unknown },
      given: Record<string, unknown>,
    ) => {
      counts.database++
      const names = Object.keys(given).map((each, at) => `${each} => $${at + 1}`)
      const values = Object.values(given).map((value) =>
        typeof value === 'object' ? JSON.stringify(value) : value,
      )
      const [row] = await many.backend.sql<{ value: unknown }>(
        `select public.${name}(${names}) as value`,
        values,
      )
      return schema.parse(row?.value)
    },
  } as unknown as Service
  const startedAt = performance.now()
  const { waiting = {} } = await payOrders(service, chain, keccak256('0x01'), watchOf(treasury), 10n)
  const elapsed = performance.now() - startedAt
  if (Object.keys(waiting).length !== triedOrders) throw new Error('not all orders wait')
  bench.report('run-calls', [counts.chain], { note: `and ${counts.database} of the database.` })
  bench.report('run-time', [elapsed])
}
