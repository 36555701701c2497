import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Keys } from '../../supabase/embedded/keys.ts'
import { shortLived } from './short-lived.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export const node = join(root, 'node_modules/.bin/node')
export const embedded = join(root, 'supabase/embedded/embedded.ts')

/** Runs supabase/embedded/embedded.ts on the folder and on free ports; `prefix`: a command before it. */
export function spawnEmbedded(dataDir: string, env: Record<string, string> = {}, prefix: string[] = []) {
  const [program = node, ...args] = [...prefix, node, ...shortLived, embedded]
  const child = spawn(program, args, {
    env: { ...process.env, DATA_DIR: dataDir, SUPABASE_PORT: '0', MAIL_PORT: '0', ...env },
  })
  let output = ''
  const exited = new Promise<number | string | null>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal))
  })
  const ready = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
        const url = /^ready (\S+)$/m.exec(output)?.[1]
        if (url) resolve(url)
      })
    }
    exited.then(() => reject(new Error(output)))
  })
  ready.catch(() => {})
  return {
    ready,
    exited,
    pid: child.pid ?? 0,
    output: () => output,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
  }
}

export function readKeys(dataDir: string): Keys {
  return JSON.parse(readFileSync(join(dataDir, 'keys.json'), 'utf8'))
}
