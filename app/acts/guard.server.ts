import { type AppLoadContext, redirect } from '@remix-run/cloudflare'
import * as z from 'zod/mini'
import { isVerified, listFactors } from '../members/auth/factor.server'
import type { Viewer } from '../members/auth/identity.server'
import { orSendAgain } from '../members/auth/send-again.server'
import { type GuardOptions, requireMember, requireViewer } from '../members/auth/viewer.server'
import { integerColumn } from '../platform/server/columns.server'
import { found } from '../platform/server/outage.server'
import { factorPath, withReturnTo } from '../platform/server/redirect'

/** An active operator, as returned by the database for the caller. */
export const operatorValue = z.object({
  handle: z.string(),
  /** True if the session has a verified second factor. */
  assured: z.boolean(),
  /** True if the second factor was shown within ten minutes, as an act needs it. */
  proven: z.boolean(),
  /** The number of other active operators. */
  others: integerColumn,
})
export type Operator = z.infer<typeof operatorValue> & { viewer: Viewer }

/** A value that the database returns only to operators, or 'none' for any other member. */
export function operatorsOnly<Value>(schema: z.ZodMiniType<Value>): z.ZodMiniType<Value | 'none'> {
  return z.pipe(
    z.nullable(schema),
    z.transform((value) => value ?? ('none' as const)),
  )
}

const me = operatorsOnly(operatorValue)

/**
 * The operator who sent the request, for each loader and action of an operator's page. For a visitor, throws
 * a redirect to /auth. For a member who is not an operator, throws the 404 page for an unknown address. For a
 * session without a verified second factor, throws a redirect to the page of the second factor, with
 * `returnTo`. After a posted form, throws the page that offers to send the form again, instead of a redirect.
 */
export async function requireOperator(
  context: AppLoadContext,
  returnTo: string,
  options: GuardOptions = {},
): Promise<Operator> {
  const guard = async () => {
    const viewer = await requireMember(context, returnTo, options)
    const operator = await context.data().call('my_operator', me, {}, { get: true })
    return admit(context, { viewer, operator, returnTo, options })
  }
  return options.form ? orSendAgain(options.form, guard) : guard()
}

/** Like `requireOperator`, for a page whose only call to the database also returns the operator. */
export async function requireOperatorWith<Value extends object>(
  context: AppLoadContext,
  returnTo: string,
  read: () => Promise<(Value & { operator: z.infer<typeof operatorValue> }) | 'none' | null>,
): Promise<{ operator: Operator; found: Value }> {
  const viewer = await requireMember(context, returnTo)
  const value = await read()
  const operator = value && value !== 'none' ? value.operator : value
  return {
    operator: await admit(context, { viewer, operator, returnTo, options: {} }),
    found: value as Value,
  }
}

interface Found {
  viewer: Viewer
  operator: z.infer<typeof operatorValue> | 'none' | null
  returnTo: string
  options: GuardOptions
}

async function admit(
  context: AppLoadContext,
  { viewer, operator, returnTo, options }: Found,
): Promise<Operator> {
  const known = found(operator, options.form)
  if (!known.assured) {
    const factors = await listFactors(context, viewer.accessToken, returnTo, options.form)
    const hasFactor = factors.some(isVerified)
    // An operator who has removed their second factor must first set up a new factor.
    throw redirect(hasFactor ? withReturnTo(factorPath, returnTo) : '/dashboard/account/factor', 303)
  }
  // A session that was ended on another device is signed out.
  return { ...known, viewer: await requireViewer(context, returnTo, options) }
}
