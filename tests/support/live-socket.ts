import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'

/** The opcodes of RFC 6455 that the tests use. */
const opcodes = { text: 1, binary: 2, close: 8 } as const

/** A socket of /live without a WebSocket library, so that a test can send any bytes and stop reading. */
export interface LiveSocket {
  /** The status of the response to the upgrade: 101 for an open socket. */
  status: number
  /** The texts of the messages that arrived. */
  messages: string[]
  /** The code of the server's close frame, or null if the connection ended without one. */
  closed: Promise<number | null>
  send(kind: keyof typeof opcodes, payload: Buffer | string): void
  /** The TCP connection, which a test can pause. */
  connection: Socket
  end(): void
}

/** Requests a socket as a page of `origin` (null: without an Origin) from the IP address `address`. */
export async function openLive(
  site: string,
  { origin = site, address = '203.0.113.1' }: { origin?: string | null; address?: string } = {},
): Promise<LiveSocket> {
  const upgrade = request(`${site}/live`, {
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
      'CF-Connecting-IP': address,
      ...(origin !== null && { Origin: origin }),
    },
    agent: false,
  })
  upgrade.end()
  const messages: string[] = []
  const accepted = once(upgrade, 'upgrade').then(([response, socket, head]) => ({ response, socket, head }))
  const refused = once(upgrade, 'response').then(([response]) => ({ response, socket: null, head: null }))
  const { response, socket, head } = (await Promise.race([accepted, refused])) as {
    response: IncomingMessage
    socket: Socket | null
    head: Buffer | null
  }
  accepted.catch(() => {})
  refused.catch(() => {})
  response.resume()
  const connection = socket ?? response.socket
  connection.on('error', () => {})
  const closed = new Promise<number | null>((resolve) => {
    let rest = Buffer.alloc(0)
    const take = (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      for (let frame = readFrame(rest); frame; frame = readFrame(rest)) {
        rest = rest.subarray(frame.length)
        if (frame.opcode === opcodes.text) messages.push(frame.payload.toString())
        if (frame.opcode === opcodes.close)
          resolve(frame.payload.length < 2 ? 1005 : frame.payload.readUInt16BE())
      }
    }
    if (head?.length) take(head)
    if (socket) socket.on('data', take)
    connection.once('close', () => resolve(null))
  })
  return {
    status: response.statusCode ?? 0,
    messages,
    closed,
    send: (kind, payload) => connection.write(frameOf(opcodes[kind], Buffer.from(payload))),
    connection,
    end: () => connection.destroy(),
  }
}

/** The first frame in a server's bytes, which are not masked; null until it is complete. */
function readFrame(bytes: Buffer): { opcode: number; payload: Buffer; length: number } | null {
  if (bytes.length < 2) return null
  const [first = 0, second = 0] = bytes
  const start = second === 127 ? 10 : second === 126 ? 4 : 2
  if (bytes.length < start) return null
  const size =
    second === 127 ? Number(bytes.readBigUInt64BE(2)) : second === 126 ? bytes.readUInt16BE(2) : second
  if (bytes.length < start + size) return null
  return { opcode: first & 15, payload: bytes.subarray(start, start + size), length: start + size }
}

/** Returns a client frame. Client frames are masked, and this mask is zero. */
function frameOf(opcode: number, payload: Buffer): Buffer {
  const size = payload.length
  const head = Buffer.alloc(size > 65_535 ? 14 : size > 125 ? 8 : 6)
  head[0] = 128 | opcode
  head[1] = 128 | (size > 65_535 ? 127 : size > 125 ? 126 : size)
  if (size > 65_535) head.writeBigUInt64BE(BigInt(size), 2)
  else if (size > 125) head.writeUInt16BE(size, 2)
  return Buffer.concat([head, payload])
}
