import { accessSync, constants, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'

/** Linux's file system in memory. */
const inMemory = '/dev/shm'
/** The temporary files of a run take less than 1 GB at any time. */
const needed = 2 ** 31

/**
 * Makes this process, and those that it starts, keep their temporary files in memory if the machine has room
 * for them. A database is then created with a tenth of the processor time, because it has hundreds of files.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env.TMPDIR || tmpdir() !== '/tmp' || freemem() < 2 * needed) return
  try {
    accessSync(inMemory, constants.W_OK)
    const { bavail, bsize } = statfsSync(inMemory)
    if (bavail * bsize >= needed) process.env.TMPDIR = inMemory
  } catch {
    // This system has no such folder.
  }
}
