/** Generates load with `wrk` (Debian package). */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Histogram } from './statistics.ts'

interface Order {
  url: string
  /** The pages, requested in turn. `cookie` is the session of one member. */
  pages: { path: string; cookie?: string }[]
  connections: number
  seconds: number
  /** Whether to return the latencies. wrk needs minutes to list them if some are of many seconds. */
  latencies?: boolean
}

export interface Load {
  requests: number
  /** Responses per second. */
  rate: number
  /**
   * The number of responses for each latency in milliseconds; empty unless asked for. wrk adds the requests that a
   * stalled connection did not send.
   */
  latencies: Histogram
  /** Refused or broken connections, and responses with statuses of 400 and above. */
  errors: number
  /** Requests without a response for `patience` seconds. wrk counts one again every two seconds. */
  unanswered: number
}

/** How long wrk waits for a response, in seconds. A slow response is not an error; the latencies show it. */
export const patience = 30

/**
 * A script for wrk that requests in turn the pages that a file lists, and at the end writes the latencies in
 * microseconds. The script builds each request before the load begins.
 */
const script = (folder: string, isTimed: boolean) => `local requests, turn, isTimed = {}, 0, ${isTimed}
function init()
  for line in io.lines('${folder}/pages') do
    local path, cookie = line:match('^(.-)\\t(.*)$')
    local headers = cookie ~= '' and { ['Cookie'] = cookie } or {}
    requests[#requests + 1] = wrk.format('GET', path, headers)
  end
end
function request()
  turn = turn % #requests + 1
  return requests[turn]
end
function done(summary, latency)
  local file = io.open('${folder}/latencies', 'w')
  for i = 1, isTimed and #latency or 0 do
    local took, count = latency(i)
    file:write(string.format('%d %d\\n', took, count))
  end
  file:close()
end`

/** Whether wrk is installed. If it is not, prints how to install it. */
export function hasGenerator(): boolean {
  try {
    execFileSync('which', ['wrk'], { stdio: 'ignore' })
    return true
  } catch {
    console.log('     wrk is not installed (apt-get install wrk)')
    return false
  }
}

export async function sendLoad({
  url,
  connections,
  seconds,
  pages,
  latencies = false,
}: Order): Promise<Load> {
  const folder = mkdtempSync(join(tmpdir(), 'goodblock-bench-'))
  writeFileSync(join(folder, 'pages'), pages.map(({ path, cookie = '' }) => `${path}\t${cookie}`).join('\n'))
  writeFileSync(join(folder, 'turns.lua'), script(folder, latencies))
  try {
    const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', `${patience}s`]
    const { stdout } = await promisify(execFile)('wrk', [...options, '-s', join(folder, 'turns.lua'), url])
    const number = (pattern: RegExp) => Number(stdout.match(pattern)?.[1] ?? 0)
    const broken = stdout.match(/Socket errors: connect (\d+), read (\d+), write (\d+), timeout/)
    const lines = readFileSync(join(folder, 'latencies'), 'utf8').match(/.+/g) ?? []
    return {
      requests: number(/(\d+) requests in/),
      rate: number(/Requests\/sec:\s+([\d.]+)/),
      latencies: lines.map((line) => {
        const [microseconds = 0, count = 0] = line.split(' ').map(Number)
        return [microseconds / 1000, count]
      }),
      errors: (broken?.slice(1) ?? []).reduce(
        (sum, count) => sum + Number(count),
        number(/Non-2xx or 3xx responses: (\d+)/),
      ),
      unanswered: number(/Socket errors: .* timeout (\d+)/),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
