/**
 * `npm run witness -- …`: watches logs and cosigns their checkpoints (C2SP tlog-witness), for this site or
 * any other log that serves tlog-tiles. The command needs no backend and no build.
 */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { witnessKeyOf } from '../app/log/cosignature.ts'
import { parseVerifierKey } from '../app/log/note.ts'
import { type WatchedLog, Witness } from './witness-log.ts'
import { WitnessStore } from './witness-store.ts'

const help = `npm run witness -- --name NAME --log '<verifier key> <URL>' …

--name NAME     the name in the cosignatures: a domain of yours, and a path
--log LOG       the verifier key of a log, and the URL that its checkpoint is below, such as
                https://goodblock.example/transparency/log. Without the URL, the log is not watched. May be repeated.
--data FOLDER   the key and the checkpoints that were seen (default: .witness). Never restore it from a backup.
--port PORT     where add-checkpoint is answered, on 127.0.0.1 (default: 7380; 0: a free port)
--every SECONDS how often the logs are read (default: 60)

It prints its verifier key. Put it behind a web server with https, and send the key and the URL to the operators of the logs.`

const options = {
  name: { type: 'string' },
  log: { type: 'string', multiple: true },
  data: { type: 'string', default: '.witness' },
  port: { type: 'string', default: '7380' },
  every: { type: 'string', default: '60' },
  help: { type: 'boolean', short: 'h' },
} as const

/** A request contains at most 63 hashes of 45 bytes and a note. */
const longestRequest = 64 * 1024

async function start(): Promise<void> {
  const { values } = parseArgs({ options })
  const { name, data } = values
  if (values.help) return console.log(help)
  const [port, seconds] = [values.port, values.every].map((text) =>
    /^\d{1,5}$/.test(text) ? Number(text) : null,
  )
  if (!name || !/^[^\s+]{1,200}$/.test(name) || !values.log || port == null || !seconds)
    throw new Error('Give --name and --log. See npm run witness -- --help')
  const logs = await Promise.all(values.log.map(readLog))
  const store = new WitnessStore(data)
  const key = { name, privateKey: store.key() }
  const witness = new Witness(logs, store, key, (line) => console.log(`${new Date().toISOString()} ${line}`))

  const server = createServer(async (request, response) => {
    const failed: Reply = { status: 500, text: 'Something went wrong.\n' }
    const {
      status,
      text,
      type = 'text/plain; charset=utf-8',
    } = await respond(witness, request).catch(() => failed)
    response.writeHead(status, { 'Content-Type': type }).end(text)
  })
  server.requestTimeout = 10_000
  server.listen(port, '127.0.0.1', async () => {
    const address = server.address()
    console.log(`verifier key ${await witnessKeyOf(key)}`)
    console.log(`ready http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`)
  })
  for (;;) {
    await witness.watch()
    await sleep(seconds * 1000)
  }
}

async function readLog(text: string): Promise<WatchedLog> {
  const [vkey = '', url = ''] = text.trim().split(/\s+/)
  if (url && !/^https?:\/\/\S+$/.test(url)) throw new Error(`--log: ${url} is not a URL.`)
  return { key: await parseVerifierKey(vkey), url: url.replace(/\/$/, '') || null }
}

interface Reply {
  status: number
  text: string
  type?: string
}

async function respond(witness: Witness, request: IncomingMessage): Promise<Reply> {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname
  if (path === '/add-checkpoint') {
    if (request.method !== 'POST') return { status: 405, text: 'Use POST.\n' }
    const parts: Buffer[] = []
    let length = 0
    for await (const part of request) {
      length += part.length
      if (length > longestRequest) return { status: 413, text: 'The request is too long.\n' }
      parts.push(part)
    }
    const { status, text, isSize } = await witness.addCheckpoint(
      Buffer.concat(parts).toString(),
      request.socket.remoteAddress,
    )
    return { status, text, ...(isSize && { type: 'text/x.tlog.size' }) }
  }
  // The path that tlog-witness defines under 'Monitor Retrieval Mechanism'.
  const hash = /^\/([0-9a-f]{64})\/checkpoint$/.exec(path)?.[1]
  const origin = witness.origins.find((one) => createHash('sha256').update(one).digest('hex') === hash)
  const note = origin === undefined ? null : await witness.cosigned(origin)
  return note ? { status: 200, text: note } : { status: 404, text: 'Not found.\n' }
}

try {
  await start()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
