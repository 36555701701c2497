import { createLog } from '../server/log.server'
import { heartbeat, heartbeatResponse, kinds, networkHeader, type VersionMessage } from './protocol'
import type { LiveState } from './state'

/** Maximum number of open sockets. The platform allows 32,768 for each object. */
const maxSockets = 20_000
/** The maximum number of open sockets of a network (an IPv4 address, or an IPv6 /64), which an office may share. */
const maxSocketsOfNetwork = 200
/**
 * Limits for messages other than heartbeats. The page's script sends only heartbeats. The hub ignores the
 * first `maxMessages` messages of a socket. A further message, or a message over `maxMessageLength`
 * (characters or bytes), closes the socket.
 */
const maxMessages = 10
const maxMessageLength = 1_000
/** The milliseconds without a heartbeat after which the next comparison closes a socket. */
const maxSilence = 120_000
/**
 * For this number of milliseconds after a log line about refusals, further refusals are only counted, in the
 * next line.
 */
const logInterval = 1_000

/** Codes that a client's close frame may have but that `close` does not accept (RFC 6455, 7.4.1). */
const unsendable = [1005, 1006, 1015]

interface Stored {
  version: number
  state: LiveState | null
}

interface Attachment {
  openedAt: number
  messages: number
}

type Refusal = 'network' | 'total' | 'message'

/** The hub of a Durable Object, with the version that the object stored last. */
export async function createHub(context: DurableObjectState): Promise<Hub> {
  context.setWebSocketAutoResponse(new WebSocketRequestResponsePair(heartbeat, heartbeatResponse))
  return new Hub(context, (await context.storage.get<Stored>('current')) ?? { version: 0, state: null })
}

/**
 * Holds the sockets of all open pages and the version of the data that they show. Only the worker can call it
 * (hub-access.server.ts). It hibernates while it gets no calls or messages: sockets stay open, and the platform
 * responds to heartbeats.
 */
export class Hub {
  readonly #context: DurableObjectState
  #current: Stored
  /** The number of sockets that may still be opened before the hub counts them again. */
  #room = 0
  #refused: Partial<Record<Refusal, number>> = {}
  #loggedAt = 0

  constructor(context: DurableObjectState, current: Stored) {
    this.#context = context
    this.#current = current
  }

  /**
   * Opens a socket for the client of an upgrade request. A POST with a state compares it with the last one. The response
   * to it, and to every other request, is the version.
   */
  async fetch(request: Request): Promise<Response> {
    if (request.headers.has('Upgrade')) return this.#open(request.headers.get(networkHeader) ?? '')
    if (request.method === 'POST') await this.#compare(await request.json())
    return new Response(`${this.#current.version}`)
  }

  /** Compares `state` with the last state, and notifies every socket if they differ. */
  async #compare(state: LiveState): Promise<void> {
    const sockets = this.#context.getWebSockets()
    this.#closeSilent(sockets)
    this.#logRefused()
    const { version, state: former } = this.#current
    const changed = kinds.filter((kind) => state[kind] !== former?.[kind])
    if (changed.length === 0) return
    // The version is a time, so that versions increase even if the object's storage was lost.
    this.#current = { version: Math.max(Date.now(), version + 1), state }
    await this.#context.storage.put('current', this.#current)
    this.#notify(sockets, changed)
  }

  webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    const length = typeof message === 'string' ? message.length : message.byteLength
    const { openedAt, messages } = socket.deserializeAttachment() as Attachment
    if (length <= maxMessageLength && messages < maxMessages) {
      socket.serializeAttachment({ openedAt, messages: messages + 1 } satisfies Attachment)
      return
    }
    this.#count('message')
    socket.close(length > maxMessageLength ? 1009 : 1008)
  }

  /** Sends a close frame with a valid code; without one, a browser stays 'disconnecting' until a timeout. */
  webSocketClose(socket: WebSocket, code: number): void {
    socket.close(unsendable.includes(code) ? 1000 : code)
  }

  #open(network: string): Response {
    if (this.#room <= 0) this.#room = maxSockets - this.#context.getWebSockets().length
    if (this.#room <= 0) return this.#refuse('total', 503)
    const tag = `network:${network}`
    if (this.#context.getWebSockets(tag).length >= maxSocketsOfNetwork) return this.#refuse('network', 429)
    this.#room -= 1
    const { 0: client, 1: server } = new WebSocketPair()
    this.#context.acceptWebSocket(server, [tag])
    server.serializeAttachment({ openedAt: Date.now(), messages: 0 } satisfies Attachment)
    server.send(JSON.stringify({ version: this.#current.version, changed: [] } satisfies VersionMessage))
    return new Response(null, { status: 101, webSocket: client } as ResponseInit)
  }

  #refuse(why: Refusal, status: number): Response {
    this.#count(why)
    return new Response(null, { status, headers: { 'Retry-After': '60' } })
  }

  #notify(sockets: WebSocket[], changed: VersionMessage['changed']): void {
    const message = JSON.stringify({ version: this.#current.version, changed } satisfies VersionMessage)
    const startedAt = Date.now()
    for (const socket of sockets) {
      try {
        socket.send(message)
      } catch {
        // The socket has closed in the meantime.
      }
    }
    if (sockets.length > 0)
      this.#log('info', 'live.changed', { changed, sockets: sockets.length, ms: Date.now() - startedAt })
  }

  #closeSilent(sockets: WebSocket[]): void {
    const now = Date.now()
    for (const socket of sockets) {
      const heardAt =
        this.#context.getWebSocketAutoResponseTimestamp(socket)?.getTime() ??
        (socket.deserializeAttachment() as Attachment).openedAt
      if (now - heardAt > maxSilence) socket.close(1001)
    }
  }

  #count(why: Refusal): void {
    this.#refused[why] = (this.#refused[why] ?? 0) + 1
    if (Date.now() - this.#loggedAt >= logInterval) this.#logRefused()
  }

  #logRefused(): void {
    if (Object.keys(this.#refused).length === 0) return
    this.#log('warn', 'live.refused', this.#refused)
    this.#refused = {}
    this.#loggedAt = Date.now()
  }

  #log(level: 'info' | 'warn', event: string, fields: Record<string, unknown>): void {
    createLog(crypto.randomUUID())[level](event, fields)
  }
}
