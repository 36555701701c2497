import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { node } from './child.ts'

const program = fileURLToPath(new URL('../../scripts/witness.ts', import.meta.url))

/** Runs scripts/witness.ts on a free port. `logs`: verifier keys, some followed by a URL to watch. */
export function spawnWitness(folder: string, logs: string[], name = 'witness.example/w1', every = 60) {
  const given = logs.flatMap((log) => ['--log', log])
  const child = spawn(node, [
    ...[program, '--name', name, '--data', folder, '--port', '0', '--every', `${every}`],
    ...given,
  ])
  let output = ''
  const exited = new Promise((resolve) => child.once('close', resolve))
  const ready = new Promise<{ url: string; vkey: string }>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part) => {
        output += part
        const vkey = /^verifier key (\S+)$/m.exec(output)?.[1]
        const url = /^ready (\S+)$/m.exec(output)?.[1]
        if (vkey && url) resolve({ vkey, url })
      })
    exited.then(() => reject(new Error(output)))
  })
  ready.catch(() => {})
  return {
    ready,
    exited,
    output: () => output,
    kill: async (signal: NodeJS.Signals = 'SIGKILL') => {
      child.kill(signal)
      await exited
    },
  }
}

/** Starts a server that takes the place of a witness. `answer` gets the body of each request. */
export async function startFakeWitness(
  answer: (body: string, response: ServerResponse, request: IncomingMessage) => unknown,
) {
  const state = { answer }
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    requests.push(body)
    await state.answer(body, response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answerWith: (next: typeof answer) => {
      state.answer = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}
