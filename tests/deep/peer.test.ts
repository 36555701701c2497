import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildPeer } from '../bench/peer-spa/build.ts'

test('the peer of the bench builds from the pages of the site', async () => {
  expect(existsSync(join(await buildPeer('http://127.0.0.1:9'), 'index.html'))).toBe(true)
})
