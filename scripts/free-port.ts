import { createServer } from 'node:net'
import { portError } from '../supabase/embedded/http.ts'

/**
 * Throws an error for the operator if the port cannot be used, for example because another program uses the
 * port. `advice` says how to choose another port.
 */
export function assertFree(port: number, variable: string, advice?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => reject(portError(error, port, variable, advice)))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve()))
  })
}

/** A free port of 127.0.0.1. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
