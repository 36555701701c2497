/**
 * Generates load with `wrk` (Debian package) if it is installed, otherwise with this file in a process of its own:
 * `connections` sockets, each of which sends the next request when a response is complete.
 */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Histogram, quantile } from './statistics.ts'

export interface Order {
  url: string
  /** Requested in turn. `cookie` is one member's session. */
  pages: { path: string; cookie?: string }[]
  connections: number
  seconds: number
}

export interface Load {
  /** Responses with status 200; wrk counts all responses. */
  requests: number
  rate: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** How many responses took how many milliseconds. wrk adds the requests that a stalled connection did not send. */
  latencies: Histogram
  /** Refused or broken connections, and responses with another status; wrk counts statuses of 400 and above. */
  errors: number
}

const hasWrk = tryWrk()
export const generator = hasWrk ? 'wrk' : 'tests/bench/load.ts'

export function sendLoad(order: Order): Promise<Load> {
  return hasWrk ? byWrk(order) : byOwn(order)
}

function tryWrk(): boolean {
  try {
    execFileSync('which', ['wrk'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/**
 * Writes a script for wrk that sends `pages` in turn, and at the end writes the latencies in microseconds. It builds
 * each request before the load begins.
 */
function writeTurns(folder: string, pages: Order['pages']): string {
  writeFileSync(join(folder, 'pages'), pages.map(({ path, cookie = '' }) => `${path}\t${cookie}`).join('\n'))
  const script = join(folder, 'turns.lua')
  writeFileSync(
    script,
    `local requests, turn = {}, 0
function init()
  for line in io.lines('${join(folder, 'pages')}') do
    local path, cookie = line:match('^(.-)\t(.*)$')
    local headers = cookie ~= '' and { ['Cookie'] = cookie } or {}
    requests[#requests + 1] = wrk.format('GET', path, headers)
  end
end
function request()
  turn = turn % #requests + 1
  return requests[turn]
end
function done(summary, latency)
  local file = io.open('${join(folder, 'latencies')}', 'w')
  for i = 1, #latency do
    local took, count = latency(i)
    file:write(string.format('%d %d\\n', took, count))
  end
  file:close()
end`,
  )
  return script
}

function byWrk({ url, connections, seconds, pages }: Order): Promise<Load> {
  const folder = mkdtempSync(join(tmpdir(), 'goodblock-bench-'))
  const script = writeTurns(folder, pages)
  // A slow response is no error: its time is in the percentiles.
  const options = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '30s',
    '--latency',
    '-s',
    script,
    url,
  ]
  return new Promise((resolve, reject) => {
    execFile('wrk', options, (error, output) => {
      const latencies = error ? [] : readLatencies(folder)
      rmSync(folder, { recursive: true, force: true })
      if (error) return reject(error)
      const number = (pattern: RegExp) => Number(output.match(pattern)?.[1] ?? 0)
      const broken = output.match(/Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/)
      const errors = (broken?.slice(1) ?? []).reduce((sum, count) => sum + Number(count), 0)
      resolve({
        requests: number(/(\d+) requests in/),
        rate: number(/Requests\/sec:\s+([\d.]+)/),
        p50: milliseconds(output, '50'),
        p99: milliseconds(output, '99'),
        latencies,
        errors: errors + number(/Non-2xx or 3xx responses: (\d+)/),
      })
    })
  })
}

function readLatencies(folder: string): Histogram {
  const lines = readFileSync(join(folder, 'latencies'), 'utf8').trimEnd().split('\n')
  return lines.map((line) => {
    const [took, count] = line.split(' ').map(Number)
    return [(took ?? 0) / 1000, count ?? 0]
  })
}

/** wrk pads a unit of one letter, as in '1.20s ', with a space. */
function milliseconds(output: string, percent: string): number {
  const [, value, unit = 'ms'] =
    output.match(new RegExp(`^ +${percent}% +([\\d.]+)(us|ms|s|m) *$`, 'm')) ?? []
  return Number(value) * ({ us: 0.001, ms: 1, s: 1000, m: 60_000 }[unit] ?? 1)
}

function byOwn(order: Order): Promise<Load> {
  const self = fileURLToPath(import.meta.url)
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [self, JSON.stringify(order)], { maxBuffer: 2 ** 28 }, (error, output) =>
      error ? reject(error) : resolve(JSON.parse(output)),
    )
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const load = await run(JSON.parse(process.argv[2] ?? '{}'))
  // Open connections would keep the process alive, and an exit before all is written would cut the result off.
  process.stdout.write(JSON.stringify(load), () => process.exit(0))
}

async function run({ url, pages, connections, seconds }: Order): Promise<Load> {
  const { hostname, port, host } = new URL(url)
  const texts = pages.map(
    ({ path, cookie }) =>
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${cookie ? `Cookie: ${cookie}\r\n` : ''}\r\n`,
  )
  const took: number[] = []
  let errors = 0
  let next = 0
  let ended = false

  const open = () => {
    const socket = connect(Number(port), hostname)
    let askedAt = 0
    const ask = () => {
      askedAt = performance.now()
      socket.write(texts[next++ % texts.length] ?? '')
    }
    socket.setNoDelay(true)
    socket.once('connect', ask)
    readAnswers(socket, (status) => {
      if (ended) return
      if (status === 200) took.push(performance.now() - askedAt)
      else errors++
      ask()
    })
    socket.once('error', () => {})
    socket.once('close', () => {
      if (ended) return
      errors++
      setTimeout(open, 50)
    })
  }
  const startedAt = performance.now()
  for (let i = 0; i < connections; i++) open()
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  ended = true
  const rate = (took.length / (performance.now() - startedAt)) * 1000
  const latencies: Histogram = took.map((ms) => [ms, 1])
  return {
    requests: took.length,
    rate,
    p50: quantile(took, 0.5),
    p99: quantile(took, 0.99),
    latencies,
    errors,
  }
}

/** Calls back with the status of each complete response. */
function readAnswers(socket: Socket, onAnswer: (status: number) => void): void {
  const none: Buffer = Buffer.alloc(0)
  let head = none
  /** 0 while the headers are incomplete. */
  let status = 0
  let chunked = false
  let missing = 0
  let tail = ''
  socket.on('data', (data: Buffer) => {
    let body = data
    if (status === 0) {
      head = head.length ? Buffer.concat([head, data]) : data
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      const text = head.toString('latin1', 0, end).toLowerCase()
      status = Number(text.slice(9, 12))
      chunked = text.includes('transfer-encoding: chunked')
      missing = Number(text.match(/content-length: (\d+)/)?.[1] ?? 0)
      body = head.subarray(end + 4)
      head = none
      tail = '\r\n'
    }
    missing -= body.length
    tail = (tail + body.toString('latin1', Math.max(0, body.length - 7))).slice(-7)
    if (chunked ? tail !== '\r\n0\r\n\r\n' : missing > 0) return
    const answered = status
    status = 0
    onAnswer(answered)
  })
}
