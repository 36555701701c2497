import { connect } from 'node:net'

/** A request byte by byte: strings are Latin-1. An HTTP client cannot send some of them. */
export interface Sent {
  method: string
  target: string
  headers: [name: string, value: string][]
  body: string
  /** By default, the host of the site. */
  host?: string
  /** The number of bytes of the body that are sent, if it is smaller than the Content-Length. */
  cut?: number
}

export interface Answer {
  status: number
  headers: [name: string, value: string][]
  body: string
}

/** A request without data for so many milliseconds counts as hanging, even on a slow machine. */
const timeout = 60_000

/** The response, or null if the connection closed without one. Rejects if the request hangs. */
export function send(
  site: string,
  { method, target, headers, body, host, cut }: Sent,
): Promise<Answer | null> {
  const { hostname, port, host: own } = new URL(site)
  const lines = [`${method} ${target} HTTP/1.1`, `Host: ${host ?? own}`, 'Connection: close']
  if (body || method === 'POST') lines.push(`Content-Length: ${body.length}`)
  for (const [name, value] of headers) lines.push(`${name}: ${value}`)
  const text = `${lines.join('\r\n')}\r\n\r\n${body.slice(0, cut ?? body.length)}`
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    const socket = connect(Number(port), hostname, () => socket.write(Buffer.from(text, 'latin1')))
    // A client that closes during its body receives no response: nothing more can be checked.
    if (cut !== undefined && cut < body.length) setTimeout(() => socket.end(), 5)
    socket.setTimeout(timeout, () => {
      socket.destroy()
      reject(new Error(`no response within ${timeout} ms`))
    })
    socket.on('data', (part) => parts.push(part))
    socket.on('error', () => {})
    socket.on('close', () => resolve(read(Buffer.concat(parts))))
  })
}

function read(bytes: Buffer): Answer | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  const rest = bytes.subarray(end + 4)
  const chunked = headers.some(([name, value]) => name === 'transfer-encoding' && value === 'chunked')
  return { status: Number(first.split(' ')[1]), headers, body: (chunked ? join(rest) : rest).toString() }
}

function join(rest: Buffer): Buffer {
  const chunks: Buffer[] = []
  let at = 0
  while (at < rest.length) {
    const lineEnd = rest.indexOf('\r\n', at)
    const size = Number.parseInt(rest.toString('latin1', at, lineEnd), 16)
    if (!size) break
    chunks.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 4 + size
  }
  return Buffer.concat(chunks)
}
