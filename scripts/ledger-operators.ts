import * as z from 'zod/mini'
import { timestampColumn } from '../app/platform/server/columns.server.ts'
import { formatDay } from '../app/platform/time.ts'
import { doAct } from './ledger-act.ts'
import { type Operator, UsageError } from './ledger-operator.ts'

const operatorRow = z.object({
  handle: z.string(),
  since: timestampColumn,
  until: z.nullable(timestampColumn),
})

/** Makes the member with this email an operator. UsageError without an account or a second factor. */
export async function addOperator(
  operator: Operator,
  email: string | undefined,
  given: { handle?: string },
): Promise<void> {
  if (!email) throw new UsageError('Name the member: npm run ledger -- operator add <email> --handle <name>')
  const { handle } = await operator.complete(given, {
    handle: 'Public handle, which can never be used again',
  })
  if (!/^[a-z][a-z0-9-]{2,29}$/.test(handle))
    throw new UsageError('--handle must be 3 to 30 of a–z, 0–9 and hyphen, first a letter.')
  await operator.confirm(`Everyone can read that ${handle} is an operator. The email address stays private.`)
  await doAct(operator, { kind: 'operator', values: { email, handle } })
  console.log(`${handle} is an operator now: ${operator.config.SITE_URL}/operator`)
  await operator.tellSite()
}

/** Prints the present and the former operators. */
export async function listOperators(operator: Operator): Promise<void> {
  const operators = await operator.service.rows('published_operators', operatorRow, (query) =>
    query.order('since'),
  )
  if (operators.length === 0)
    console.log('No operators yet. Add one: npm run ledger -- operator add <email> --handle <name>')
  for (const { handle, since, until } of operators)
    console.log(`${handle.padEnd(30)} since ${formatDay(since)}${until ? `, until ${formatDay(until)}` : ''}`)
}
