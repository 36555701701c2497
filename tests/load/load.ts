import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../scripts/free-port.ts'
import { publicPages } from '../../scripts/public-pages.ts'
import { node, readKeys, spawnEmbedded } from '../support/child.ts'
import { migratedDataDir } from '../support/data-folder.ts'
import { drawFrom } from '../support/draw.ts'
import { type Fault, startFaultProxy } from '../support/fault-proxy.ts'
import { type Page, sessionCookie, Visitor } from '../support/visitor.ts'

/**
 * Runs `npm start` under the traffic of many browsers, on its own ports and data; it cannot target another
 * site. Some calls to the backend fail. Four out of five browsers read public pages. Every fifth browser
 * belongs to a member, who reads, polls and edits. At most one member a second signs in on another device.
 */
export interface Order {
  browsers: number
  seconds: number
  seed: number
  /** The share of backend calls that fail, from 0 to 1. */
  faults: number
}

export interface Load {
  /** The number of responses by kind of request and status. */
  answers: Record<string, number>
  requests: number
  faults: number
  edits: number
  signIns: number
  /** Memory in megabytes, in the middle and at the end of the run. */
  memory: Record<'workerd' | 'backend', { warm: number; end: number }>
  /** The violations that were found. */
  faulty: string[]
}

const kinds: Fault[] = ['500', '503', '429', 'reset', 'truncated', 'html', 'garbage', 'empty', 'hang']
const addresses = [...publicPages, '/transparency?type=donation', '/sitemap.xml', '/robots.txt']
const anybody = /Reader \d+ edit \d+|action="\/auth\/sign-out"/

interface Member {
  number: number
  email: string
  visitor: Visitor
  id: string
  fingerprint: string
  /** The numbers of the last acknowledged edit and of the last edit that was sent. */
  kept: number
  sent: number
}

const password = 'a password under load'
const nameOf = ({ number }: Pick<Member, 'number'>, edit: number) => `Reader ${number} edit ${edit}`

export async function runLoad({ browsers, seconds, seed, faults }: Order): Promise<Load> {
  const draw = drawFrom(seed)
  const folder = await migratedDataDir()
  const backend = spawnEmbedded(folder.path)
  const proxy = await startFaultProxy(await backend.ready)
  const load: Load = {
    answers: {},
    requests: 0,
    faults: 0,
    edits: 0,
    signIns: 0,
    memory: { workerd: { warm: 0, end: 0 }, backend: { warm: 0, end: 0 } },
    faulty: [],
  }
  const suspects: { id: string; what: string }[] = []
  const site = await startSite(proxy.url, readKeys(folder.path).publishableKey)
  try {
    const members: Member[] = []
    for (let number = 1; number <= Math.ceil(browsers / 5); number++)
      members.push(await join(site.url, number))
    Object.defineProperty(proxy, 'fault', {
      get: () => {
        if (draw() >= faults) return 'none'
        load.faults++
        return kinds[Math.floor(draw() * kinds.length)]
      },
    })
    const began = Date.now()
    // On a busy machine, a few seconds are too short for an edit.
    const isOn = () => {
      const passed = Date.now() - began
      const isComplete = load.faults > 0 && load.edits > 0 && load.signIns > 0
      return passed < seconds * 1000 || (!isComplete && passed < 60_000)
    }
    const memory = () => ({ workerd: residentOf(site.pid, 'workerd'), backend: residentOf(backend.pid) })
    // workerd collects garbage late: its memory grows during about 25,000 requests, even for a static file.
    const warmUp = sleep(seconds * 500).then(() => memory())
    await Promise.all([
      ...Array.from({ length: browsers - members.length }, (_, at) => read(at)),
      ...members.map(use),
      signInElsewhere(members),
    ])
    const [warm, end] = [await warmUp, memory()]
    for (const process of ['workerd', 'backend'] as const)
      load.memory[process] = { warm: warm[process], end: end[process] }

    Object.defineProperty(proxy, 'fault', { value: 'none' })
    await sleep(1_500) // Waits until an open breaker closes.
    for (const member of members) await checkLast(member)
    explain()

    async function read(at: number): Promise<void> {
      const visitor = new Visitor(site.url)
      const address = `10.1.${at >> 8}.${at & 255}`
      while (isOn()) {
        const path = addresses[Math.floor(draw() * addresses.length)] ?? '/'
        const page = note('page', await visitor.get(path, { 'CF-Connecting-IP': address }))
        if (![200, 304, 429].includes(page.status)) refuse(page, `${path} answered ${page.status}`)
        if (anybody.test(page.html)) load.faulty.push(`${path} shows a member to a visitor`)
        await think()
      }
    }

    async function use(member: Member): Promise<void> {
      while (isOn()) {
        const drawn = draw()
        if (drawn < 0.4) await poll(member)
        else if (drawn < 0.8) await look(member, member.visitor)
        else await edit(member)
        await think()
      }
    }

    async function poll({ visitor, fingerprint, number }: Member): Promise<void> {
      const page = note('poll', await visitor.get('/auth/session', from(number)))
      if (page.status === 200 && JSON.parse(page.html).fingerprint !== fingerprint)
        load.faulty.push('a session became another')
      if (![200, 429].includes(page.status)) refuse(page, `a poll answered ${page.status}`)
    }

    /** A dashboard must show only its member's data, and no edit older than the last acknowledged. */
    async function look(member: Member, visitor: Visitor): Promise<void> {
      const { kept } = member
      const page = note('dashboard', await visitor.get('/dashboard', from(member.number)))
      if (page.status === 303) load.faulty.push(`a member was led to ${page.location}`)
      else if (page.status !== 200)
        return void (page.status === 429 || refuse(page, `a dashboard answered ${page.status}`))
      for (const [name, number, edit] of page.html.matchAll(/Reader (\d+) edit (\d+)/g)) {
        if (Number(number) !== member.number) load.faulty.push(`${name} was shown to member ${member.number}`)
        else if (Number(edit) < kept) load.faulty.push(`${name} was shown after edit ${kept}`)
      }
      if (!page.html.includes(member.email)) load.faulty.push('a dashboard without its member')
    }

    async function edit(member: Member): Promise<void> {
      const username = nameOf(member, ++member.sent)
      const fields = { intent: 'update-profile', member: member.id, username, walletAddress: '' }
      const page = note(
        'edit',
        await member.visitor.post('/dashboard?edit=profile', fields, from(member.number)),
      )
      if (page.status === 303 && page.location === '/dashboard') {
        member.kept = member.sent
        load.edits++
      } else if (page.status !== 429) refuse(page, `an edit answered ${page.status} ${page.location ?? ''}`)
    }

    async function signInElsewhere(members: Member[]): Promise<void> {
      for (let turn = 0; isOn(); turn++) {
        const next = Date.now() + 1000
        const member = members[turn % members.length] as Member
        const visitor = new Visitor(site.url)
        const fields = { intent: 'sign-in', email: member.email, password }
        const page = note('sign-in', await visitor.post('/auth', fields, from(turn + 1_000)))
        if (page.status === 303) {
          load.signIns++
          await look(member, visitor)
          note('sign-out', await visitor.post('/auth/sign-out', {}, from(turn + 1_000)))
        } else if (page.status !== 429) refuse(page, `a sign-in answered ${page.status}`)
        await sleep(Math.max(0, next - Date.now()))
      }
    }

    async function checkLast(member: Member): Promise<void> {
      const { html, status } = await member.visitor.get('/dashboard', from(member.number))
      const found = Number(/Reader \d+ edit (\d+)/.exec(html)?.[1] ?? -1)
      // The backend may have executed an edit whose response was lost: it may be a later one.
      if (found < member.kept || found > member.sent)
        load.faulty.push(
          `member ${member.number} (${status}): edit ${found} is read, ${member.kept} was acknowledged`,
        )
    }
  } finally {
    await site.stop()
    backend.kill('SIGTERM')
    await backend.exited
    await proxy.close()
    folder.remove()
  }
  return load

  function note(what: string, page: Page): Page {
    const key = `${what} ${page.status}`
    load.answers[key] = (load.answers[key] ?? 0) + 1
    load.requests++
    return page
  }

  /** Records an unexpected status. `explain` accepts it, but not 500, if the log has its failure. */
  function refuse({ status, headers }: Page, what: string): void {
    suspects.push({ id: status === 500 ? '' : (headers.get('X-Request-Id') ?? ''), what })
  }

  function explain(): void {
    const failed = new Set<string>()
    for (const line of site.lines) {
      const { event, requestId } = line.startsWith('{') ? JSON.parse(line) : {}
      if (event !== 'request' && !/\.threw$/.test(event)) failed.add(requestId)
    }
    for (const { id, what } of suspects) if (!failed.has(id)) load.faulty.push(`${what}, of our own making`)
    const { memory } = load
    for (const [name, { warm, end }] of Object.entries(memory))
      if (end > warm * 1.25 + 48) load.faulty.push(`${name} grew from ${warm} to ${end} MB`)
  }

  function think(): Promise<void> {
    return sleep(400 + draw() * 1_200)
  }
}

/** Each browser has its own IP address. */
function from(number: number) {
  return { 'CF-Connecting-IP': `10.2.${number >> 8}.${number & 255}` }
}

async function join(site: string, number: number): Promise<Member> {
  const visitor = new Visitor(site)
  const email = `reader-${number}@example.com`
  const member = { number, email, visitor, id: '', fingerprint: '', kept: 0, sent: 0 }
  const fields = { intent: 'sign-up', email, password, username: nameOf(member, 0) }
  const { status } = await visitor.post('/auth?mode=sign-up', fields, from(number))
  if (!visitor.jar.has(sessionCookie) && !visitor.jar.has(`${sessionCookie}.0`))
    throw new Error(`Member ${number} could not sign up: ${status}`)
  // On a busy machine the form of the first page may be missing.
  let id: string | undefined
  for (let attempt = 0; !id; attempt++) {
    if (attempt === 10) throw new Error(`Member ${number} got no form to edit.`)
    const { html } = await visitor.get('/dashboard?edit=profile', from(number))
    id = /name="member" value="([^"]+)"/.exec(html)?.[1]
  }
  const session = await visitor.get('/auth/session', from(number))
  return { ...member, id, fingerprint: JSON.parse(session.html).fingerprint }
}

/** Runs the part of `npm start` that follows the installation, with a proxy in front of the backend. */
async function startSite(backendUrl: string, publishableKey: string) {
  const port = await freePort()
  const child = spawn(node, ['scripts/start.ts'], {
    env: {
      ...process.env,
      PORT: `${port}`,
      SUPABASE_URL: backendUrl,
      SUPABASE_PUBLISHABLE_KEY: publishableKey,
    },
  })
  const ended = once(child, 'exit')
  const lines: string[] = []
  let rest = ''
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        const parts = `${rest}${chunk}`.split('\n')
        rest = parts.pop() ?? ''
        lines.push(...parts)
        if (parts.some((line) => line.startsWith('ready http'))) resolve()
      })
    ended.then(() => reject(new Error(lines.join('\n'))))
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { url: `http://127.0.0.1:${port}`, pid: child.pid as number, lines, stop }
}

/** Returns the memory, in megabytes, of a process, or of its descendants whose name contains `name`. */
function residentOf(pid: number, name?: string): number {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,rss=,comm='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
  const family = new Set([pid])
  for (let size = 0; size < family.size; ) {
    size = family.size
    for (const [own, parent] of rows) if (family.has(Number(parent))) family.add(Number(own))
  }
  const of = rows.filter(([own, , , comm]) =>
    name ? family.has(Number(own)) && comm?.includes(name) : Number(own) === pid,
  )
  return Math.round(of.reduce((sum, [, , kilobytes]) => sum + Number(kilobytes), 0) / 1024)
}
