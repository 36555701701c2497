import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

/** A megabyte that expands to a gigabyte: gzip of a thousand members, each a megabyte of spaces. */
const bomb = (() => {
  const member = gzipSync(Buffer.alloc(1024 * 1024, ' '))
  return Buffer.concat(Array.from({ length: 1024 }, () => member))
})()

/** Responses with which a server can harm a reader. Each of them ends too late or never. */
export const hostile: Record<string, Answer> = {
  hangs: () => {},
  'sends headers and hangs': (_, response) => response.writeHead(200).flushHeaders(),
  'streams without end': (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/xml' })
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, ' ')));
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  },
  'redirects in a loop': (request, response) =>
    response.writeHead(302, { Location: `${request.url}x` }).end(),
  'compresses a gigabyte into a megabyte': (_, response) =>
    response.writeHead(200, { 'Content-Type': 'application/xml', 'Content-Encoding': 'gzip' }).end(bomb),
  'ends early': (_, response) => {
    response.writeHead(200, { 'Content-Length': '5000' })
    response.write('<rss>')
    setTimeout(() => response.destroy(), 20)
  },
}

/**
 * Starts a server that takes the place of the statements' sources. `answers` has the response for each path;
 * the response for any other path is 404.
 */
export async function startFeedServer() {
  const answers = new Map<string, Answer>()
  const requests: { path: string; headers: IncomingMessage['headers'] }[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    requests.push({ path, headers: request.headers })
    const found = [...answers].find(([start]) => path.startsWith(start))
    if (found) found[1](request, response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}
