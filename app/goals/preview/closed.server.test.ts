import { expect, test, vi } from 'vitest'
import { refuseWhileClosed } from './closed.server.ts'

test('refuses every form while FundMe is closed, without reading the body', () => {
  const warn = vi.fn()
  const request = new Request('http://site.test/giveback', { method: 'POST', body: 'title=x' })
  const answer = refuseWhileClosed({ request, params: {}, context: { log: { warn } } as never })
  expect(answer.init).toEqual({ status: 403 })
  expect(request.bodyUsed).toBe(false)
  expect(warn).toHaveBeenCalledWith('fundme.closed', { method: 'POST' })
})
