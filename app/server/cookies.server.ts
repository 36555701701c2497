import { parseCookieHeader, serializeCookieHeader } from '@supabase/ssr'

type SerializeOptions = Parameters<typeof serializeCookieHeader>[2]

const longest = 3_800

/** The cookies of one request, and those its response will set: the last word on a name wins. */
export class CookieJar {
  readonly #values: Map<string, string>
  readonly #changes = new Map<string, string>()
  readonly #defaults: SerializeOptions

  constructor(request: Request, options: { secure: boolean }) {
    const pairs = parseCookieHeader(request.headers.get('Cookie') ?? '')
    this.#values = new Map(pairs.map(({ name, value }) => [name, value ?? '']))
    this.#defaults = { path: '/', httpOnly: true, sameSite: 'lax', secure: options.secure }
  }

  get(name: string): string | undefined {
    return this.#values.get(name)
  }

  all(): { name: string; value: string }[] {
    return [...this.#values].map(([name, value]) => ({ name, value }))
  }

  /** Later reads of this request see the new value. `maxAge` is in seconds. */
  set(name: string, value: string, options: { maxAge: number }): void {
    if (options.maxAge > 0) this.#values.set(name, value)
    else this.#values.delete(name)
    this.#changes.set(name, serializeCookieHeader(name, value, { ...this.#defaults, ...options }))
  }

  /** Does nothing where there is no such cookie. */
  expire(name: string): void {
    if (this.#values.has(name)) this.set(name, '', { maxAge: 0 })
  }

  /** Keeps a value as JSON. Browsers drop a cookie beyond 4 kB: false, and nothing kept, for what comes near. */
  setJson(name: string, value: unknown, options: { maxAge: number }): boolean {
    const text = encodeURIComponent(JSON.stringify(value))
    if (text.length > longest) return false
    this.set(name, text, options)
    return true
  }

  /** A value that `setJson` kept, or whatever somebody put in its place; undefined for what is no JSON. */
  getJson(name: string): unknown {
    try {
      return JSON.parse(decodeURIComponent(this.#values.get(name) ?? ''))
    } catch {
      return undefined
    }
  }

  /** Appends, never sets: a response may carry cookies already. */
  commit(headers: Headers): void {
    for (const cookie of this.#changes.values()) headers.append('Set-Cookie', cookie)
  }
}
