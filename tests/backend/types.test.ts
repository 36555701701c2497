import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generateTypes } from '../../supabase/embedded/types.ts'

test('app/database.types.ts is what the migrations say', async () => {
  const written = readFileSync(new URL('../../app/server/database.types.ts', import.meta.url), 'utf8')
  expect(await generateTypes(), 'run node supabase/types.ts').toBe(written)
})
