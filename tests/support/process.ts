import { spawn } from 'node:child_process'

export interface Finished {
  succeeded: boolean
  /** The output of the process: both streams, in the order of arrival. */
  output: string
}

/** Runs a command and collects its output. With `echo` the output is also printed as it arrives. */
export function run(
  [command, ...args]: [string, ...string[]],
  { echo = true, env = {} }: { echo?: boolean; env?: Record<string, string> } = {},
): Promise<Finished> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (echo) process.stdout.write(text)
    })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ succeeded: code === 0, output }))
  })
}
