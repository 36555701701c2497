import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generateTypes } from '../../supabase/embedded/types.ts'

test('app/platform/server/database.types.ts matches the migrations', async () => {
  const written = readFileSync(
    new URL('../../app/platform/server/database.types.ts', import.meta.url),
    'utf8',
  )
  expect(await generateTypes(), 'run npm run types').toBe(written)
})
