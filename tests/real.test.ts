import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePort } from '../scripts/free-port.ts'
import { assertSiteUrlIsFree } from './real/project.ts'

test('npm run test:real mentions SITE_URL if the port of the tested site is taken', async () => {
  const port = await freePort()
  const project = {
    url: 'http://127.0.0.1:1',
    publishableKey: '',
    mailUrl: 'http://127.0.0.1:1',
    siteUrl: `http://127.0.0.1:${port}`,
    confirmations: false,
  }
  await assertSiteUrlIsFree(project)
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  await expect(assertSiteUrlIsFree(project)).rejects.toThrow(
    `Port ${port} is taken. End the program that uses it, or set SITE_URL and the project's site URL to another port.`,
  )
  await new Promise((resolve) => other.close(resolve))
})
