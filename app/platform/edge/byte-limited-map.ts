/** A map with a limit in bytes. It evicts the least recently used entries. */
export class ByteLimitedMap<T> {
  readonly #limit: number
  readonly #entries = new Map<string, { value: T; bytes: number }>()
  #bytes = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Does not store an entry that is larger than a quarter of the limit. */
  set(key: string, value: T, bytes: number): void {
    this.#delete(key)
    if (bytes > this.#limit / 4) return
    this.#entries.set(key, { value, bytes })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#limit) return
      this.#delete(oldest)
    }
  }

  #delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }
}
