import { expect, test } from 'vitest'
import { outagePage, unlessOutage } from './outage.server.ts'

const done = new Response('done')
const failed = new Response('failed', { status: 503 })
const run = (work: () => Promise<Response>) => unlessOutage(work, () => failed)

test('the response from `work` is returned', async () => {
  expect(await run(async () => done)).toBe(done)
})

test('if a session cannot be verified, the response from the route is returned', async () => {
  const work = async () => {
    throw outagePage()
  }
  expect(await run(work)).toBe(failed)
})

test.each([
  ['a redirect', Response.redirect('https://site.example/auth', 303)],
  ['an error', new Error('a fault of the code')],
])('%s is rethrown', async (_, thrown) => {
  const work = async () => {
    throw thrown
  }
  await expect(run(work)).rejects.toBe(thrown)
})
