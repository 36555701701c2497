import type { AppLoadContext } from '@remix-run/cloudflare'
import { expect, test } from 'vitest'
import { createLog } from '../server/log.server.ts'
import { withFormBody } from './form-body.server.ts'

/** Sends 1 MB as the picture form. The bytes that the handler got (-1: no body), and those read. */
async function sendPicture(viewer: 'member' | 'visitor' | 'unreachable') {
  const part = new Uint8Array(64 * 1024)
  let [received, read] = [-1, 0]
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (read === 1024 * 1024) return controller.close()
      read += part.byteLength
      controller.enqueue(part)
    },
  })
  const url = new URL('https://goodblock.example/dashboard/picture')
  const headers = { 'Content-Type': 'multipart/form-data; boundary=x' }
  const request = new Request(url, { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
  const context = { url, log: createLog('a'), viewer: async () => ({ kind: viewer }) }
  const handle = withFormBody(async (_, __, found) => {
    received = found?.byteLength ?? -1
    return new Response()
  })
  await handle(request, context as unknown as AppLoadContext)
  return { received, read }
}

test("only a member's picture reaches the handler, but every body is read to the end, so that a browser shows the response", async () => {
  expect(await sendPicture('member')).toEqual({ received: 1024 * 1024, read: 1024 * 1024 })
  expect(await sendPicture('visitor')).toEqual({ received: 0, read: 1024 * 1024 })
  expect(await sendPicture('unreachable')).toEqual({ received: 0, read: 1024 * 1024 })
})
