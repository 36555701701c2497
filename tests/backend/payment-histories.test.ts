import { fileURLToPath } from 'node:url'
import { afterAll, expect, test, vi } from 'vitest'
import { LogTree } from '../support/log-tree.ts'
import { ModelClock } from '../support/model-clock.ts'
import { addOperator, nameByTwo } from '../support/operators.ts'
import { PaymentHistory, partner } from '../support/payment-history.ts'
import { feed, other } from '../support/standing-model.ts'
import { startTemporary } from '../support/temporary-backend.ts'

const backend = await startTemporary()
afterAll(async () => {
  vi.useRealTimers()
  await backend.close()
})
await addOperator(backend, 'ada')
await addOperator(backend, 'bob')
const clock = await ModelClock.start(backend, '2031-03-03T10:00:00Z')
await nameByTwo(backend, partner, 'Riverside Books')
await backend.sql('select public.claim_sources($1)', [JSON.stringify([feed, other])])
const began = clock.now

const { checkExport } = await import(
  fileURLToPath(new URL('../../public/verify-ledger.mjs', import.meta.url))
)
/** The public verifier checks the whole log. */
async function verify(entries: string[]): Promise<void> {
  const tree = new LogTree(entries.map((entry) => Buffer.from(entry)))
  const latest = { size: tree.size, root: Buffer.from(tree.root()), title: 'the test' }
  await checkExport(
    entries.map((entry) => Buffer.from(`${entry}\n`)),
    latest,
  )
}

const first = Number(process.env.SEED ?? 1)
const histories = Number(process.env.HISTORIES ?? (process.env.DEEP === '1' ? 20_000 : 60))
// `npm run test:deep` plays a quarter at each of four places.
const places = process.env.DEEP === '1' ? 4 : 1
const seeds = Array.from(
  { length: histories },
  (_, at) => first + Math.floor(at / places) + 1_000_000 * (at % places),
)
// A goal received twice what it lacked, because the row of the first payment was not verified yet, or had no value in dollars.
if (histories === 60) seeds.push(1044, 1070900)
test(`in ${histories} histories, what left the wallets is what paid orders say, no rule exceeds its limits, each order in flight ends or is named, and the verifier accepts the log`, async () => {
  const reached = new Map<string, number>()
  const failures: string[] = []
  for (const seed of seeds) {
    await clock.set(began)
    const history = new PaymentHistory(backend, clock, seed)
    await history.play(verify).catch((error: Error) => failures.push(`history ${seed}: ${error.message}`))
    for (const [name, many] of history.reached) reached.set(name, many + (reached.get(name) ?? 0))
  }
  console.log(
    `payment-histories: ${histories} generated inputs, seed ${first}, ${JSON.stringify([...reached])}`,
  )
  expect(failures).toEqual([])
  if (histories < 60) return
  // The histories reach the states that they are about.
  const kinds = ['call', 'allocation', 'vote'].flatMap((kind) => [kind, `${kind} paid`])
  expect([...reached.keys()]).toEqual(
    expect.arrayContaining(['paid', 'failed', 'stopped', 'expired', ...kinds]),
  )
}, 36_000_000)
