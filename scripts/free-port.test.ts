import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { portError } from '../supabase/embedded/http.ts'
import { assertFree, freePort } from './free-port.ts'

test('distinguishes a port in use from a port that is forbidden for this user', async () => {
  const port = await freePort()
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  await expect(assertFree(port, 'PORT')).rejects.toThrow(
    `Port ${port} is taken. Choose another: PORT=${port + 1} npm start`,
  )
  await expect(assertFree(port, 'the port of SITE_URL', 'Set SITE_URL.')).rejects.toThrow(
    `Port ${port} is taken. Set SITE_URL.`,
  )
  await new Promise((resolve) => other.close(resolve))
  await assertFree(port, 'PORT')

  const denied = Object.assign(new Error('listen EACCES'), { code: 'EACCES' })
  expect(portError(denied, 80, 'PORT').message).toBe(
    'This user may not listen on port 80. Set PORT to 1024 or more.',
  )
})
