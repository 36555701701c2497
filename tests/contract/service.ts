import { secretsRemoved } from './redaction.ts'

/** An auth service to record or to compare with a recording, and the mailbox that receives its emails. */
export interface Service {
  url: string
  publishableKey: string
  /** The URL of the mailbox of the embedded backend, or of Mailpit. */
  mailUrl: string
  siteUrl: string
  /** Whether an email address must be confirmed before its owner can sign in. */
  confirmations: boolean
}

/** One call and its response, in which the names of kinds replace secrets, ids and times. */
export interface Exchange {
  call: string
  request: string
  status: number
  headers: Record<string, string>
  body: unknown
}

export interface Reply {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a scenario reads any field of a response
  body: any
}

export interface CallOptions {
  body?: unknown
  token?: string
  headers?: Record<string, string>
}

/** The headers that the site or its client library reads, or that determine the shape of a body. */
const comparedHeaders = [
  'content-type',
  'x-sb-error-code',
  'x-supabase-api-version',
  'retry-after',
  'location',
]

/** The version header that auth-js sends with each call. */
const apiVersion = { 'X-Supabase-Api-Version': '2024-01-01' }

/** Makes calls as the site's client library does, and records each exchange. */
export class Recorder {
  readonly exchanges: Exchange[] = []
  readonly service: Service
  readonly #names = new Map<string, string>()
  /** The start of the last call, in milliseconds. */
  #calledAt = 0

  constructor(service: Service) {
    this.service = service
  }

  /** Replaces `value` with `<name>` wherever it is recorded. */
  hide(value: string, name: string): string {
    this.#names.set(value, `<${name}>`)
    return value
  }

  async call(name: string, method: string, path: string, options: CallOptions = {}): Promise<Reply> {
    const reply = await this.send(method, path, options)
    this.#record(name, method, path, reply)
    return reply
  }

  /**
   * Requests an email within a second after the last call, which also sent an email, and records the
   * rejection. On a busy machine the request may be late and cause another email; then the request is
   * repeated, at most 20 times. Returns the number of these late emails.
   */
  async callAtOnce(name: string, method: string, path: string, options: CallOptions): Promise<number> {
    for (let late = 0; ; late++) {
      const before = this.#calledAt
      const reply = await this.send(method, path, options)
      const isLate = reply.status === 200 && Date.now() - before >= 1_000
      if (isLate && late < 20) continue
      this.#record(name, method, path, reply)
      return late
    }
  }

  #record(name: string, method: string, path: string, reply: Reply): void {
    const headers = Object.fromEntries(
      comparedHeaders.flatMap((header) => {
        const value = reply.headers.get(header)
        return value === null ? [] : [[header, value]]
      }),
    )
    const request = path
      .replace(/[\da-f]{8}-[\da-f-]{27}/g, '<uuid>')
      .replace(/(?<=token=)[\w-]+/, '<token>')
      .replace(encodeURIComponent(this.service.siteUrl), '<site>')
    this.exchanges.push({
      call: name,
      request: `${method} ${request}`,
      status: reply.status,
      ...(secretsRemoved({ headers, body: reply.body ?? null }, this.#names) as Pick<
        Exchange,
        'headers' | 'body'
      >),
    })
  }

  /** Makes a call without recording it. */
  async send(method: string, path: string, options: CallOptions = {}): Promise<Reply> {
    const { url, publishableKey } = this.service
    this.#calledAt = Date.now()
    const response = await fetch(`${url}/auth/v1${path}`, {
      method,
      redirect: 'manual',
      headers: {
        apikey: publishableKey,
        Authorization: `Bearer ${options.token ?? publishableKey}`,
        ...(options.body !== undefined && { 'Content-Type': 'application/json;charset=UTF-8' }),
        ...apiVersion,
        ...options.headers,
      },
      ...(options.body !== undefined && {
        body: typeof options.body === 'string' ? options.body : JSON.stringify(options.body),
      }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text ? JSON.parse(text) : text,
    }
  }
}
