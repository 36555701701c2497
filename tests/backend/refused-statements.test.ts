import { expect, test } from 'vitest'
import { openPglite } from '../../supabase/embedded/pglite.ts'

test('the database still works after 3,000 refused statements', async () => {
  const database = await openPglite()
  // A syntax error takes 5.5 kB of the stack, more than the other errors.
  for (let count = 0; count < 3_000; count++) {
    const message = await database.query('selec').catch((error: Error) => error.message)
    expect(message).toBe('syntax error at or near "selec"')
  }
  expect((await database.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await database.close()
}, 180_000)
