import { expect, test } from 'vitest'
import { cachedPagesOf, declaredPages } from '../../../scripts/vite/pages.ts'
import type { PageDeclaration } from '../rendering/handle'
import { canonicalPath, createCacheAddress } from './cache-address'

const pages: PageDeclaration[] = ['/voting', '/voting/:pool', '/log/tile/*', '/robots.txt'].map(
  (pattern) => ({ pattern, cached: ['before'] }),
)
const cacheAddress = createCacheAddress(pages)
const addressOf = (path: string) => cacheAddress(new URL(`http://site${path}`))?.address ?? null

test.each([
  ['/voting', '/voting'],
  ['/robots.txt', '/robots.txt'],
  ['/voting/education', '/voting/education'],
  ['/voting?before=a&utm=b', '/voting?before=a'],
])('the cache key of %s is %s', (path, address) => {
  expect(addressOf(path)).toBe(address)
})

test.each(['/voting/:pool', '/log/tile/*', '/voting/a.b', '/voting/%20', '/voting.data', '/nothing'])(
  '%s has no cache key',
  (path) => {
    expect(addressOf(path)).toBeNull()
  },
)

test.each([
  ['/voting', '/Voting', '/voting'],
  ['/voting', '/voting/', '/voting'],
  ['/voting', '/voting//', '/voting'],
  ['/voting', '/%76oting', '/voting'],
  ['/voting', '/voting.data', '/voting.data'],
  ['/voting/:pool', '/voting/1.data/', '/voting/1.data/'],
  ['/', '//', '/'],
  ['/', '/_root.data', '/_root.data'],
  ['/voting/:pool', '/VOTING/education/', '/voting/education'],
  ['/voting/:pool', '/voting/Edu%2Fcation', '/voting/Edu%2Fcation'],
  ['/log/tile/*', '/log/tile/0/000', '/log/tile/0/000'],
])('the canonical path of the pattern %s for %s is %s', (pattern, path, canonical) => {
  expect(canonicalPath(pattern, path)).toBe(canonical)
})

test('the worker has every page that a cached address may belong to, and no other', () => {
  const all = declaredPages()
  const hot = cachedPagesOf(all)
  const [one, other] = [createCacheAddress(all), createCacheAddress(hot)]
  const paths = all.flatMap(({ pattern }) => [pattern, pattern.replaceAll(/:\w+/g, 'abc')])
  for (const path of [...paths, '/nothing', '/voting/a/b'])
    expect(other(new URL(`http://site${path}`)), path).toEqual(one(new URL(`http://site${path}`)))
  expect(hot.length).toBeLessThan(all.length / 3)
})
