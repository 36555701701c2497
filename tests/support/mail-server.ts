import { createServer, type Socket } from 'node:net'

interface Mail {
  to: string
  subject: string
  html: string
}

/** Accepts the mails of the auth service by SMTP (RFC 5321) on a free port of 127.0.0.1. */
export async function startMailServer(keep: (mail: Mail) => unknown) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    let received = ''
    let to = ''
    let isData = false
    const reply = (line: string) => socket.write(`${line}\r\n`)
    reply('220 mailbox')
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text
      for (;;) {
        const end = received.indexOf(isData ? '\r\n.\r\n' : '\r\n')
        if (end < 0) return
        const part = received.slice(0, end)
        received = received.slice(end + (isData ? 5 : 2))
        if (isData) {
          isData = false
          keep({ to, ...read(part) })
          reply('250 kept')
          continue
        }
        const [, recipient] = /^RCPT TO:<(.*)>/i.exec(part) ?? []
        if (recipient) to = recipient
        isData = /^DATA$/i.test(part)
        if (/^QUIT$/i.test(part)) socket.end('221 bye\r\n')
        else reply(isData ? '354 end with a dot' : '250 mailbox')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Reads a message whose only part is HTML. */
function read(message: string): Omit<Mail, 'to'> {
  const [head = '', ...rest] = message.split('\r\n\r\n')
  const headers = new Map(
    head
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
  )
  // RFC 5321, 4.5.2: a line that begins with a dot has a second one.
  const body = rest.join('\r\n\r\n').replace(/^\.\./gm, '.')
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase()
  const html = encoding === 'base64' ? Buffer.from(body, 'base64').toString() : decodeQuoted(body)
  return { subject: decodeWords(headers.get('subject') ?? ''), html }
}

/** Decodes quoted-printable (RFC 2045). */
function decodeQuoted(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([\dA-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

/** Decodes the encoded words of a header (RFC 2047). */
function decodeWords(text: string): string {
  return text
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?(.*?)\?=/gi, (_, kind: string, content: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(content, 'base64').toString()
        : decodeQuoted(content.replaceAll('_', ' ')),
    )
}
