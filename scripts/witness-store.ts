import { generateKeyPairSync } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The newest checkpoint of a log that this witness has checked. */
export interface Known {
  size: number
  /** In base64. */
  root: string
  /** The signed note of the log. */
  note: string
}

/** Maximum number of stored pairs of notes for each log. One pair is proof enough. */
const mostForks = 100

/**
 * The stored data of a witness, in a folder: its key, and the newest checkpoint of each log. SQLite writes a
 * change to disk completely or not at all before `advance` returns, and locks the file for this process.
 */
export class WitnessStore {
  readonly #database: DatabaseSync
  readonly #folder: string

  /** Throws an Error for the operator if the folder cannot be used, or if another process uses it. */
  constructor(folder: string) {
    this.#folder = folder
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, 0o700)
    this.#database = new DatabaseSync(join(folder, 'witness.sqlite'))
    try {
      this.#database.exec(`
        pragma locking_mode = exclusive;
        pragma journal_mode = delete;
        pragma synchronous = extra;
        begin exclusive;
        create table if not exists logs (origin text primary key, size integer not null, root text not null, note text not null) strict;
        create table if not exists forks (noticed_at text not null, origin text not null, kept text not null, seen text not null) strict;
        commit;`)
    } catch (error) {
      throw new Error(
        `The folder ${folder} cannot be used: ${(error as Error).message}. Is another witness running?`,
      )
    }
  }

  /** Returns the private key (Ed25519, PKCS #8 DER in base64). The first call creates the key. */
  key(): string {
    const file = join(this.#folder, 'key')
    try {
      return readFileSync(file, 'utf8').trim()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
    const key = generateKeyPairSync('ed25519')
      .privateKey.export({ format: 'der', type: 'pkcs8' })
      .toString('base64')
    rmSync(`${file}.new`, { force: true })
    const written = openSync(`${file}.new`, 'wx', 0o600)
    writeSync(written, `${key}\n`)
    fsyncSync(written)
    closeSync(written)
    renameSync(`${file}.new`, file)
    return key
  }

  known(origin: string): Known | null {
    const row = this.#database.prepare('select size, root, note from logs where origin = ?').get(origin)
    return (row as unknown as Known | undefined) ?? null
  }

  /** Replaces a log's checkpoint. False if the stored one does not have `from` entries (0: none stored). */
  advance(origin: string, from: number, { size, root, note }: Known): boolean {
    const { changes } =
      from === 0
        ? this.#database
            .prepare('insert into logs (origin, size, root, note) values (?, ?, ?, ?) on conflict do nothing')
            .run(origin, size, root, note)
        : this.#database
            .prepare('update logs set size = ?, root = ?, note = ? where origin = ? and size = ?')
            .run(size, root, note, origin, from)
    return changes === 1
  }

  /** Stores two contradictory notes of a log. Returns false if they are stored already, or 100 pairs are. */
  keepFork(origin: string, kept: string, seen: string): boolean {
    const { changes } = this.#database
      .prepare(
        `insert into forks (noticed_at, origin, kept, seen) select $now, $origin, $kept, $seen
        where not exists (select 1 from forks where origin = $origin and kept = $kept and seen = $seen)
          and (select count(*) from forks where origin = $origin) < ${mostForks}`,
      )
      .run({ $now: new Date().toISOString(), $origin: origin, $kept: kept, $seen: seen })
    return changes === 1
  }

  close(): void {
    this.#database.close()
  }
}
