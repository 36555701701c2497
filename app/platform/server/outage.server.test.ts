import { expect, test } from 'vitest'
import { found, outagePage, unlessOutage } from './outage.server.ts'

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

test('a value that does not exist is the 404 page, a value that cannot be read is the 503 page with the form', () => {
  const form = new FormData()
  form.set('title', 'A title')
  const thrownFor = (value: 'none' | null) => {
    try {
      return found(value, form)
    } catch (thrown) {
      return thrown
    }
  }
  expect(thrownFor('none')).toMatchObject({ status: 404 })
  expect(thrownFor(null)).toMatchObject({ data: { typed: { title: 'A title' } }, init: { status: 503 } })
  expect(found(0)).toBe(0)
})
