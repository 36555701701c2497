/** Maximum length of a cookie with name and attributes: browsers may drop longer ones (RFC 6265, 6.1). */
const maxLineLength = 4_096

/**
 * A browser accepts a cookie with this prefix only from the host itself, over https and for all paths. No
 * subdomain can set it.
 */
const hostPrefix = '__Host-'

/**
 * The cookies of one request, and the cookies that its response sets. On https, only cookies with the
 * `__Host-` prefix are read and set. Callers name cookies without the prefix.
 */
export class CookieJar {
  readonly #prefix: string
  readonly #values = new Map<string, string>()
  readonly #duplicates = new Set<string>()
  readonly #changes = new Map<string, string>()
  readonly #attributes: string

  /** `header` is the Cookie header of the request. */
  constructor(header: string, options: { secure: boolean }) {
    this.#prefix = options.secure ? hostPrefix : ''
    this.#attributes = `Path=/; HttpOnly; ${options.secure ? 'Secure; ' : ''}SameSite=Lax`
    for (const pair of header.split(';')) {
      const end = pair.indexOf('=')
      if (end === -1) continue
      const sentName = withoutSpaces(pair.slice(0, end))
      if (!sentName.startsWith(this.#prefix)) continue
      const name = sentName.slice(this.#prefix.length)
      if (this.#values.has(name)) this.#duplicates.add(name)
      else this.#values.set(name, decode(withoutSpaces(pair.slice(end + 1))))
    }
  }

  /**
   * The value of a cookie. There is none if the request has the name twice, because the order does not show
   * which cookie is ours.
   */
  get(name: string): string | undefined {
    return this.#duplicates.has(name) ? undefined : this.#values.get(name)
  }

  /** True if the request has two cookies of this name. */
  isDuplicate(name: string): boolean {
    return this.#duplicates.has(name)
  }

  /** All cookies by name. For two cookies with the same name, only the first. */
  all(): { name: string; value: string }[] {
    return [...this.#values].map(([name, value]) => ({ name, value }))
  }

  /**
   * Sets a cookie. Later reads return its value, unless the request has the name twice. `maxAge`: in seconds;
   * 0 removes the cookie.
   */
  set(name: string, value: string, options: { maxAge: number }): void {
    this.#change(name, value, this.#line(name, value, options), options)
  }

  /**
   * Expires a cookie of the request. Does nothing for a name that the request contains twice, because the
   * browser would keep the other cookie, which may come from another host.
   */
  expire(name: string): void {
    if (this.#values.has(name) && !this.#duplicates.has(name)) this.set(name, '', { maxAge: 0 })
  }

  /** Sets a cookie to a JSON value. Returns false, and sets no cookie, if it is so long that browsers may drop it. */
  setJson(name: string, value: unknown, options: { maxAge: number }): boolean {
    const text = JSON.stringify(value)
    const line = this.#line(name, text, options)
    if (line.length > maxLineLength) return false
    this.#change(name, text, line, options)
    return true
  }

  /** Parses a cookie's JSON, which the client may have changed. Undefined if missing or not JSON. */
  getJson(name: string): unknown {
    try {
      return JSON.parse(this.get(name) ?? '')
    } catch {
      return undefined
    }
  }

  /**
   * The Set-Cookie lines of the changes since the last call, which the caller appends to a response. The
   * lines that expire a cookie are last: curl 7.88 reads an expired cookie from its jar again if a later line
   * sets another cookie.
   */
  commit(): string[] {
    const expires = (line: string) => Number(line.includes('; Max-Age=0;'))
    const lines = [...this.#changes.values()].sort((one, other) => expires(one) - expires(other))
    this.#changes.clear()
    return lines
  }

  #change(name: string, value: string, line: string, { maxAge }: { maxAge: number }): void {
    if (maxAge > 0) this.#values.set(name, value)
    else this.#values.delete(name)
    this.#changes.set(name, line)
  }

  /** The line of a Set-Cookie header, in ASCII. Encodes the value. Our names are tokens (RFC 6265, 4.1.1). */
  #line(name: string, value: string, { maxAge }: { maxAge: number }): string {
    return `${this.#prefix}${name}=${encodeURIComponent(value)}; Max-Age=${maxAge}; ${this.#attributes}`
  }
}

/** The value of a cookie without its URI encoding. A value that is not URI-encoded stays the same. */
function decode(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/**
 * The text without spaces and tabs at its ends (RFC 6265, 5.2). `trim` would remove other characters too,
 * which another host may add to one of our names. A regular expression could need cubic time.
 */
function withoutSpaces(text: string): string {
  const isSpace = (at: number) => text[at] === ' ' || text[at] === '\t'
  let start = 0
  let end = text.length
  while (isSpace(start)) start++
  while (end > start && isSpace(end - 1)) end--
  return text.slice(start, end)
}
