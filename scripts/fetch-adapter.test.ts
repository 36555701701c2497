import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { sendResponse } from './fetch-adapter.ts'

test('a body that breaks off ends only its own response', async () => {
  let parts = 0
  const brokenBody = () =>
    new ReadableStream({
      pull(controller) {
        if (parts++ === 0) controller.enqueue(new TextEncoder().encode('the first part'))
        else controller.error(new Error('a later part cannot be read'))
      },
    })
  const server = createServer((incoming, outgoing) =>
    sendResponse(new Response(incoming.url === '/whole' ? 'whole' : brokenBody()), outgoing),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(fetch(url).then((response) => response.text())).rejects.toThrow()
  expect(await (await fetch(`${url}/whole`)).text()).toBe('whole')
  server.close()
})
