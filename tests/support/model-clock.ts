import { vi } from 'vitest'
import type { TemporaryBackend } from './temporary-backend.ts'

type Sql = TemporaryBackend['sql']

/**
 * A clock that the database and this process share: `now()` of the database is what it says, and `Date` too. It moves only by
 * `pass`, so that a test plays months in seconds, and each entry of the log has the time of its step.
 */
export class ModelClock {
  #now: number
  readonly #sql: Sql

  private constructor(sql: Sql, now: number) {
    this.#sql = sql
    this.#now = now
  }

  /** Replaces `now()` of a database that no other test uses. */
  static async start({ sql }: TemporaryBackend, at: string): Promise<ModelClock> {
    for (const command of [
      'create schema clock',
      'grant usage on schema clock to public',
      'create table clock.hands (at timestamptz not null)',
      'grant select on clock.hands to public',
      'insert into clock.hands values (transaction_timestamp())',
      'create function clock.at() returns timestamptz language plpgsql stable as $$ begin return (select at from clock.hands); end $$',
      // Calls of functions in SQL are inlined, so the body of this one counts, although the name is that of a function in C.
      'create or replace function pg_catalog.now() returns timestamptz language sql stable as $$ select clock.at() $$',
      'create or replace function pg_catalog.clock_timestamp() returns timestamptz language sql volatile as $$ select clock.at() $$',
    ])
      await sql(command)
    const clock = new ModelClock(sql, Date.parse(at))
    await clock.set(Date.parse(at))
    return clock
  }

  /** Milliseconds since 1970. */
  get now(): number {
    return this.#now
  }

  async set(at: number): Promise<void> {
    this.#now = at
    await this.#sql('update clock.hands set at = $1', [new Date(at).toISOString()])
    this.skew(0)
  }

  pass(seconds: number): Promise<void> {
    return this.set(this.#now + seconds * 1000)
  }

  /** Lets the clock of this process, which is that of the worker, differ. */
  skew(seconds: number): void {
    vi.useFakeTimers({ now: this.#now + seconds * 1000, toFake: ['Date'] })
  }
}
