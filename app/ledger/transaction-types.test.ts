import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { statuses } from './statuses.ts'
import { transactionTypes } from './transaction-types.ts'

const migrations = globSync('supabase/migrations/*.sql')
  .toSorted()
  .map((path) => readFileSync(path, 'utf8'))

/** The values in the newest definition of a constraint of the form `check (column in ('a', 'b'))`. */
function valuesOf(constraint: string): (string | undefined)[] {
  const definition = new RegExp(`constraint ${constraint}\\s+check \\(\\s*\\w+ in \\(([^)]*)\\)`, 'g')
  const list = [...migrations.join('\n').matchAll(definition)].at(-1)?.[1] ?? ''
  return [...list.matchAll(/'([\w-]+)'/g)].map(([, value]) => value)
}

test.each([
  ['transactions_type_known', Object.keys(transactionTypes)],
  ['transaction_checks_status_known', [...statuses]],
])('the constraint %s allows exactly the values of the list in TypeScript', (constraint, values) => {
  expect(valuesOf(constraint).toSorted()).toEqual(values.toSorted())
})
