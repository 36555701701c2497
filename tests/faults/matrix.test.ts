import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawFrom } from '../support/draw.ts'
import { type Fault, faults } from '../support/fault-proxy.ts'
import { addGift, addGoal } from '../support/goals.ts'
import { clientOf, startTemporary, type TemporaryBackend, transaction } from '../support/temporary-backend.ts'
import type { Page, Visitor } from '../support/visitor.ts'
import { openTestVote } from '../support/votes.ts'
import { type Action, actions, type Form } from './actions.ts'
import { faultsOfPage, hasSession, isKept, isPoorer } from './judge.ts'
import {
  closeLane,
  type Lane,
  type Member,
  newMember,
  publicGoal,
  replaceOperators,
  startLane,
} from './lane.ts'
import { addressesOf, allRoutes, type Read, reads } from './reads.ts'

/**
 * A cell is a read or an action. With DEEP, each fault is tried with every cell. Otherwise each cell is tried
 * with one fault, and each fault with an equal number of cells. The seed, by default the number of the day,
 * selects the cells: in as many days as there are faults, each fault is tried with every cell.
 */
const deep = process.env.DEEP === '1'
const seed = Number(process.env.SEED ?? Math.floor(Date.now() / 86_400_000))
const turns = deep ? 1 : faults.length

/**
 * Milliseconds. Reads time out after 2 s and writes after 10 s. The remaining time allows for a busy machine,
 * because these limits should only find requests that hang.
 */
const longestRead = 8_000
const longestWrite = 20_000

/**
 * Milliseconds. Within this time after the end of the fault, the open breaker may still use its shorter
 * timeout (`degradedTimeouts` in app/platform/server/backend.server.ts). If a request still fails after this time, it
 * is repeated.
 */
const breakerWaits = 700

/** Faults under which the backend executes requests, but responds late or not at all. */
const passing: Fault[] = ['slow', 'late', 'lost']
/** Faults that last until the timeout of the worker. They start first, with many cells in parallel. */
const lasting: Fault[] = ['hang', 'half-open', 'drip', 'late']

const lanes: Lane[] = []
const free: Lane[] = []
const waiting: ((lane: Lane) => void)[] = []
let backend: TemporaryBackend
/** The response to each read without a fault, keyed by the name of the read. */
const healthy = new Map<string, Page>()
const counts = { reads: 0, actions: 0, recoveries: 0 }

beforeAll(async () => {
  backend = await startTemporary({}, 'pglite')
  const { error } = await clientOf(backend, backend.secretKey).rpc('append_ledger', {
    entries: [transaction()],
  } as never)
  if (error) throw error
  await addGift(backend, await addGoal(backend, { slug: publicGoal }))
  await openTestVote(backend, publicGoal)
  lanes.push(...(await Promise.all([1, 2, 3].map(() => startLane(backend)))))
  free.push(...lanes)
  const [lane] = lanes as [Lane]
  const member = await newMember(lane)
  for (const read of reads) healthy.set(read.name, await (await read.visitor(lane, member)).get(read.path))
})

afterAll(async () => {
  console.log(
    `seed ${seed}: ${counts.reads} reads and ${counts.actions} actions under ${faults.length} faults, ${counts.recoveries} recoveries`,
  )
  await Promise.all(lanes.map(closeLane))
  await backend.close()
})

test('the matrix has every route, and every action of a route', () => {
  const missing = allRoutes.filter((route) => addressesOf(route) === null).map(({ path }) => path)
  const withAction = allRoutes
    .filter(({ file }) =>
      /^export (?:const|async function|function) action\b/m.test(readFileSync(file, 'utf8')),
    )
    .map(({ module }) => module)
  const listed = new Set(actions.map(({ route }) => route))
  expect([...missing, ...withAction.filter((module) => !listed.has(module))]).toEqual([])
})

test('without a fault every URL responds correctly', () => {
  const wrong = reads.flatMap(({ name }) => {
    const page = healthy.get(name) as Page
    const known = [200, 202, 303, 400, 404].includes(page.status)
    return [...faultsOfPage(page), ...(known ? [] : [`${page.status}`])].map((fault) => `${name} ${fault}`)
  })
  expect(wrong).toEqual([])
})

describe.concurrent('every URL responds as specified while the backend has the fault', () => {
  for (const fault of faults.toSorted((a, b) => Number(lasting.includes(b)) - Number(lasting.includes(a))))
    test(fault, { timeout: deep ? 3_600_000 : 300_000 }, async () => {
      const lane = await takeLane()
      try {
        expect(await tryFault(lane, fault)).toEqual([])
      } finally {
        lane.proxy.fault = 'none'
        giveBack(lane)
      }
    })
})

async function takeLane(): Promise<Lane> {
  return free.pop() ?? new Promise((resolve) => waiting.push(resolve))
}

function giveBack(lane: Lane): void {
  const next = waiting.shift()
  if (next) next(lane)
  else free.push(lane)
}

interface Cell {
  name: string
  read: Read | null
  action: Action | null
  visitor: Visitor
  send(): Promise<Page>
  form: Form | null
  /** The response during the fault. */
  page?: Page
}

/** Returns all violations during `fault` and after it. */
async function tryFault(lane: Lane, fault: Fault): Promise<string[]> {
  const wrong: string[] = []
  const { proxy, site } = lane
  const cells = await prepare(lane, fault)
  proxy.writes = []
  proxy.requests = []
  site.log.length = 0

  proxy.fault = fault
  await runConcurrently(lasting.includes(fault) ? 100 : 8, cells, async (cell) => {
    const hadSession = cell.read?.who !== 'cold' && hasSession(cell.visitor)
    const startedAt = performance.now()
    const page = await responseOf(cell)
    const took = performance.now() - startedAt
    cell.page = page
    const found = [
      ...faultsOfPage(page),
      ...(cell.read ? judgeRead(cell.read, page) : judgeAction(cell, fault)),
    ]
    if (took > (cell.read ? longestRead : longestWrite)) found.push(`took ${Math.round(took)} ms`)
    const ended = hadSession && !hasSession(cell.visitor)
    const { action, form } = cell
    const ends = action?.ends || (action?.endsWhenDone && form?.done(page))
    if (ended !== Boolean(hadSession && ends)) found.push(ended ? 'ended the session' : 'kept it')
    wrong.push(...found.map((what) => `${cell.name}: ${what} (${page.status} ${page.location ?? ''})`))
  })
  if (new Set(proxy.writes).size < proxy.writes.length) wrong.push(`written twice: ${repeated(proxy.writes)}`)
  if (proxy.requests.some((request) => request.includes('/elsewhere'))) wrong.push('followed a redirect')
  wrong.push(...site.log.filter((line) => /\w+\.threw/.test(line)))

  proxy.fault = 'none'
  proxy.writes = []
  let delayed = 0
  const recover = async (cell: Cell, attempt = 1): Promise<void> => {
    if (cell.action?.once && !mayBeDone(cell, fault)) renew(cell, await cell.action.prepare(lane))
    const startedAt = performance.now()
    const page = await responseOf(cell)
    const found = faultsOfPage(page)
    if (cell.read) {
      const usual = healthy.get(cell.name) as Page
      // /healthz keeps its result for five seconds.
      const back = page.status === usual.status && targetOf(page) === targetOf(usual) && !isPoorer(page)
      if (!back && cell.read.route !== 'healthz.ts') found.push('is not back')
    } else if (!mayBeDone(cell, fault) && !cell.form?.done(page)) found.push('cannot be done')
    // On a busy machine the backend may still be slower than the breaker's timeout.
    if (found.length && performance.now() - startedAt > breakerWaits && attempt < 5) {
      delayed++
      return recover(cell, attempt + 1)
    }
    counts.recoveries++
    wrong.push(
      ...found.map((what) => `afterwards ${cell.name}: ${what} (${page.status} ${page.location ?? ''})`),
    )
  }
  // The first request is sent alone, and must succeed. The seed selects its read or action.
  const [first, ...others] = cells
  if (first) await recover(first)
  await runConcurrently(4, others, (cell) => recover(cell))
  if (delayed === 0 && new Set(proxy.writes).size < proxy.writes.length)
    wrong.push(`afterwards twice: ${repeated(proxy.writes)}`)
  counts.reads += cells.filter(({ read }) => read).length
  counts.actions += cells.filter(({ action }) => action).length
  return wrong
}

/** Returns the response to a cell. An error, for example after a truncated body, names the cell. */
async function responseOf({ name, send }: Cell): Promise<Page> {
  try {
    return await send()
  } catch (cause) {
    throw new Error(`${name}: ${cause}`, { cause })
  }
}

function renew(cell: Cell, form: Form): void {
  cell.form = form
  cell.send = () => form.visitor.post(form.path, form.fields)
}

/** Returns the same list in a random order that the generator determines. */
function shuffled<T>(list: T[], random: () => number): T[] {
  return list
    .map((entry) => ({ entry, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ entry }) => entry)
}

// The kinds of visitors alternate in the list: unshuffled, each fault would meet only one kind.
const mixed = { reads: shuffled(reads, drawFrom(1)), actions: shuffled(actions, drawFrom(2)) }

async function prepare(lane: Lane, fault: Fault): Promise<Cell[]> {
  const number = faults.indexOf(fault)
  const drawn = <T>(list: T[]) => list.filter((_, at) => (at + number + seed) % turns === 0)
  const member: Member = await newMember(lane)
  replaceOperators(lane)
  const cells: Cell[] = []
  for (const read of drawn(mixed.reads)) {
    const visitor = await read.visitor(lane, member)
    if (read.who === 'warm') await visitor.get(read.path)
    cells.push({
      name: read.name,
      read,
      action: null,
      form: null,
      visitor,
      send: () => visitor.get(read.path),
    })
  }
  for (const action of drawn(mixed.actions)) {
    const form = await action.prepare(lane)
    const { visitor, path, fields } = form
    const send = () => visitor.post(path, fields)
    cells.push({ name: action.name, read: null, action, form, visitor, send })
  }
  return shuffled(cells, drawFrom(seed + number))
}

/** Returns the target of a redirect, with a placeholder in place of a new id. */
const targetOf = ({ location }: Page) => location?.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, 'id')

const pagesOfOne = [
  ...['transparency.transaction/route.tsx', 'donate.confirmation/route.tsx'],
  ...['giveback.campaign/route.tsx', 'donate/route.tsx'],
  ...['giveback.vote/route.tsx', 'giveback.votes/route.tsx'],
  ...['arrived.tsx', 'transparency.arrived/route.tsx'],
]

/** Compares status and target with the healthy response, except as the comments below say. */
function judgeRead({ name, who, route }: Read, page: Page): string[] {
  const usual = healthy.get(name) as Page
  const { status, headers } = usual
  const isPage = headers.get('Content-Type')?.startsWith('text/html')
  // A member page reports the fault with its status. So does a data file, because it cannot show a message.
  if (page.status === 503 && (who === 'member' || !isPage)) return []
  // A visitor whose session cannot be checked may sign in again.
  if (page.status === 200 && ['auth/route.tsx', 'auth.code.tsx'].includes(route)) return []
  // The page of one transaction needs its rows, and the pages of one goal need the goal.
  if (page.status === 503 && pagesOfOne.includes(route) && isPoorer(page)) return []
  if (page.status !== status) return ['has another status']
  return targetOf(page) === targetOf(usual) ? [] : ['leads elsewhere']
}

function judgeAction({ action, form, visitor, page }: Cell, fault: Fault): string[] {
  if (!action || !form || !page) return []
  const done = form.done(page)
  if (action.alone || action.ends) return done ? [] : ['was not done']
  if (done) return passing.includes(fault) || action.blind ? [] : ['claims to be done']
  if (fault === 'slow') return ['was not done']
  const found: string[] = []
  // /auth/implicit responds to the script with the next URL as JSON.
  const excuses = action.route === 'auth.implicit.ts'
  if (!excuses && ![429, 502, 503].includes(page.status)) found.push('has no status of a refusal')
  for (const typed of form.typed ?? []) if (!isKept(typed, page, visitor)) found.push(`lost '${typed}'`)
  return found
}

/** Whether the action was, or may have been, executed during the fault: repeating it may fail. */
function mayBeDone({ form, page, action }: Cell, fault: Fault): boolean {
  return fault === 'lost' || fault === 'late' || Boolean(action?.ends) || Boolean(page && form?.done(page))
}

/** Runs `work` for each entry of the list, at most `width` at a time. */
async function runConcurrently<T>(
  width: number,
  list: T[],
  work: (entry: T) => Promise<void>,
): Promise<void> {
  const left = [...list]
  const worker = async () => {
    for (let entry = left.shift(); entry; entry = left.shift()) await work(entry)
  }
  await Promise.all(Array.from({ length: width }, worker))
}

function repeated(writes: string[]): string {
  return writes.filter((write, index) => writes.indexOf(write) < index).join('\n')
}
