import { createServer } from 'node:net'

/** Throws one clear line where something else listens on the port. */
export function assertFree(port: number, variable: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', () => reject(new Error(`Port ${port} is in use. Set ${variable} to another one.`)))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve()))
  })
}

/** A port of 127.0.0.1 that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
