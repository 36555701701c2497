/**
 * Kills the process that runs the built site in workerd while its schedule pays orders on a local chain. `npm test`
 * never does: a kill takes seconds. KILLS and ORDERS set other numbers.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { encodeFunctionData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainId } from '../chain/evm.ts'
import { contracts, dollars, type Project, startProject } from '../chain/project.ts'
import { catchUp } from '../chain/truth.ts'
import { node } from '../support/child.ts'
import { drawFrom } from '../support/draw.ts'
import { addOperator, nameByTwo } from '../support/operators.ts'
import { insertOrder } from '../support/orders.ts'

const leastKills = Number(process.env.KILLS ?? 500)
const count = Number(process.env.ORDERS ?? 200)
/** Two runs make about as many calls to the three endpoints. */
const mostCalls = 250
const seed = Number(process.env.SEED ?? 1)
const partner = `0x${'9'.repeat(40)}`

let project: Project
/** The processes that run, the one that pays and the next one, which starts meanwhile. */
const children = new Set<ChildProcess>()
beforeAll(async () => {
  project = await startProject()
})
afterAll(async () => {
  for (const { pid } of children) if (pid) process.kill(-pid, 'SIGKILL')
  await project?.close()
})

interface Paying {
  child: ChildProcess
  isReady: Promise<unknown>
  hasEnded: Promise<unknown>
}

test(`after ${leastKills} kills of the process while it pays ${count} orders, each order is paid once`, async () => {
  const { evm, backend, who, dollar } = project
  const key = generatePrivateKey()
  const payer = privateKeyToAccount(key)
  for (const handle of ['ada', 'bob']) await addOperator(backend, handle)
  await project.tell(61_234_000_000n)
  await nameByTwo(backend, partner, 'Riverside Books')
  await project.pay(who.stranger, who.treasury, dollars(100_000))
  const { abi } = contracts.Token
  const args = [payer.address, dollars(100_000)]
  const data = encodeFunctionData({ abi, functionName: 'approve', args })
  await evm.send(who.treasury, dollar, { data })
  await evm.control.setBalance({ address: payer.address, value: 10n ** 20n })
  await evm.mine(6)
  await catchUp(project)
  let sum = 0n
  for (let number = 1; number <= count; number++) {
    // Amounts differ, so that each payment belongs to one order.
    const amount = dollars(1) + BigInt(number)
    sum += amount
    const from = who.treasury.address.toLowerCase()
    await insertOrder(backend, { chain: chainId, from, to: partner, token: dollar.toLowerCase(), amount })
  }
  const open = async () => {
    const [row] = await backend.sql<{ open: number }>(
      "select count(*)::int as open from public.orders where state in ('announced', 'sent')",
    )
    return row?.open ?? 0
  }
  const draw = drawFrom(seed)
  const calls = () => project.endpoints.reduce((sum, { called }) => sum + called.length, 0)
  const begin = (): Paying => {
    const child = fork(fileURLToPath(new URL('./paying-process.ts', import.meta.url)), {
      // Its process group contains workerd.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execPath: node,
      execArgv: [],
      env: {
        ...process.env,
        PAYING_SITE: JSON.stringify({ url: backend.url, publishableKey: backend.publishableKey }),
        PAYING_VARIABLES: JSON.stringify({ ...project.variables, PAYER_KEY: key }),
      },
    })
    children.add(child)
    child.once('exit', () => children.delete(child))
    return { child, isReady: once(child, 'message'), hasEnded: once(child, 'exit') }
  }
  let kills = 0
  const beganAt = Date.now()
  for (let next = begin(); kills < leastKills || (await open()) > 0; kills++) {
    const { child, isReady, hasEnded } = next
    await Promise.race([isReady, hasEnded])
    // The start of a process takes longer than a run, so the next one starts while this one pays.
    next = begin()
    child.send('pay')
    // The process is killed after a number of its calls to the chain, so that a busy machine kills it at the same steps. The
    // time limit is for a process that makes no more calls; then the assertions below fail.
    const [last, limit] = [calls() + Math.floor(mostCalls * draw()), Date.now() + 60_000]
    while (calls() < last && Date.now() < limit) await evm.mine(1)
    if (child.pid) process.kill(-child.pid, 'SIGKILL')
    await hasEnded
  }
  console.log(`payer-kills: ${Math.round((Date.now() - beganAt) / kills)} ms a kill`)
  const paid = await backend.sql<{ state: string; count: number }>(
    'select state, count(*)::int as count from public.orders group by state',
  )
  expect(paid).toEqual([{ state: 'paid', count }])
  const held = await evm.reader.readContract({
    ...{ abi, address: dollar, functionName: 'balanceOf', args: [partner] },
  })
  expect(held).toBe(sum)
  expect(await evm.reader.getTransactionCount({ address: payer.address })).toBe(count)
  console.log(`payer-kills: ${kills} kills, ${count} orders, seed ${seed}`)
}, 7_200_000)
