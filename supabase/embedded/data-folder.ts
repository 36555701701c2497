import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { brand } from '../../app/platform/site.ts'

const sqliteBusy = 5

/** The entries that this project creates in the folder, and `lost+found` of an ext4 volume's root. */
const own = new Set(['lock', 'keys.json', 'keys.json.new', 'pg', 'pg.unfinished', 'files', 'lost+found'])

/**
 * Creates the data folder if necessary, closes it to other users (it contains password hashes and keys), and locks it
 * for this process. Returns the function that releases the lock. Throws an error for the operator if one of these steps
 * fails, or if the folder contains files of another program.
 */
export function openDataFolder(path: string): () => void {
  try {
    makeFolder(path)
    refuseForeignFolder(path)
    chmodSync(path, 0o700)
    return lock(path)
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException
    if (!syscall) throw error
    throw new Error(`DATA_DIR: the folder ${path} cannot be used (${code ?? message})`)
  }
}

/**
 * Creates a folder and its parents. Node's recursive mkdir is not used, because it never returns if a parent
 * such as /proc refuses new entries with ENOENT.
 */
function makeFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  if (found) throw new Error(`DATA_DIR: ${path} is not a folder`)
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have created the folder in the meantime.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/** A mistyped DATA_DIR must not close /tmp or a home folder to its users. */
function refuseForeignFolder(path: string): void {
  const entries = readdirSync(path).filter((name) => !name.startsWith('.'))
  if (existsSync(join(path, 'keys.json')) || entries.every((name) => own.has(name))) return
  throw new Error(
    `DATA_DIR: the folder ${path} holds other files; name an empty folder or one that this project made`,
  )
}

/**
 * Two processes on one PGlite folder would both acknowledge writes, and the writes of one of them would be
 * lost. The lock is SQLite's exclusive lock on an empty file: the kernel releases it when the process ends. A
 * file with a process id is not enough, because a different process may get the same id after a SIGKILL.
 */
function lock(path: string): () => void {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(join(path, 'lock'))
    // Otherwise a SIGKILL would leave a journal on disk. Node's SQLite silently ignores journal_mode = off.
    database.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    database?.close()
    const { errcode, errstr } = error as { errcode?: number; errstr?: string }
    if (errcode === sqliteBusy)
      throw new Error(`${brand} is already running with ${path}. Stop it first, or set DATA_DIR.`)
    throw new Error(`DATA_DIR: the folder ${path} cannot be locked (${errstr ?? (error as Error).message})`)
  }
  const held = database
  return () => held.close()
}
