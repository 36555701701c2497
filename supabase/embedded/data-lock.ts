import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const SQLITE_BUSY = 5

/**
 * Takes the data folder for this process and returns the release. Throws one clear line when another
 * process has it: two processes on one PGlite folder both acknowledge writes, and one's are lost.
 *
 * The lock is SQLite's exclusive lock on an empty file, which the kernel drops with the process. A pid in a
 * file would have to be told from a reused one after a kill -9, and taken over without a race.
 */
export function lockDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true })
  const lock = new DatabaseSync(join(dataDir, 'lock'))
  try {
    lock.exec('pragma journal_mode = off; begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    throw new Error(`Data folder ${dataDir} is in use by another process`)
  }
  return () => lock.close()
}
