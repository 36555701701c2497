import { expect, test } from 'vitest'
import { openPglite } from './pglite.ts'

test('the database still works after 10,000 refused statements', async () => {
  const database = await openPglite()
  for (let count = 0; count < 10_000; count++)
    await expect(database.query('select 1 / 0')).rejects.toThrow('division by zero')
  expect((await database.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await database.close()
}, 180_000)
