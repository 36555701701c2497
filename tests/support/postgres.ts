/** Starts PostgreSQL from the machine's packages, for the tests that run on a server and not on PGlite. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { freePort } from '../../scripts/free-port.ts'

const installations = '/usr/lib/postgresql'

/** The folder with PostgreSQL's programs (Debian's newest), or null if it is not installed. */
export function postgresPrograms(): string | null {
  if (!existsSync(installations)) return null
  const versions = readdirSync(installations).sort((a, b) => Number(b) - Number(a))
  const folders = versions.map((version) => join(installations, version, 'bin'))
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null
}

/**
 * The command of a program of PostgreSQL. PostgreSQL refuses to run as root, so root runs the program as the user
 * `postgres`, which Debian's package creates.
 */
function commandOf(program: string, ...args: string[]): [string, ...string[]] {
  const isRoot = process.getuid?.() === 0
  return isRoot ? ['runuser', '-u', 'postgres', '--', program, ...args] : [program, ...args]
}

function run(program: string, ...args: string[]): void {
  const [command, ...others] = commandOf(program, ...args)
  const { status, stderr } = spawnSync(command, others, {
    encoding: 'utf8',
    // The server would inherit streams that are not ignored, and keep the output of the tests open.
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: '/',
  })
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
}

interface Cluster {
  /** The URL of the database `postgres`, as the superuser. */
  url: string
  stop(): Promise<void>
}

/**
 * Starts an empty cluster on a free port of 127.0.0.1. `stop` stops it and removes its folder; so does the end of this
 * process, even if it is killed.
 */
export async function startCluster(): Promise<Cluster> {
  const programs = postgresPrograms()
  if (!programs) throw new Error('PostgreSQL is not installed (apt-get install postgresql)')
  const folder = mkdtempSync(join(tmpdir(), 'goodblock-postgres-'))
  // The user of the server must be able to create the data folder inside this folder.
  chmodSync(folder, 0o777)
  const data = join(folder, 'data')
  const port = await freePort()
  run(join(programs, 'initdb'), '-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C')
  const settings = [
    `-p ${port}`,
    '-h 127.0.0.1',
    `-k ${folder}`,
    '-c fsync=off',
    '-c full_page_writes=off',
    '-c max_connections=200',
    // The cluster may be in memory (memory.ts).
    '-c max_wal_size=256MB',
  ]
  run(
    join(programs, 'pg_ctl'),
    '-D',
    data,
    '-l',
    join(folder, 'log'),
    '-w',
    '-o',
    settings.join(' '),
    'start',
  )
  // Waits until the pipe from this process is closed.
  const stopping = commandOf(join(programs, 'pg_ctl'), '-D', data, '-m', 'immediate', '-w', 'stop')
  const guard = spawn('sh', ['-c', 'read -r _; "$@"; rm -rf "$0"', folder, ...stopping], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  })
  guard.unref()
  ;(guard.stdin as Socket).unref()
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      const stopped = once(guard, 'exit')
      guard.ref()
      guard.stdin.end()
      await stopped
    },
  }
}

let databases = 0

/** Creates a database in the cluster at the URL: an empty one, or a copy of the database `template`. */
export async function createDatabase(clusterUrl: string, template = 'template1') {
  const name = `test_${process.pid}_${++databases}`
  await onCluster(clusterUrl, (sql) => sql.unsafe(`create database ${name} template ${template}`))
  const drop = () => onCluster(clusterUrl, (sql) => sql.unsafe(`drop database ${name} with (force)`))
  return { url: urlOf(clusterUrl, name), drop }
}

/** The URL of a database of the cluster. */
export function urlOf(clusterUrl: string, database: string): string {
  const url = new URL(clusterUrl)
  url.pathname = `/${database}`
  return url.href
}

/** Does something on a connection to the database `postgres` of the cluster. */
export async function onCluster(
  clusterUrl: string,
  work: (sql: postgres.Sql) => Promise<unknown>,
): Promise<void> {
  const sql = postgres(clusterUrl, { max: 1, onnotice: () => {} })
  try {
    await work(sql)
  } finally {
    await sql.end()
  }
}
