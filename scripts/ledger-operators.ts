import * as z from 'zod'
import { timestampColumn } from '../app/server/columns.server.ts'
import { formatDay } from '../app/time.ts'
import { doAct, readAct } from './ledger-act.ts'
import { type Operator, UsageError } from './ledger-operator.ts'

const operatorRow = z.object({
  handle: z.string(),
  since: timestampColumn,
  until: timestampColumn.nullable(),
})

/**
 * Makes the member with this email address an operator. Throws a UsageError if the member has no account or
 * no second factor.
 */
export async function addOperator(
  operator: Operator,
  email: string | undefined,
  given: { handle?: string },
): Promise<void> {
  if (!email) throw new UsageError('Name the member: npm run ledger -- operator add <email> --handle <name>')
  const { handle } = await operator.complete(given, {
    handle: 'Public handle, which can never be used again',
  })
  const act = readAct('operator', { subject: null, version: null }, { email, handle })
  await operator.confirm(`Everyone can read that ${handle} is an operator. The email address stays private.`)
  await doAct(operator, act)
  console.log(`${handle} is an operator now: ${operator.config.SITE_URL}/operator`)
  await operator.tellSite()
}

/**
 * Ends an operator's role. Throws a UsageError for an unknown handle, for a former operator, and without a
 * reason.
 */
export async function endOperator(
  operator: Operator,
  handle: string | undefined,
  given: { reason?: string },
): Promise<void> {
  if (!handle)
    throw new UsageError('Name the operator: npm run ledger -- operator end <handle> --reason <words>')
  const found = (await readOperators(operator)).find((each) => each.handle === handle)
  if (!found) throw new UsageError(`There is no operator ${handle}.`)
  if (found.until) throw new UsageError(`${handle} ended on ${formatDay(found.until)}.`)
  const { reason } = await operator.complete(given, { reason: 'Public reason' })
  const act = readAct('operator-end', { subject: handle, version: null }, { reason })
  await operator.confirm(`${handle} will no longer be an operator. Everyone can read the reason: ${reason}`)
  await doAct(operator, act)
  console.log(`${handle} is no longer an operator.`)
  await operator.tellSite()
}

/** Prints the present and the former operators. */
export async function listOperators(operator: Operator): Promise<void> {
  const operators = await readOperators(operator)
  if (operators.length === 0)
    console.log('No operators yet. Add one: npm run ledger -- operator add <email> --handle <name>')
  for (const { handle, since, until } of operators)
    console.log(`${handle.padEnd(30)} since ${formatDay(since)}${until ? `, until ${formatDay(until)}` : ''}`)
}

const readOperators = ({ service }: Operator) =>
  service.rows('published_operators', operatorRow, (query) => query.order('since'))
